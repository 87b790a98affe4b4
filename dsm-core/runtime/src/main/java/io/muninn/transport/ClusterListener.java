package io.muninn.transport;

import io.muninn.model.NodeId;

/**
 * Receives the changes in the membership of a {@link Cluster}, always on the event loop.
 *
 * <p><b>Order.</b> {@code onListening}, then {@code onStarted}, then the rest. {@code onRefused}
 * and {@code onFailed} are the last calls; at most one of them is made. A loss may be reported
 * before {@code onStarted}: a node that had joined is gone. The run does not start then, and {@code
 * onStarted} is not called any more.
 */
public interface ClusterListener {
    /** The root listens. With port 0 in the configuration, this holds the port chosen. */
    default void onListening(Address address) {}

    /** At the root, now and then: how far joining is if it takes long, for a person to read. */
    default void onProgress(String text) {}

    /** Every node is connected with every other: messages may be sent. */
    void onStarted();

    /**
     * A node is lost: its connection ended, it was silent for the heartbeat limit, it sent what no
     * node sends, or it or another node said so. Once per node. The first call names the cause of
     * the trouble: nodes that end because of it say so before they close.
     */
    void onPeerLost(NodeId node, String reason);

    /** This node may not join; the text says why, for a person to read. */
    void onRefused(String text);

    /** This node cannot go on: nothing to listen on, nodes missing, or declared lost itself. */
    void onFailed(String text);

    /**
     * A connection to this node's address was closed before it belonged to a node: it did not show
     * the secret, or may not join. As often as strangers like.
     */
    default void onTurnedAway(String reason) {}

    /**
     * At the root: what a node reported.
     *
     * @throws io.muninn.wire.MalformedMessageException if it is none; the node is lost then
     */
    default void onReport(NodeId from, byte[] report) {}

    /** Another node declared the run over. From now on nobody's end is a loss. */
    default void onFinished(NodeId from, int status, String text) {}

    /** A node leaves in order; its end is not a loss. */
    default void onLeft(NodeId node, String reason) {}
}
