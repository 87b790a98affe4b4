package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A barrier of the whole cluster, reusable like a {@link java.util.concurrent.CyclicBarrier}.
 * Arriving is a release and leaving is an acquire: a store that any party makes before the barrier
 * is visible to every party after it.
 *
 * <p><b>Errors.</b> When a party times out, the barrier is broken: waiting parties and all that
 * arrive later get {@link BarrierBrokenException}. If a node is lost, they get {@link
 * NodeLostException}; if the run has failed, {@link DsmException}. In {@link DsmProgram#initialize}
 * and {@link DsmProgram#verify}, in a {@link Team} and within a shipped call, arriving throws
 * {@link IllegalStateException}: other threads would not arrive.
 *
 * <p><b>Threads.</b> Every party is a different application thread; each arrives once per round.
 *
 * <p>Source: Munin §3.5.2 (barriers; arrivals of one node combine, the manager is the root).
 */
public interface DsmBarrier {
    /** The name by which it was obtained. */
    String name();

    /** Application threads that must arrive, at least 1. */
    int parties();

    /**
     * Waits until all parties have arrived. An interrupt does not end the wait; it stays pending.
     */
    void await();

    /**
     * Waits until all parties have arrived, at most for the given time.
     *
     * @throws TimeoutException if the time ran out; the text names the barrier and the application
     *     threads that are missing, and the barrier is broken
     */
    void await(long time, TimeUnit unit) throws TimeoutException;

    /**
     * Waits until all parties have arrived, each with a contribution, and returns the combined
     * result, the same to every party. An interrupt does not end the wait; it stays pending.
     *
     * <p>All parties of a round contribute to the same reduction, arrays of the same length. If
     * they do not, or if some arrive without a contribution, the barrier is broken, and the text
     * names two nodes with their contributions.
     *
     * @throws IllegalArgumentException if the contribution is too large; see {@link
     *     Reduction#ARRAY_BYTES_MAX}
     */
    <T> T await(Reduction<T> reduction, T contribution);

    /**
     * As {@link #await(Reduction, Object)}, at most for the given time.
     *
     * @throws TimeoutException if the time ran out, as in {@link #await(long, TimeUnit)}
     */
    <T> T await(Reduction<T> reduction, T contribution, long time, TimeUnit unit)
            throws TimeoutException;

    /** Waits until all parties have arrived, and returns the sum of their contributions. */
    default double awaitSum(double contribution) {
        return await(Reduction.SUM_OF_DOUBLE, contribution);
    }

    /** Waits until all parties have arrived, and returns the sum of their contributions. */
    default long awaitSum(long contribution) {
        return await(Reduction.SUM_OF_LONG, contribution);
    }

    /** Waits until all parties have arrived, and returns the largest of their contributions. */
    default double awaitMax(double contribution) {
        return await(Reduction.MAX_OF_DOUBLE, contribution);
    }
}
