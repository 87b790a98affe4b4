package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A reader-writer lock of the whole cluster: any number of threads may hold its {@linkplain
 * #readLock read lock} at a time, or one thread its {@linkplain #writeLock write lock}.
 *
 * <p><b>Consistency.</b> Locking either lock is an acquire; unlocking the write lock is a release.
 * Stores made before an unlock of the write lock are visible to loads made after the next lock of
 * either lock, on any node. Unlocking the read lock is no release: it does not publish the stores
 * of its thread, also those to variables that the lock does not guard. A thread that stores takes
 * the write lock.
 *
 * <p><b>Order.</b> Requests are granted first in, first out; consecutive readers are granted
 * together. A reader that arrives after a waiting writer waits for it, on every node. Both locks
 * are re-entrant: a thread that holds one of them acquires it again at once. A thread that holds
 * the write lock may take the read lock, and keeps it when it unlocks the write lock: a downgrade,
 * with no other writer in between. The reverse, an upgrade, is refused: two readers that upgrade
 * would wait for each other.
 *
 * <p><b>Cost.</b> A node keeps the permission to read until a writer wants the lock. Until then its
 * threads lock and unlock the read lock by two atomic operations on memory, without a call or a
 * message. Otherwise a lock costs a request and a grant, and one return; a writer costs a recall
 * and a return for each node that has permission to read. The node that manages the lock, which is
 * computed from its name, sends itself no messages.
 *
 * <p><b>Errors.</b> Every method that waits throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed. An upgrade throws {@link
 * IllegalStateException}, and an unlock by a thread that does not hold the lock {@link
 * IllegalMonitorStateException}; both name the lock and the node. {@link Lock#newCondition} throws
 * {@link UnsupportedOperationException} for both locks; a {@link DsmLock} has conditions.
 *
 * <p><b>Threads.</b> Its locks are held by application threads, not by nodes. Any application
 * thread may use it.
 *
 * <p>Source: {@link java.util.concurrent.locks.ReentrantReadWriteLock} in its fair mode.
 * Departures: permission to read stays on a node after its readers have left, and an upgrade throws
 * instead of waiting for ever.
 */
public interface DsmReadWriteLock extends ReadWriteLock {
    /** The name by which it was obtained. */
    String name();

    /**
     * Returns the lock for threads that only load. {@link Lock#tryLock()} takes it if that needs no
     * other node or thread: this thread holds the lock already, or this node has permission to
     * read. It sends no message and does not wait; {@code false} does not imply that a thread holds
     * the write lock.
     */
    @Override
    Lock readLock();

    /**
     * Returns the lock for threads that store.
     *
     * <p>{@link Lock#tryLock()} takes it if that needs no other node: a node never keeps the
     * permission to write, so in a cluster it succeeds only if this thread holds the write lock
     * already. {@link Lock#tryLock(long, TimeUnit)} asks the other nodes. A thread whose time runs
     * out no longer keeps readers from the lock.
     */
    @Override
    Lock writeLock();

    /** The number of holds of the read lock by the calling thread. */
    int readHoldCount();

    /** The number of holds of the write lock by the calling thread. */
    int writeHoldCount();

    /** True if the calling thread holds the write lock. */
    default boolean isWriteLockedByCurrentThread() {
        return writeHoldCount() > 0;
    }
}
