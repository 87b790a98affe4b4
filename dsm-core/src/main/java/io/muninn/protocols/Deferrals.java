package io.muninn.protocols;

import io.muninn.model.NodeId;
import io.muninn.protocol.ProtocolViolation;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that wait until a page may be surrendered, oldest first. Bounded: a node has at most one
 * request and one invalidation under way per page.
 *
 * @param <M> the protocol's messages
 */
final class Deferrals<M> {
    private static final int DEFERRALS_MAX = 2 * NodeId.NODES_MAX;

    private final List<Deferral<M>> waiting = new ArrayList<>(2);

    /** A message and the node that sent it, which need not be the node that asks. */
    record Deferral<M>(NodeId from, M message) {}

    void add(NodeId from, M message) {
        if (waiting.size() == DEFERRALS_MAX) {
            throw new ProtocolViolation(
                    DEFERRALS_MAX + " messages wait for one page, and now " + message);
        }
        waiting.add(new Deferral<>(from, message));
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes and returns all that waits. */
    List<Deferral<M>> takeAll() {
        List<Deferral<M>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    @Override
    public String toString() {
        return waiting.toString();
    }
}
