package io.muninn.api.service;

import io.muninn.model.ConditionId;
import io.muninn.model.LockId;

/**
 * What locks and their conditions ask of the kernel, for the calling thread.
 *
 * <p><b>Order.</b> A wait for a signal is {@link #enterQueue}, the lock's {@link LockWord#free},
 * {@link #awaitSignal}: a signal sent after the lock is free finds the thread in the queue.
 *
 * <p><b>Errors.</b> As of {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface LockLink {
    /** Opens a lock; called once for each name. */
    LockWord openLock(LockId lock);

    /** Puts the calling thread, which holds the lock, into the queue of a condition. */
    void enterQueue(ConditionId condition);

    /**
     * Waits for a signal, with the lock given up.
     *
     * @param limitNanos negative for no limit
     * @param isInterruptible whether an interrupt ends the wait; the thread is still interrupted
     * @return true if the signal came, also when the interrupt came too late
     */
    boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible);

    /** Wakes the oldest thread in the queue of a condition, or all of them. */
    void signal(ConditionId condition, boolean toAll);

    /** The clock that limits are told by; of any origin. */
    long nanoTime();

    /**
     * The time of day.
     *
     * @throws UnsupportedOperationException if the machine has none
     */
    long currentTimeMillis();
}
