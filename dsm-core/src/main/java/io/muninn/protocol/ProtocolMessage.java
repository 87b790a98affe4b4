package io.muninn.protocol;

import io.muninn.wire.Message;

/** A message of one coherence protocol. */
public interface ProtocolMessage extends Message {
    /** The code of the protocol whose pages it is about. */
    int protocolCode();
}
