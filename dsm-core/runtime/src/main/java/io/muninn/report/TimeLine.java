package io.muninn.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the threads of a node waited for, and when. Times are in nanoseconds since the start of the
 * run on this node.
 *
 * <p><b>Shape.</b> Sums are of all waits. Single waits are kept as long as there is room: of those
 * for other threads the first ones, in the order of their ends, and of all others the longest.
 *
 * @param endNanos when the node made this report
 * @param slotNanos width of a slot
 * @param lanes the threads that have waited, in order
 * @param names what waits are about, by position
 * @param longest the longest waits that are not in {@code synchronizations}, in order of begin
 * @param synchronizations waits for locks and barriers, in the order in which they ended
 * @param completeNanos end of the period of which every synchronization was kept
 * @param dropped single waits that were not kept
 * @param stores lines of the program that store to pages, as far as it is known, in {@link
 *     Stores#ORDER}
 * @param storesDropped such stores that were not kept
 */
public record TimeLine(
        long endNanos,
        long slotNanos,
        List<Lane> lanes,
        List<String> names,
        List<Kept> longest,
        List<Kept> synchronizations,
        long completeNanos,
        long dropped,
        List<Stores> stores,
        long storesDropped) {
    /**
     * A thread.
     *
     * @param thread of the node; {@link Wait#UNKNOWN} for the stops of threads that are not known
     * @param endNanos end of its last wait: the program has ended on it then, or was lost
     * @param nanos time waited, by {@link WaitKind}
     * @param counts number of waits, by {@link WaitKind}
     * @param slots time waited in each slot, by {@link WaitKind}; slots of zeros at the end are
     *     left out
     */
    public record Lane(
            int thread, long endNanos, long[] nanos, long[] counts, List<long[]> slots) {}

    /**
     * A single wait.
     *
     * @param region of the page; -1 for a call
     * @param about index of the page; of a call the position of its name
     * @param pageNanos how long the thread had been stopped at pages before
     * @param otherNanos how long it had waited before for anything except pages and synchronization
     */
    public record Kept(
            int thread,
            WaitKind kind,
            int region,
            int about,
            long beginNanos,
            long nanos,
            long pageNanos,
            long otherNanos) {
        public long endNanos() {
            return beginNanos + nanos;
        }
    }

    /**
     * A line of the program that stores to a page.
     *
     * @param line position of its name
     * @param times number of its stores that were seen
     */
    public record Stores(int region, int page, int line, long times) {
        /** By page, and the most frequent line first. */
        static final Comparator<Stores> ORDER =
                Comparator.comparingInt(Stores::region)
                        .thenComparingInt(Stores::page)
                        .thenComparing(Comparator.comparingLong(Stores::times).reversed())
                        .thenComparingInt(Stores::line);
    }

    public TimeLine {
        stores = List.copyOf(stores);
        lanes = List.copyOf(lanes);
        names = List.copyOf(names);
        longest = List.copyOf(longest);
        synchronizations = List.copyOf(synchronizations);
    }

    /** The thread's sums, if it has waited. */
    Optional<Lane> lane(int thread) {
        return lanes.stream().filter(lane -> lane.thread() == thread).findFirst();
    }

    /** The time that all threads waited for this reason. */
    public long nanos(WaitKind kind) {
        return lanes.stream().mapToLong(lane -> lane.nanos()[kind.ordinal()]).sum();
    }
}
