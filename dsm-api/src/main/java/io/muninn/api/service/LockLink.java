package io.muninn.api.service;

import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.ReadWriteLockId;

/**
 * The requests of locks and their conditions to the kernel, for the calling thread.
 *
 * <p><b>Order.</b> A wait for a signal is {@link #enterQueue}, the lock's {@link LockWord#free},
 * {@link #awaitSignal}: a signal sent after the lock is free finds the thread in the queue.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface LockLink {
    /** Opens a lock. Called once per name. */
    LockWord openLock(LockId lock);

    /** Opens a reader-writer lock. Called once per name. */
    ReadWriteWord openReadWriteLock(ReadWriteLockId lock);

    /** Puts the calling thread, which holds the lock, into the queue of a condition. */
    void enterQueue(ConditionId condition);

    /**
     * Waits for a signal, after the lock was released.
     *
     * @param limitNanos negative for no limit
     * @param isInterruptible whether an interrupt ends the wait; the thread is still interrupted
     * @return true if the signal arrived, also if an interrupt arrived too late
     */
    boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible);

    /** Wakes the oldest thread in the queue of a condition, or all of them. */
    void signal(ConditionId condition, boolean toAll);

    /** The clock of time limits, in nanoseconds from an arbitrary origin. */
    long nanoTime();

    /**
     * The time of day.
     *
     * @throws UnsupportedOperationException if the machine has none
     */
    long currentTimeMillis();
}
