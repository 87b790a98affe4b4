package io.muninn.protocol;

import io.muninn.model.PageId;
import io.muninn.wire.Message;
import java.util.List;

/** A message of one coherence protocol. */
public interface ProtocolMessage extends Message {
    /** The code of the protocol whose pages it is about. */
    int protocolCode();

    /** The pages it is about, in the order in which it names them. */
    List<PageId> pages();
}
