package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * TSP in shared memory with a queue that stays on the root: threads call the queue remotely instead
 * of taking a lock and fetching the queue. The shortest tour is shared as in {@link TspShared}.
 *
 * <p>Source: Munin §8.
 */
final class TspShipped implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final IntArray distances;

    @Shared(Protocol.WRITE_SHARED)
    private final IntArray shortest;

    private final TspProblem problem;

    TspShipped(TspProblem problem) {
        this.problem = problem;
        int cities = problem.cities();
        distances = IntArray.of(cities * cities);
        shortest = IntArray.of(cities + 1);
    }

    @Override
    public void initialize(DsmNode root) {
        int[] all = problem.instance().distances();
        distances.copyFrom(0, all, 0, all.length);
        new ShortestTour(shortest).reset();
    }

    @Override
    public void run(DsmNode node) {
        int[] copy = new int[distances.length()];
        distances.copyTo(0, copy, 0, copy.length);
        TourQueue queue =
                node.shipped(
                        "tours", TourQueue.class, () -> HeapTourQueue.local(problem, node::work));
        SharedSearch search = new SharedSearch(node, shortest, problem.refreshUnits());
        TourSolver solver = new TourSolver(problem.cities(), copy, search);
        int[] begin = queue.take(search.shortest());
        while (begin.length > 0) {
            solver.solve(begin);
            begin = queue.take(search.shortest());
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return new ShortestTour(shortest).verify(problem.instance());
    }
}
