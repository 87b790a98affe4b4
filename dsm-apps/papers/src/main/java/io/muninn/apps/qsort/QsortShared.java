package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * QSORT in shared memory: an idle thread takes a part from the queue, splits it, and sorts small
 * parts in place. Parts are not aligned to pages, so several threads write to most pages.
 *
 * <p>Source: Munin §6.4.
 */
final class QsortShared implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    private final IntArray array;

    @Shared(Protocol.MIGRATORY)
    private final IntArray tasks;

    private final QsortProblem problem;

    QsortShared(QsortProblem problem) {
        this.problem = problem;
        array = IntArray.of(problem.size());
        tasks = IntArray.of(TaskRing.elements(problem.tasks()));
    }

    @Override
    public void initialize(DsmNode root) {
        problem.fill(array);
        new TaskRing(tasks).put(problem.all());
    }

    @Override
    public void run(DsmNode node) throws InterruptedException {
        SharedTasks queue = new SharedTasks(node, new TaskRing(tasks));
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
