package io.muninn.apps.qsort;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;

/** QSORT on one thread of the root. */
final class QsortSequential implements DsmProgram {
    private final QsortProblem problem;

    /** Allocated in the run, on the root only. */
    private IntArray array;

    QsortSequential(QsortProblem problem) {
        this.problem = problem;
        array = IntArray.of(problem.size());
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        array = IntArray.local(problem.size());
        problem.fill(array);
        TaskRing queue = new TaskRing(IntArray.local(TaskRing.elements(problem.tasks())));
        Sorter sorter = new Sorter(array, problem.threshold(), queue, node::work);
        queue.put(problem.all());
        while (!queue.isEmpty()) {
            sorter.sort(queue.take());
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return problem.verify(array);
    }
}
