package io.muninn.apps.qsort;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;

/**
 * QSORT with messages: the first thread of the root manages array and queue, splits all parts, and
 * answers requests with a part that is small enough. The next request returns the sorted elements.
 *
 * <p>Source: Munin §6.4. Departure: there is no separate process for the queue. The thread that
 * manages it also sorts, and polls for requests in between.
 */
final class QsortMessages implements DsmProgram {
    /**
     * A request to the root: thread, index of the first element of the returned part, and its
     * elements, which the first request lacks. All messages of this program consist of 32-bit
     * words.
     */
    static final int REQUEST = 0;

    /**
     * A part to be sorted by thread 0: index of the first element, and elements; empty at the end.
     * The tag for thread <i>i</i> is greater by <i>i</i>.
     */
    static final int PART = 1;

    private final QsortProblem problem;

    /** Allocated in the run, on the root only. */
    private IntArray array;

    QsortMessages(QsortProblem problem) {
        this.problem = problem;
        array = IntArray.of(problem.size());
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() == 0) {
            array = IntArray.local(problem.size());
            problem.fill(array);
            new PartKeeper(node, problem, array).run();
        } else {
            new PartAsker(node, problem).run();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return problem.verify(array);
    }
}
