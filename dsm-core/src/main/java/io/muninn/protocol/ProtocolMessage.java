package io.muninn.protocol;

import io.muninn.model.PageId;
import io.muninn.wire.Message;
import java.util.List;

/** A message about pages, for the protocol that they follow. */
public interface ProtocolMessage extends Message {
    /**
     * The pages it is about, in the order in which it names them; of one protocol, at least one.
     */
    List<PageId> pages();

    /** The first of them; its region tells the protocol. */
    default PageId firstPage() {
        return pages().getFirst();
    }
}
