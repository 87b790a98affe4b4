package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock of the whole cluster. Taking it is an acquire and giving it up a release: stores made
 * before {@link #unlock} are seen by loads made after the next {@link #lock}, on whichever node
 * that is.
 *
 * <p><b>Order.</b> Re-entrant: a thread that holds the lock takes it again at once, and gives it up
 * with the last {@link #unlock}. Between nodes first come, first served; threads of the node that
 * has the token may go first, a bounded number of times.
 *
 * <p><b>Cost.</b> The last holder takes the lock again without a message.
 *
 * <p><b>Errors.</b> Every method that waits throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Held by an application thread, not by a node. Any application thread may use
 * it.
 *
 * <p>Source: Munin §3.5.1 (distributed queue, probable owners).
 */
public interface DsmLock extends Lock {
    /** The name it was asked for by. */
    String name();

    /** True if the calling thread holds the lock. */
    boolean isHeldByCurrentThread();

    /**
     * How often the calling thread has taken the lock and not given it up, 0 if it does not hold
     * it.
     */
    int holdCount();

    /** Takes the lock, waiting as long as it takes; an interrupt is kept for later. */
    @Override
    void lock();

    /**
     * Takes the lock, or ends the wait at an interrupt.
     *
     * @throws InterruptedException if interrupted before or while waiting; the lock is then not
     *     held
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Takes the lock if that needs nobody else: this thread holds it, or the token lies on this
     * node unused. Sends no message and does not wait, so {@code false} does not say that the lock
     * is held anywhere.
     */
    @Override
    boolean tryLock();

    /**
     * Takes the lock if it comes within the time. A token that arrives later is passed on.
     *
     * @return false if the time ran out
     * @throws InterruptedException if interrupted before or while waiting; the lock is then not
     *     held
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Gives the lock up.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     */
    @Override
    void unlock();

    /**
     * Not offered.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("lock " + name() + " has no conditions");
    }
}
