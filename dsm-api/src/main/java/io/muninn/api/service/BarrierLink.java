package io.muninn.api.service;

import java.util.concurrent.TimeoutException;

/**
 * A barrier as one application thread arrives at it.
 *
 * <p><b>Errors.</b> As of {@link LockWord}; and {@link io.muninn.api.BarrierBrokenException} if the
 * barrier is broken.
 *
 * <p><b>Threads.</b> The application thread that it was made for.
 */
public interface BarrierLink {
    /**
     * Arrives and waits for the other parties; an interrupt is kept for later.
     *
     * @param limitNanos negative for no limit
     * @throws TimeoutException if the time ran out: the barrier is broken then
     */
    void await(long limitNanos) throws TimeoutException;
}
