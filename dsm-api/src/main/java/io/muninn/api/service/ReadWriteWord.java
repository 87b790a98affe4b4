package io.muninn.api.service;

import java.util.concurrent.TimeoutException;

/**
 * One node's state of a reader-writer lock: its permission, and its readers. It is not re-entrant.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface ReadWriteWord {
    /**
     * Lets the calling thread read, or write, if that needs no other node or thread.
     *
     * @throws IllegalStateException if the calling thread is not an application thread
     */
    boolean take(boolean toWrite);

    /** Waits for the lock. An interrupt stays pending. */
    void acquire(boolean toWrite);

    /**
     * Waits for the lock. An interrupt ends the wait.
     *
     * @param limitNanos negative for no limit
     * @return true if the lock is now held, also if an interrupt arrived too late; the thread is
     *     still interrupted
     * @throws TimeoutException if the time ran out
     */
    boolean acquireInterruptibly(boolean toWrite, long limitNanos) throws TimeoutException;

    /** Ends reading by the calling thread. */
    void freeRead();

    /**
     * Ends writing by the calling thread.
     *
     * @param keepsReading whether it reads from now on; no other thread writes in between
     */
    void freeWrite(boolean keepsReading);
}
