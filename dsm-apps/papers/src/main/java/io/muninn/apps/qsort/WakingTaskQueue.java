package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The task queue for function shipping: a {@link TaskRing} in local memory, which initially
 * contains the whole array, and a FIFO queue of waiting threads.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class WakingTaskQueue implements TaskQueue {
    private final int threads;
    private final TaskRing ring;
    private final ArrayDeque<Integer> sleepers = new ArrayDeque<>();

    /**
     * @param threads number of threads that take tasks, on all nodes
     */
    WakingTaskQueue(QsortProblem problem, int threads) {
        this.threads = threads;
        this.ring = new TaskRing(IntArray.local(TaskRing.elements(problem.tasks())));
        ring.put(problem.all());
    }

    @Override
    public Placed put(Band task) {
        if (!ring.put(task)) {
            return new Full();
        }
        return sleepers.isEmpty() ? new Kept() : new Awaited(wake());
    }

    @Override
    public Answer take(int thread) {
        if (!ring.isEmpty()) {
            return new Work(ring.take());
        }
        if (!ring.isFinished() && ring.waiting() < threads - 1) {
            sleepers.add(thread);
            ring.waiting(ring.waiting() + 1);
            return new Wait();
        }
        ring.finish();
        List<Integer> all = List.copyOf(sleepers);
        sleepers.clear();
        return new NoMore(all);
    }

    /**
     * Removes the thread to be woken. It no longer counts as waiting, since it may take a task
     * before the wake-up message arrives.
     */
    private int wake() {
        ring.waiting(ring.waiting() - 1);
        return sleepers.remove();
    }
}
