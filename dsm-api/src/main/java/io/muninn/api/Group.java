package io.muninn.api;

import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Application threads of a program that work together: all of them ({@link DsmNode#group}), or
 * those of one part of a {@linkplain #split split}. Every thread of a group makes the same calls of
 * {@link #forEach} and {@link #split}, in the same order.
 *
 * <pre>{@code
 * node.group().forEach(Domain.of(rows, columns), Schedule.BLOCK, line -> relax(line));
 *
 * Group half = node.group().split(node.position() % 2);
 * half.forEach(new Band(0, n), Schedule.dynamic(16), i -> task(i));
 * double sum = half.barrier().awaitSum(mine);
 * }</pre>
 *
 * <p><b>Order.</b> The end of a loop is a barrier of the group: every thread of it sees the stores
 * of all bodies. The beginning is none.
 *
 * <p><b>Cost.</b> A loop costs a barrier, and under {@link Schedule.Kind#DYNAMIC} and {@link
 * Schedule.Kind#GUIDED} a shipped call for each chunk, to an object on the node of the group's
 * first thread, which uses one of its {@link DsmNode#LOCKS_MAX} locks. A split costs a barrier of
 * the group that is divided.
 *
 * <p><b>Errors.</b> An exception of a body leaves the loop in its thread, while the others wait for
 * it at the end; if the program does not catch it, it ends the run. Loops and splits throw {@link
 * IllegalStateException} where a {@link DsmBarrier} does, and within the body of a loop, as
 * barriers do there: other threads do not run the same bodies.
 *
 * <p><b>Threads.</b> Each application thread has instances of its own, which must not be passed to
 * another.
 */
public interface Group {
    /** This thread within the group, 0 to {@link #positions()} - 1, in order of all threads. */
    int position();

    /** Threads of the group, at least 1. */
    int positions();

    /**
     * Returns this thread's share of {@code total} rows, divided among the threads of the group as
     * by {@link DsmNode#band}.
     *
     * @throws IllegalArgumentException if {@code total} is negative
     */
    default Band band(int total) {
        return Band.of(total, position(), positions());
    }

    /** The barrier of the group, also for its reductions. */
    DsmBarrier barrier();

    /**
     * Runs a loop over a range, on all threads of the group, each its share.
     *
     * @param range the same on every thread, as the schedule
     * @param body called with each index of the share, in order within a chunk
     */
    void forEach(Band range, Schedule schedule, IntConsumer body);

    /**
     * As {@link #forEach(Band, Schedule, IntConsumer)}, over a domain. A body that has the inner
     * loop itself is compiled with it, which may be faster than a call for each index.
     *
     * @param body called with the lines of the share, in row-major order
     */
    void forEach(Domain domain, Schedule schedule, Consumer<Domain.Line> body);

    /** As {@link #forEach(Band, Schedule, IntConsumer)}, by blocks. */
    default void forEach(int from, int to, IntConsumer body) {
        forEach(new Band(from, to), Schedule.BLOCK, body);
    }

    /**
     * Divides the group. Threads that give the same number are one group of the result, in the same
     * order as in this one. This group remains usable.
     *
     * @param part of this thread, 0 or more; the numbers need not be dense
     * @return the group of this thread
     * @throws IllegalArgumentException if {@code part} is negative, or if splits within splits are
     *     so deep that the name of a barrier is too long, which takes more than ten
     */
    Group split(int part);
}
