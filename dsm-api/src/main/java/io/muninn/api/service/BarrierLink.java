package io.muninn.api.service;

import java.util.concurrent.TimeoutException;

/**
 * A barrier of the kernel, for one application thread.
 *
 * <p><b>Errors.</b> As for {@link LockWord}, and {@link io.muninn.api.BarrierBrokenException} if
 * the barrier is broken.
 *
 * <p><b>Threads.</b> The application thread for which it was created.
 */
public interface BarrierLink {
    /**
     * Arrives and waits for the other parties. An interrupt stays pending.
     *
     * @param limitNanos negative for no limit
     * @throws TimeoutException if the time ran out; the barrier is then broken
     */
    void await(long limitNanos) throws TimeoutException;
}
