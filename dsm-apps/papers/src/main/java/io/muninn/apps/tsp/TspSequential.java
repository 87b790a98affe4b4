package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Verdict;

/** TSP on one thread of the root. */
final class TspSequential implements DsmProgram {
    private final TspProblem problem;
    private final ShortestTour tour;

    TspSequential(TspProblem problem) {
        this.problem = problem;
        tour = new ShortestTour(IntArray.local(problem.cities() + 1));
        tour.reset();
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        TourQueue queue = HeapTourQueue.local(problem, node::work);
        int[] distances = problem.instance().distances();
        TourSolver solver = new TourSolver(problem.cities(), distances, new Search(tour, node));
        int[] begin = queue.take(tour.length());
        while (begin.length > 0) {
            solver.solve(begin);
            begin = queue.take(tour.length());
        }
    }

    private record Search(ShortestTour tour, DsmNode node) implements TourSearch {
        @Override
        public int shortest() {
            return tour.length();
        }

        @Override
        public void found(int length, int[] cities) {
            tour.offer(length, cities);
        }

        @Override
        public void worked(long units) {
            node.work(units);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return tour.verify(problem.instance());
    }
}
