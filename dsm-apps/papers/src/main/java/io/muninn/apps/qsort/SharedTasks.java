package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import java.util.concurrent.locks.Condition;

/**
 * A task queue in shared memory, protected by a lock. A thread that finds it empty waits for work.
 * If the last thread that does not wait finds it empty, there will be no more tasks.
 *
 * <p><b>Threads.</b> Confined to one thread.
 */
final class SharedTasks implements TaskSink {
    /** The absence of a part. */
    private static final Band NONE = new Band(0, 0);

    private final int threads;
    private final TaskRing ring;
    private final DsmLock lock;
    private final Condition change;

    SharedTasks(DsmNode node, TaskRing ring) {
        this.threads = node.positions();
        this.ring = ring;
        this.lock = node.lock("tasks");
        this.change = lock.newCondition("there is a task, or there will be none");
    }

    @Override
    public boolean put(Band task) {
        lock.lock();
        try {
            boolean isPut = ring.put(task);
            if (isPut && ring.waiting() > 0) {
                change.signal();
            }
            return isPut;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a task; returns an empty one if there will be no more. */
    Band take() throws InterruptedException {
        lock.lock();
        try {
            while (ring.isEmpty() && !ring.isFinished()) {
                if (ring.waiting() == threads - 1) {
                    ring.finish();
                    change.signalAll();
                } else {
                    ring.waiting(ring.waiting() + 1);
                    change.await();
                    ring.waiting(ring.waiting() - 1);
                }
            }
            return ring.isFinished() ? NONE : ring.take();
        } finally {
            lock.unlock();
        }
    }
}
