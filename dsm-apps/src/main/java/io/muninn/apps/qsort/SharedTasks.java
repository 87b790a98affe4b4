package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;

/**
 * A task queue in shared memory under a lock. A thread that finds it empty waits for work; when all
 * wait but one, and that one finds it empty, there will be no more.
 *
 * <p><b>Threads.</b> The one it was made for.
 */
final class SharedTasks implements TaskSink {
    /** What nobody has to sort. */
    private static final Band NONE = new Band(0, 0);

    private static final int POLL_UNITS = 100;

    private final DsmNode node;
    private final TaskRing ring;
    private final DsmLock lock;

    SharedTasks(DsmNode node, TaskRing ring) {
        this.node = node;
        this.ring = ring;
        this.lock = node.lock("tasks");
    }

    @Override
    public boolean put(Band task) {
        lock.lock();
        try {
            return ring.put(task);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a task; an empty one says that there will be no more. */
    Band take() {
        lock.lock();
        try {
            while (ring.isEmpty() && !ring.isFinished()) {
                if (ring.waiting() == node.positions() - 1) {
                    ring.finish();
                } else {
                    ring.waiting(ring.waiting() + 1);
                    awaitChange();
                    ring.waiting(ring.waiting() - 1);
                }
            }
            return ring.isFinished() ? NONE : ring.take();
        } finally {
            lock.unlock();
        }
    }

    /** Lets others have the lock. */
    private void awaitChange() {
        lock.unlock();
        node.work(POLL_UNITS);
        lock.lock();
    }
}
