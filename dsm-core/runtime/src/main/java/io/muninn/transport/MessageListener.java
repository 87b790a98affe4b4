package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.WireMessage;

/** Receives the messages of a {@link Cluster}, always on the event loop. */
public interface MessageListener {
    /**
     * True if a page exists on this node. Called while a message is decoded: a message about a page
     * that does not exist is malformed.
     */
    default boolean hasPage(PageId page) {
        return true;
    }

    /** Names a page and its variable, for the user. */
    default String nameOf(PageId page) {
        return "page " + page;
    }

    /**
     * Receives a message, in the order in which {@code from} sent it, and only after {@link
     * ClusterListener#onStarted}.
     *
     * @param message its payloads are valid until this returns
     */
    void onMessage(NodeId from, WireMessage message);
}
