package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.spi.Hosts;
import io.muninn.transport.local.LocalLink;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.LastingStream;
import io.muninn.transport.stream.Link;
import java.util.Optional;

/** The operations of the cluster that joining needs. */
public interface Members {
    Connection newConnection();

    /** One end of a link to a node of this agent. */
    LocalLink newLocalLink();

    /** True if there is an open connection that has passed the handshake. */
    boolean isConnected(NodeId node);

    /** Adds a link that has passed the handshake; an older one to that node is closed. */
    void attach(NodeId node, Link link);

    /** The link to a node, if it can go on with another connection. */
    Optional<LastingStream> lasting(NodeId node);

    /** Why a node has been taken for lost, if it has. */
    Optional<String> whyLost(NodeId node);

    /** Closes the connection to a node, if there is one, without a loss. */
    void drop(NodeId node);

    void sendNow(NodeId node, Control control);

    void listening(Address address);

    /** A connection was closed before it belonged to a node. */
    void turnedAway(String reason);

    void progress(String text);

    /** Receives which nodes share an agent. */
    void started(Hosts hosts);

    void lost(NodeId node, String reason);

    void refused(String text);

    void unfit(String text);

    void failed(String text);
}
