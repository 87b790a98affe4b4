package io.muninn.bench.live;

import io.muninn.api.ByteArray;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;

/** A ring of tasks in migratory shared memory, protected by a lock. */
final class SharedTaskRing {
    private static final int FIRST = 0;
    private static final int COUNT = 1;

    private final DsmLock lock;
    private final LongArray ends;
    private final ByteArray tasks;
    private final int slots;
    private final int taskBytes;

    /** Creates a full ring. Collective. */
    SharedTaskRing(DsmNode node, int slots, int taskBytes) {
        String name = "tasks-" + taskBytes;
        lock = node.lock(name);
        ends = node.allocate(name + "-ends", LongArray.of(2), Protocol.MIGRATORY);
        tasks = node.allocate(name, ByteArray.of(slots * taskBytes), Protocol.MIGRATORY);
        this.slots = slots;
        this.taskBytes = taskBytes;
        if (node.isRoot()) {
            lock.lock();
            ends.set(COUNT, slots);
            lock.unlock();
        }
    }

    /**
     * Copies the oldest task.
     *
     * @return false if there is none
     */
    boolean take(byte[] task) {
        lock.lock();
        try {
            long count = ends.get(COUNT);
            if (count == 0) {
                return false;
            }
            int slot = (int) ends.get(FIRST);
            tasks.copyTo(slot * taskBytes, task, 0, taskBytes);
            ends.set(FIRST, (slot + 1) % slots);
            ends.set(COUNT, count - 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void put(byte[] task) {
        lock.lock();
        try {
            long count = ends.get(COUNT);
            int slot = (int) ((ends.get(FIRST) + count) % slots);
            tasks.copyFrom(slot * taskBytes, task, 0, taskBytes);
            ends.set(COUNT, count + 1);
        } finally {
            lock.unlock();
        }
    }
}
