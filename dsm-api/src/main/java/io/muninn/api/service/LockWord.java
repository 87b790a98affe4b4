package io.muninn.api.service;

import java.util.concurrent.TimeoutException;

/**
 * A lock as one node sees it: free, held by a thread of the node, or elsewhere. It knows nothing of
 * re-entrance.
 *
 * <p><b>Errors.</b> What waits throws {@link io.muninn.api.NodeLostException} when a node is lost
 * and {@link io.muninn.api.DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface LockWord {
    /**
     * Takes the lock if that needs nobody else.
     *
     * @throws IllegalStateException if the calling thread is no application thread
     */
    boolean take();

    /** Gives the lock up; the calling thread has taken or acquired it. */
    void free();

    /** Waits for the lock; an interrupt is kept for later. */
    void acquire();

    /**
     * Waits for the lock; an interrupt ends the wait.
     *
     * @param limitNanos negative for no limit
     * @return true if the lock is held now, also when the interrupt came too late; the thread is
     *     still interrupted
     * @throws TimeoutException if the time ran out
     */
    boolean acquireInterruptibly(long limitNanos) throws TimeoutException;
}
