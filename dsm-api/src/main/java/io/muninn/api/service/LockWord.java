package io.muninn.api.service;

import java.util.concurrent.TimeoutException;

/**
 * One node's state of a lock: free, held by a thread of the node, or not at this node. It is not
 * re-entrant.
 *
 * <p><b>Errors.</b> Methods that wait throw {@link io.muninn.api.NodeLostException} when a node is
 * lost and {@link io.muninn.api.DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface LockWord {
    /**
     * Takes the lock if that needs no other node or thread.
     *
     * @throws IllegalStateException if the calling thread is not an application thread
     */
    boolean take();

    /** Releases the lock, which the calling thread has taken or acquired. */
    void free();

    /** Waits for the lock. An interrupt stays pending. */
    void acquire();

    /**
     * Waits for the lock. An interrupt ends the wait.
     *
     * @param limitNanos negative for no limit
     * @return true if the lock is now held, also if an interrupt arrived too late; the thread is
     *     still interrupted
     * @throws TimeoutException if the time ran out
     */
    boolean acquireInterruptibly(long limitNanos) throws TimeoutException;
}
