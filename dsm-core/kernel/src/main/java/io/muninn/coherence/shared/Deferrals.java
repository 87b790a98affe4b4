package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that wait until a page may be surrendered, oldest first: until this node has the page,
 * and then until the hold time is over, which the timer {@code HoldOver} signals. Bounded: a node
 * has at most one outstanding request and one outstanding invalidation per page.
 *
 * @param <M> the protocol's messages
 */
public final class Deferrals<M> {
    private static final int DEFERRALS_MAX = 2 * NodeId.NODES_MAX;

    private final Context context;
    private final List<Deferral<M>> waiting = new ArrayList<>(2);

    /** A message and its sender, which may differ from the requester. */
    public record Deferral<M>(NodeId from, M message) {}

    public Deferrals(Context context) {
        this.context = context;
    }

    /**
     * True if a message must wait. The timer may be late: messages that arrive after its time wait
     * behind those that it answers.
     */
    public boolean mustWait(long heldUntilNanos) {
        return context.nowNanos() < heldUntilNanos || !waiting.isEmpty();
    }

    /** Adds a message that must wait for the end of the hold time; the first arms the timer. */
    public void addUntil(long heldUntilNanos, PageId page, NodeId from, M message, Effects out) {
        boolean isFirst = waiting.isEmpty();
        add(from, message);
        if (isFirst) {
            armTimer(heldUntilNanos, page, out);
        }
    }

    /** Arms the timer that ends the wait, if a message waits. */
    public void armTimer(long heldUntilNanos, PageId page, Effects out) {
        if (!waiting.isEmpty()) {
            out.armHold(page, heldUntilNanos - context.nowNanos());
        }
    }

    public void add(NodeId from, M message) {
        if (waiting.size() == DEFERRALS_MAX) {
            throw new ProtocolViolation(
                    DEFERRALS_MAX + " messages wait for one page, and now " + message);
        }
        waiting.add(new Deferral<>(from, message));
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes and returns all waiting messages. */
    public List<Deferral<M>> takeAll() {
        List<Deferral<M>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    @Override
    public String toString() {
        return waiting.toString();
    }
}
