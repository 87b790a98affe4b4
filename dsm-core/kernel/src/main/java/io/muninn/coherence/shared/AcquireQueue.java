package io.muninn.coherence.shared;

import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The acquires and collections of one protocol that process write notices: one at a time, in order.
 * Each processes the notices that its timestamp covers and no earlier one has processed. It is
 * performed when every page for which it must wait is settled.
 */
public final class AcquireQueue {
    /** Processes notices. */
    public interface Action {
        /**
         * Processes notices. Calls {@link AcquireQueue#await} for each page that is not settled at
         * once.
         */
        void act(List<WriteNotices.Notice> notices, Effects out);

        /**
         * Called before an acquire is performed: from now on the node has seen everything that
         * {@code until} covers.
         */
        default void performing(VectorTimestamp until, Effects out) {}
    }

    /**
     * @param isGate true if it is performed only when other protocols have performed their parts,
     *     too
     */
    private record Waiting(Consumer<Effects> performed, VectorTimestamp until, boolean isGate) {}

    private final Supplier<VectorTimestamp> seen;
    private final WriteNotices notices;
    private final Action action;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(); // the first is in progress
    private VectorTimestamp acted; // covers the notices that acquires have processed
    private int unsettled; // pages of the first
    // the part that the node has not seen
    private Optional<VectorTimestamp> performing = Optional.empty();

    /**
     * @param seen covers what the performed acquires have covered
     */
    public AcquireQueue(Supplier<VectorTimestamp> seen, WriteNotices notices, Action action) {
        this.seen = seen;
        this.notices = notices;
        this.action = action;
        this.acted = seen.get();
    }

    /** Adds an acquire of everything that the timestamp covers. */
    public void add(GatedAcquire gate, VectorTimestamp until, Effects out) {
        add(until, each -> each.acquirePerformed(gate), out);
    }

    /**
     * Adds an acquire of everything that the timestamp covers.
     *
     * @param performed runs when all pages are settled
     */
    public void add(VectorTimestamp until, Consumer<Effects> performed, Effects out) {
        if (seen.get().covers(until)) {
            performed.accept(out);
        } else {
            Consumer<Effects> last =
                    each -> {
                        action.performing(until, each);
                        performed.accept(each);
                    };
            add(new Waiting(last, until, true), out);
        }
    }

    /**
     * Adds a collection of everything that the timestamp covers; its notices are processed here
     * before those of later acquires.
     *
     * @param performed runs when all pages are settled
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

    /** Makes the current acquire or collection wait for one more page. */
    public void await() {
        unsettled++;
    }

    /** Reports settled pages for which it waited. */
    public void settled(int pages, Effects out) {
        unsettled -= pages;
        if (pages > 0 && unsettled == 0) {
            performed(out);
        }
    }

    /** Returns true if there were notices to process. */
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
     * Called when all protocols have performed their parts of an acquire. Only now does the next
     * one begin. It ends an interval, to which threads may store until their pages are withdrawn; a
     * thread that obtained a lock by the previous acquire stores to it, too. So its timestamp must
     * cover that acquire.
     */
    public void onAcquirePerformed(Effects out) {
        performing = performing.filter(until -> !seen.get().covers(until));
        proceed(out);
    }

    private void proceed(Effects out) {
        while (!queue.isEmpty() && unsettled == 0 && performing.isEmpty()) {
            if (begin(out)) {
                out.endInterval(); // as the kernel does for an acquire that begins at once
            }
        }
    }
}
