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
     * @return the result of all contributions, for {@link io.muninn.api.reduction.Round#values};
     *     empty if there are none
     * @throws TimeoutException if the time ran out; the barrier is then broken
     */
    byte[] await(byte[] contribution, long limitNanos) throws TimeoutException;

    /**
     * Waits until all other parties have arrived; they continue to wait until this thread arrives,
     * too. Acquires their stores.
     *
     * @return the result of their contributions, in the format of {@link #await}
     */
    byte[] gather();
}
