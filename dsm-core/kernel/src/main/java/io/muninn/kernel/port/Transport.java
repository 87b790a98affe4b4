package io.muninn.kernel.port;

import io.muninn.model.NodeId;
import io.muninn.wire.WireMessage;

/** Messages to other nodes: reliable, and in order between one pair of nodes. */
public interface Transport {
    /**
     * Sends a message. The payloads it names are read before this returns.
     *
     * @param to another node, never this one
     * @return bytes of the message's frame; 0 if that node is lost and nothing is sent
     */
    int send(NodeId to, WireMessage message);
}
