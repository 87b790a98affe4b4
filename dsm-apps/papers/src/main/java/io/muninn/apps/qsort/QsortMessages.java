package io.muninn.apps.qsort;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;

/**
 * QSORT with messages: one thread of the root, the first, keeps array and queue, does all
 * splitting, and answers requests with a part that is small enough. Its elements come back, sorted,
 * with the next request.
 *
 * <p>Source: Munin §6.4. Departure: there is no process of its own for the queue. The thread that
 * keeps it sorts like the others, and looks for requests in between.
 */
final class QsortMessages implements DsmProgram {
    /**
     * A request, to the root: thread, index of the first element of the part that comes back, and
     * its elements; none with the first request. 32-bit words, as in all messages of this program.
     */
    static final int REQUEST = 0;

    /**
     * A part to be sorted, for thread 0; for thread <i>i</i> the tag is so much more. Index of the
     * first element, and elements; empty when there will be no more.
     */
    static final int PART = 1;

    private final QsortProblem problem;

    /** Memory on the root alone, from the run on. */
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
