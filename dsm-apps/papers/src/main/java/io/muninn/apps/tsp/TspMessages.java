package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TSP with messages: the first thread of the root manages the queue and answers requests with a
 * partial tour, or with none. A thread that finds a shorter tour sends it to the root, which sends
 * its length to all nodes. Threads of a node share the length that the node knows.
 *
 * <p>Source: Munin §6.3. Departure: there is no separate process for the queue. The thread that
 * manages it also searches, and polls for requests in between. It then also sends the shortest
 * length, once for all shorter tours received since.
 */
final class TspMessages implements DsmProgram {
    /** Tag of requests and shorter tours, sent to the root. */
    static final int TO_ROOT = 0;

    /** Tag of the length of a shorter tour, sent by the root to every other node. */
    static final int SHORTEST = 1;

    /** Tag of a partial tour for thread 0; for thread <i>i</i> it is greater by <i>i</i>. */
    static final int TOUR = 2;

    private final TspProblem problem;

    /** The shortest tour; used on the root only, by the thread that manages the queue. */
    private final ShortestTour tour;

    /** Length of the shortest tour that this node knows. */
    private final AtomicInteger shortest = new AtomicInteger(ShortestTour.NONE);

    TspMessages(TspProblem problem) {
        this.problem = problem;
        tour = new ShortestTour(IntArray.local(problem.cities() + 1));
        tour.reset();
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() == 0) {
            new QueueKeeper(node, problem, tour, shortest).run();
        } else {
            new TourAsker(node, problem, shortest).run();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return tour.verify(problem.instance());
    }
}
