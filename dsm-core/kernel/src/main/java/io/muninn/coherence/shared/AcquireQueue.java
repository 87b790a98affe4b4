package io.muninn.coherence.shared;

import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The acquires and collections of one protocol that act on write notices: one at a time, in order.
 * Each acts on all notices that its timestamp covers and no earlier one has acted on, and is
 * performed when every page that it has to wait for is settled.
 */
public final class AcquireQueue {
    /** Acts on notices. */
    public interface Action {
        /** For each page that is not settled at once it calls {@link AcquireQueue#await}. */
        void act(List<WriteNotices.Notice> notices, Effects out);

        /** An acquire is about to be performed: from now on the node has seen what this covers. */
        default void performing(VectorTimestamp until, Effects out) {}
    }

    /**
     * @param isGate whether it is performed when other protocols have performed their parts, too
     */
    private record Waiting(Consumer<Effects> performed, VectorTimestamp until, boolean isGate) {}

    private final LogicalClock clock;
    private final WriteNotices notices;
    private final Action action;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(); // the first is under way
    private VectorTimestamp acted; // covers what acquires have acted on
    private int unsettled; // pages of the first
    private Optional<VectorTimestamp> performing = Optional.empty(); // what the node has not seen

    public AcquireQueue(LogicalClock clock, WriteNotices notices, Action action) {
        this.clock = clock;
        this.notices = notices;
        this.action = action;
        this.acted = clock.seen();
    }

    /** An acquire of what the timestamp covers. */
    public void add(GatedAcquire gate, VectorTimestamp until, Effects out) {
        if (clock.seen().covers(until)) {
            out.acquirePerformed(gate);
        } else {
            add(new Waiting(each -> perform(gate, until, each), until, true), out);
        }
    }

    private void perform(GatedAcquire gate, VectorTimestamp until, Effects out) {
        action.performing(until, out);
        out.acquirePerformed(gate);
    }

    /**
     * A collection of what the timestamp covers, on which it acts here ahead of acquires.
     *
     * @param performed takes place when all pages are settled
     */
    public void addCollection(VectorTimestamp upTo, Consumer<Effects> performed, Effects out) {
        add(new Waiting(performed, upTo, false), out);
    }

    private void add(Waiting waiting, Effects out) {
        queue.add(waiting);
        if (queue.size() == 1 && performing.isEmpty()) {
            begin(out);
        }
    }

    /** What is under way waits for one page more. */
    public void await() {
        unsettled++;
    }

    /** It waits for so many pages less. */
    public void settled(int pages, Effects out) {
        unsettled -= pages;
        if (pages > 0 && unsettled == 0) {
            performed(out);
        }
    }

    /** Returns true if there were notices to act on. */
    private boolean begin(Effects out) {
        VectorTimestamp until = queue.element().until();
        List<WriteNotices.Notice> news = notices.between(acted, until);
        acted = acted.join(until);
        action.act(news, out);
        if (unsettled == 0) {
            finish(out);
        }
        return !news.isEmpty();
    }

    private void finish(Effects out) {
        Waiting first = queue.remove();
        if (first.isGate()) {
            performing = Optional.of(first.until());
        }
        first.performed().accept(out);
    }

    private void performed(Effects out) {
        finish(out);
        proceed(out);
    }

    /**
     * All protocols have performed their parts of an acquire. Only now does the next one begin: it
     * ends an interval, to which threads may store until their pages are withdrawn, and whoever got
     * a lock by the acquire before stores to it, too. So its timestamp has to cover that acquire.
     */
    public void onAcquirePerformed(Effects out) {
        performing = performing.filter(until -> !clock.seen().covers(until));
        proceed(out);
    }

    private void proceed(Effects out) {
        while (!queue.isEmpty() && unsettled == 0 && performing.isEmpty()) {
            if (begin(out)) {
                out.endInterval(); // as the kernel does after an acquire that begins at once
            }
        }
    }
}
