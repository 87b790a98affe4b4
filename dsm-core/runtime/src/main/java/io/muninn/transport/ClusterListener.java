package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.transport.net.Address;

/**
 * Receives the changes in the membership of a {@link Cluster}, always on the event loop.
 *
 * <p><b>Order.</b> {@code onListening}, then {@code onStarted}, then the other calls. {@code
 * onRefused} and {@code onFailed} are last calls; at most one of them is made. A loss may be
 * reported before {@code onStarted} if a joined node is gone. Then the run does not start, and
 * {@code onStarted} is not called.
 */
public interface ClusterListener {
    /** The root listens. If the configured port is 0, the address has the chosen port. */
    default void onListening(Address address) {}

    /** On the root, repeatedly while joining takes long: the progress, as text for the user. */
    default void onProgress(String text) {}

    /** Every node is connected with every other: messages may be sent. */
    void onStarted();

    /**
     * A node is lost: its connection ended, it was silent for the heartbeat limit, it sent an
     * invalid message, or it or another node announced the loss. Called once per node. The first
     * call names the original cause: nodes that end because of it announce it before they close.
     */
    void onPeerLost(NodeId node, String reason);

    /** This node may not join; the text gives the reason to the user. */
    void onRefused(String text);

    /**
     * This node cannot continue: it cannot listen, nodes are missing, or it was declared lost
     * itself.
     */
    void onFailed(String text);

    /**
     * Nodes are missing, and others were turned away, whose options probably do not fit those of
     * this one.
     */
    default void onUnfit(String text) {
        onFailed(text);
    }

    /**
     * A connection to this node's address was closed before it belonged to a node: it did not prove
     * the secret, or may not join. Other processes can cause any number of calls.
     */
    default void onTurnedAway(String reason) {}

    /**
     * On the root: the result that a node reported.
     *
     * @throws io.muninn.wire.MalformedMessageException if it is malformed; the node is then lost
     */
    default void onReport(NodeId from, byte[] report) {}

    /** On the root: threads of some node have waited for some time. */
    default void onWaitsLast() {}

    /** The root asks for the waits of this node. */
    default void onWaitsAsked(int number, boolean withLines) {}

    /**
     * On the root: a node's answer to a question about its waits.
     *
     * @throws io.muninn.wire.MalformedMessageException if it is malformed; the node is then lost
     */
    default void onWaits(NodeId from, int number, byte[] content) {}

    /** Another node declared the run over. From now on no node's end is a loss. */
    default void onFinished(NodeId from, int status, String text) {}

    /** A node has announced that it leaves; its end is not a loss. */
    default void onLeft(NodeId node, String reason) {}
}
