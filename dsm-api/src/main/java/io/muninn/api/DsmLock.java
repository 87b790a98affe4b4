package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock of the whole cluster. {@link #lock} is an acquire and {@link #unlock} is a release: stores
 * made before an {@code unlock} are visible to loads made after the next {@code lock}, on any node.
 *
 * <p><b>Order.</b> The lock is re-entrant: a thread that holds it acquires it again at once and
 * releases it with the last {@link #unlock}. Requests of different nodes are granted in order of
 * arrival. Threads of the node that has the token may overtake them, a bounded number of times.
 *
 * <p><b>Cost.</b> The node of the last holder acquires the lock again without a message.
 *
 * <p><b>Errors.</b> Every method that waits throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Held by an application thread, not by a node. Any application thread may use
 * it.
 *
 * <p>Source: Munin §3.5.1 (distributed queue, probable owners).
 *
 * @see DsmReadWriteLock for data that many threads load and few store
 */
public interface DsmLock extends Lock {
    /** Largest number of pages that are sent to the next holder together with a lock. */
    int GUARDED_PAGES_MAX = 4;

    /** The name by which it was obtained. */
    String name();

    /** True if the calling thread holds the lock. */
    boolean isHeldByCurrentThread();

    /**
     * The number of holds of the calling thread: acquisitions not yet released, 0 if it does not
     * hold the lock.
     */
    int holdCount();

    /**
     * Acquires the lock, waiting without a limit. An interrupt does not end the wait; it stays
     * pending.
     */
    @Override
    void lock();

    /**
     * Acquires the lock unless the thread is interrupted.
     *
     * @throws InterruptedException if interrupted before or while waiting; the lock is then not
     *     held
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Acquires the lock if that needs no other node or thread: this thread holds it, or this node
     * has the token and no thread holds the lock. Sends no message and does not wait; {@code false}
     * does not imply that a thread holds the lock.
     */
    @Override
    boolean tryLock();

    /**
     * Acquires the lock if it becomes available within the given time. A token that arrives later
     * is passed on.
     *
     * @return false if the time ran out
     * @throws InterruptedException if interrupted before or while waiting; the lock is then not
     *     held
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Releases the lock.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     */
    @Override
    void unlock();

    /**
     * Declares that the threads of this node use some elements only inside sections of this lock.
     * Their pages are sent to the next holder ahead of the lock, from the first section on, if this
     * node has the only copies and no other node waits for them. Without this advice a node detects
     * by itself, but later, which pages it uses under which lock. Advice holds on the node that
     * gives it. It applies to all elements on these pages, and changes nothing that any load may
     * return. It does nothing for an empty range, and in a thread that is no application thread.
     * Where a lock would guard more than {@link #GUARDED_PAGES_MAX} pages, it guards the pages of
     * the most recent calls.
     *
     * @param from first element, of a matrix the first row, as for {@link SharedVariable#prefetch}
     * @param to one past the last element
     * @throws IllegalStateException if the variable's pages do not {@linkplain
     *     Protocol#travelsWithLocks travel with locks}; a run that overrides protocols ignores the
     *     advice instead
     * @throws IllegalArgumentException if the elements are on more than {@link #GUARDED_PAGES_MAX}
     *     pages
     * @throws IndexOutOfBoundsException if there are no such elements
     */
    default void guards(SharedVariable variable, long from, long to) {
        variable.readers(from, to).guardedBy(name());
    }

    /**
     * Returns a condition of this lock. The first call on a node returns condition {@code #0}, the
     * second {@code #1} and so on, regardless of the calling thread. Nodes get the same conditions
     * if each makes the same calls in the same order. Use {@link #newCondition(String)} if several
     * threads of a node create conditions.
     *
     * @return as {@link #newCondition(String)}
     */
    @Override
    Condition newCondition();

    /**
     * Returns the condition of this lock with the given name. A name denotes the same condition on
     * every node and for every thread.
     *
     * <p><b>Order.</b> The semantics are Java's. A thread must hold the lock to await or to signal.
     * A signal wakes the thread of the cluster that has waited longest; it has no effect if no
     * thread waits. Waiting releases all holds of the calling thread and restores them when the
     * wait ends, for any reason. There are no spurious wake-ups, but the program must still test
     * its condition again after a wait: other threads may have held the lock in between.
     *
     * <p>A timeout or an interrupt ends a wait, unless a signal has already selected this thread.
     * Then the wait ends as signalled and an interrupt stays pending, so that no signal is lost. A
     * time limit of zero or less releases the lock to others and returns at once.
     *
     * <p><b>Cost.</b> A wait sends two messages before the lock is released and ends with one more.
     * A signal flushes the thread's stores and then sends two messages, also if no thread waits.
     * Threads of the root node need none of these messages, except the one that ends a wait of
     * another node's thread.
     *
     * <p><b>Errors.</b> {@link IllegalMonitorStateException} if the calling thread does not hold
     * the lock, with the names of both. {@link NodeLostException} when a node is lost; the lock is
     * then not held, and {@link #unlock} does nothing, so that a {@code finally} clause does not
     * hide the exception.
     *
     * <p>Source: Munin §3.5.3. Departure: in Munin a condition is a binary semaphore, here it has
     * the semantics of {@link java.util.concurrent.locks.Condition}.
     *
     * @throws IllegalArgumentException if the name is invalid, see {@link DsmNode}
     */
    Condition newCondition(String name);
}
