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
    /** Arrives without a contribution. */
    byte[] NOTHING = {};

    /**
     * Arrives and waits for the other parties. An interrupt stays pending.
     *
     * @param contribution to the round's reduction, encoded; or {@link #NOTHING}
     * @param limitNanos negative for no limit
     * @return what comes of all contributions, for {@link io.muninn.api.reduction.Round#values};
     *     empty if there are none
     * @throws TimeoutException if the time ran out; the barrier is then broken
     */
    byte[] await(byte[] contribution, long limitNanos) throws TimeoutException;

    /**
     * Waits until all other parties have arrived; they go on waiting until this thread arrives,
     * too. An acquire of what they have stored.
     *
     * @return what comes of their contributions, as {@link #await} returns it
     */
    byte[] gather();
}
