package io.muninn.api.service;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.spi.NodeChecks;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.model.ReadWriteLockId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The locks in use by one node, by name.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public final class NodeLocks {
    private final int node;
    private final LockLink link;
    private final Runnable beforeUnlock;
    private final Map<String, NodeLock> locks = new LinkedHashMap<>(); // guarded by the monitor
    private final Map<String, NodeReadWriteLock> readWriteLocks = new LinkedHashMap<>(); // also
    private final List<HeldLock> all = new ArrayList<>(); // in order of opening; also guarded

    public NodeLocks(int node, LockLink link) {
        this(node, link, () -> {});
    }

    /**
     * @param beforeUnlock called before a thread frees a lock to which it may have stored, or
     *     signals
     */
    NodeLocks(int node, LockLink link, Runnable beforeUnlock) {
        this.node = node;
        this.link = link;
        this.beforeUnlock = beforeUnlock;
    }

    /**
     * Returns the lock with the given name.
     *
     * @throws IllegalArgumentException if the name is invalid
     * @throws IllegalStateException if the node has too many locks
     */
    public synchronized DsmLock lock(String name) {
        NodeLock known = locks.get(name);
        if (known != null) {
            return known;
        }
        LockId lock = new LockId(name);
        checkMore(name);
        NodeLock opened = new NodeLock(node, link, lock, beforeUnlock);
        locks.put(name, opened);
        all.add(opened);
        return opened;
    }

    /**
     * Returns the reader-writer lock with the given name.
     *
     * @throws IllegalArgumentException if the name is invalid
     * @throws IllegalStateException if the node has too many locks
     */
    public synchronized DsmReadWriteLock readWriteLock(String name) {
        NodeReadWriteLock known = readWriteLocks.get(name);
        if (known != null) {
            return known;
        }
        ReadWriteLockId lock = new ReadWriteLockId(name);
        checkMore(name);
        NodeReadWriteLock opened = new NodeReadWriteLock(node, link, lock, beforeUnlock);
        readWriteLocks.put(name, opened);
        all.addAll(opened.halves());
        return opened;
    }

    private void checkMore(String name) {
        NodeChecks.checkLocks(node, locks.size() + readWriteLocks.size(), name);
    }

    /**
     * Names of the locks that the calling thread holds, in order of opening, without the turns of
     * shipped objects. Those of reader-writer locks are the names for chains of calls.
     */
    synchronized List<String> held() {
        return all.stream()
                .filter(lock -> lock.holdCount() > 0)
                .map(HeldLock::chainName)
                .filter(name -> !ObjectId.isTurn(name))
                .distinct()
                .toList();
    }

    /** How often the calling thread holds each lock; locks that it does not hold are left out. */
    synchronized Map<HeldLock, Integer> holds() {
        Map<HeldLock, Integer> holds = new LinkedHashMap<>();
        for (HeldLock lock : all) {
            if (lock.holdCount() > 0) {
                holds.put(lock, lock.holdCount());
            }
        }
        return holds;
    }

    /**
     * Releases the locks that the calling thread has acquired since, and has not released.
     *
     * @param before an earlier result of {@link #holds}
     * @return texts about the locks, in order of opening
     */
    List<String> releaseSince(Map<HeldLock, Integer> before) {
        List<HeldLock> left;
        synchronized (this) {
            left =
                    all.stream()
                            .filter(lock -> lock.holdCount() > before.getOrDefault(lock, 0))
                            .toList();
        }
        for (HeldLock lock : left) {
            for (int more = lock.holdCount() - before.getOrDefault(lock, 0); more > 0; more--) {
                lock.unlock();
            }
        }
        return left.stream().map(HeldLock::text).toList();
    }
}
