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
     * A condition of this lock. The first call on a node gives condition {@code #0}, the second
     * {@code #1} and so on, whichever threads make them: nodes mean the same condition if each of
     * them makes the same calls in the same order. Where several threads of a node ask, {@link
     * #newCondition(String)} is the better choice.
     *
     * @return as {@link #newCondition(String)}
     */
    @Override
    Condition newCondition();

    /**
     * The condition of this lock with a name: the same one on every node and for every thread that
     * asks for it by that name.
     *
     * <p><b>Order.</b> Java's semantics: to await or to signal, a thread must hold the lock; a
     * signal wakes who waits and is not remembered; the oldest waiter, wherever it is, comes first.
     * Whoever waits gives the lock up however often it holds it, and holds it as often again when
     * the wait ends, for whatever reason. There are no spurious wake-ups, but as everywhere a
     * condition is tested again after a wait: others may have held the lock in between.
     *
     * <p>A time limit that is over and an interrupt end a wait, unless a signal has chosen this
     * thread before the end of its wait was known: then the wait ends as signalled, and an
     * interrupt is kept for later, so that no signal is lost. A limit of zero or less lets others
     * have the lock and returns at once.
     *
     * <p><b>Cost.</b> A wait: two messages before the lock is given up, one that ends it. A signal:
     * what was stored is flushed; then two messages, also if nobody waits. Nothing of this for
     * threads of the root but the last.
     *
     * <p><b>Errors.</b> {@link IllegalMonitorStateException} if the calling thread does not hold
     * the lock, with the names of both. {@link NodeLostException} when a node is lost: the lock is
     * not held then, and {@link #unlock} does nothing, so that {@code finally} does not hide it.
     *
     * <p>Source: Munin §3.5.3. Departure: there a condition is a binary semaphore, here it is that
     * of {@link java.util.concurrent.locks.Condition}.
     *
     * @throws IllegalArgumentException if the name is empty or longer than 200 bytes
     */
    Condition newCondition(String name);
}
