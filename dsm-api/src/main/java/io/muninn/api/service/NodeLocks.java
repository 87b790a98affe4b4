package io.muninn.api.service;

import io.muninn.api.DsmLock;
import io.muninn.api.spi.NodeChecks;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
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
    private final Map<String, NodeLock> locks = new LinkedHashMap<>(); // guarded by the monitor

    public NodeLocks(int node, LockLink link) {
        this.node = node;
        this.link = link;
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
        NodeChecks.checkLocks(node, locks.size(), name);
        NodeLock opened = new NodeLock(link, lock);
        locks.put(name, opened);
        return opened;
    }

    /**
     * Names of the locks that the calling thread holds, in order of opening, without the turns of
     * shipped objects.
     */
    synchronized List<String> held() {
        return locks.values().stream()
                .filter(NodeLock::isHeldByCurrentThread)
                .map(NodeLock::name)
                .filter(name -> !ObjectId.isTurn(new LockId(name)))
                .toList();
    }

    /** How often the calling thread holds each lock; locks that it does not hold are left out. */
    synchronized Map<String, Integer> holds() {
        Map<String, Integer> holds = new LinkedHashMap<>();
        for (NodeLock lock : locks.values()) {
            if (lock.isHeldByCurrentThread()) {
                holds.put(lock.name(), lock.holdCount());
            }
        }
        return holds;
    }

    /**
     * Releases the locks that the calling thread has acquired since, and has not released.
     *
     * @param before an earlier result of {@link #holds}
     * @return names of the locks, in order of opening
     */
    List<String> releaseSince(Map<String, Integer> before) {
        List<NodeLock> left;
        synchronized (this) {
            left =
                    locks.values().stream()
                            .filter(lock -> lock.holdCount() > before.getOrDefault(lock.name(), 0))
                            .toList();
        }
        for (NodeLock lock : left) {
            for (int more = lock.holdCount() - before.getOrDefault(lock.name(), 0);
                    more > 0;
                    more--) {
                lock.unlock();
            }
        }
        return left.stream().map(NodeLock::name).toList();
    }
}
