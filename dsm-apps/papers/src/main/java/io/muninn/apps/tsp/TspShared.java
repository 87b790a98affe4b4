package io.muninn.apps.tsp;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.StructArray;
import io.muninn.api.Verdict;

/**
 * TSP in shared memory. A thread takes the lock of the queue and expands partial tours until it
 * finds one that it can complete without division. Then it releases the lock and completes the
 * tour.
 *
 * <p>Only the holder of the lock adds tours, and it releases the lock only after taking a tour or
 * when the queue is empty. So a thread that finds the queue empty is done, and no condition
 * variable is needed.
 *
 * <p>One unit of {@link DsmNode#work} is one city tried as the next of a tour, or one distance read
 * for a lower bound.
 *
 * <p>Source: Munin §6.3.
 */
final class TspShared implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final IntArray distances;

    @Shared(Protocol.WRITE_SHARED)
    private final StructArray tours;

    @Shared(Protocol.MIGRATORY)
    private final LongArray queue;

    @Shared(Protocol.WRITE_SHARED)
    private final IntArray shortest;

    /** Number of partial tours taken by all threads; accessed only if they are counted. */
    @Shared(Protocol.MIGRATORY)
    private final LongArray looked = LongArray.of(1);

    private final TspProblem problem;

    TspShared(TspProblem problem) {
        this.problem = problem;
        int cities = problem.cities();
        distances = IntArray.of(cities * cities);
        tours = StructArray.of(HeapTourQueue.layout(problem), problem.slots());
        queue = LongArray.of(problem.slots() + 1);
        shortest = IntArray.of(cities + 1);
    }

    @Override
    public void initialize(DsmNode root) {
        int[] all = problem.instance().distances();
        distances.copyFrom(0, all, 0, all.length);
        new ShortestTour(shortest).reset();
        queue(root, all).reset();
    }

    @Override
    public void run(DsmNode node) {
        int[] copy = new int[distances.length()];
        distances.copyTo(0, copy, 0, copy.length);
        HeapTourQueue tourQueue = queue(node, copy);
        SharedSearch search = new SharedSearch(node, shortest, problem.refreshUnits());
        TourSolver solver = new TourSolver(problem.cities(), copy, search);
        DsmLock lock = node.lock("queue");
        int[] begin = take(lock, tourQueue, search);
        while (begin.length > 0) {
            solver.solve(begin);
            begin = take(lock, tourQueue, search);
        }
        if (problem.counts()) {
            count(node.lock("looked"), search.units());
        }
    }

    private void count(DsmLock lock, long units) {
        lock.lock();
        try {
            looked.set(0, looked.get(0) + units);
        } finally {
            lock.unlock();
        }
    }

    private HeapTourQueue queue(DsmNode node, int[] copy) {
        HeapTourQueue.Memory memory = new HeapTourQueue.Memory(tours, queue);
        return new HeapTourQueue(problem, copy, memory, node::work);
    }

    private static int[] take(DsmLock lock, TourQueue queue, TourSearch search) {
        lock.lock();
        try {
            return queue.take(search.shortest());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        Verdict verdict = new ShortestTour(shortest).verify(problem.instance());
        if (!problem.counts() || !verdict.right()) {
            return verdict;
        }
        return Verdict.right(verdict.detail() + "; partial tours looked at: " + looked.get(0));
    }
}
