package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * QSORT in shared memory with a queue that stays on the root: threads call the queue remotely
 * instead of taking a lock and fetching the queue. The array is shared as in {@link QsortShared}.
 *
 * <p>Source: Munin §8.
 */
final class QsortShipped implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    private final IntArray array;

    private final QsortProblem problem;

    QsortShipped(QsortProblem problem) {
        this.problem = problem;
        array = IntArray.of(problem.size());
    }

    @Override
    public void initialize(DsmNode root) {
        problem.fill(array);
    }

    @Override
    public void run(DsmNode node) {
        int threads = node.positions();
        TaskQueue shipped =
                node.shipped("tasks", TaskQueue.class, () -> new WakingTaskQueue(problem, threads));
        ShippedTasks queue = new ShippedTasks(node, shipped);
        Sorter sorter = new Sorter(array, problem.threshold(), queue, node::work);
        Band task = queue.take();
        while (!task.isEmpty()) {
            sorter.sort(task);
            task = queue.take();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return problem.verify(array);
    }
}
