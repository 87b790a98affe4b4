package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TSP with messages: one thread of the root, the first, keeps the queue and answers requests with a
 * tour to be completed, or with none. A thread that finds a shorter tour tells the root, which
 * tells all nodes. Threads of a node share the length that it knows.
 *
 * <p>Source: Munin §6.3. Departure: there is no process of its own for the queue. The thread that
 * keeps it searches like the others, and looks for requests in between; then it also tells of
 * shorter tours, once for all that it has heard of.
 */
final class TspMessages implements DsmProgram {
    /** Requests and shorter tours, to the root. */
    static final int TO_ROOT = 0;

    /** The length of a shorter tour, from the root to every other node. */
    static final int SHORTEST = 1;

    /** A partial tour, for thread 0; for thread <i>i</i> the tag is so much more. */
    static final int TOUR = 2;

    private final TspProblem problem;

    /** On the root, the shortest tour; kept by the thread that keeps the queue. */
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
