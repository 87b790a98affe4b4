package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A barrier of the whole cluster, used again and again like a {@link
 * java.util.concurrent.CyclicBarrier}. Arriving is a release and leaving an acquire: every store
 * made before it by any party is seen by every party after it.
 *
 * <p><b>Errors.</b> Once a party has given up, by a timeout, the barrier is broken: the parties
 * that wait and all that come later get {@link BarrierBrokenException}. When a node is lost they
 * get {@link NodeLostException}, when the run has failed {@link DsmException}.
 *
 * <p><b>Threads.</b> Every party is an application thread of its own; one thread arrives once a
 * round.
 *
 * <p>Source: Munin §3.5.2 (barriers; arrivals of one node combine, the manager is the root).
 */
public interface DsmBarrier {
    /** The name it was asked for by. */
    String name();

    /** Application threads that must arrive, at least 1. */
    int parties();

    /** Waits until all parties have arrived; an interrupt is kept for later. */
    void await();

    /**
     * Waits until all parties have arrived, but not longer than that.
     *
     * @throws TimeoutException if the time ran out; the text names the barrier and the application
     *     threads that are missing, and the barrier is broken
     */
    void await(long time, TimeUnit unit) throws TimeoutException;
}
