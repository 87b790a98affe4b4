package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thread of {@link TspMessages} that requests partial tours and completes them.
 *
 * <p><b>Threads.</b> Confined to one thread.
 */
final class TourAsker implements TourSearch {
    /**
     * Units of work between two polls for shorter tours of other nodes: four times the queue
     * keeper's.
     */
    private static final int POLL_UNITS = 1 << 17;

    private final DsmNode node;
    private final Messages messages;
    private final TourSolver solver;
    private final AtomicInteger shortest;
    private long unitsSincePoll;

    TourAsker(DsmNode node, TspProblem problem, AtomicInteger shortest) {
        this.node = node;
        this.messages = node.messages();
        this.solver = new TourSolver(problem.cities(), problem.instance().distances(), this);
        this.shortest = shortest;
    }

    void run() {
        int[] begin = ask();
        while (begin.length > 0) {
            solver.solve(begin);
            begin = ask();
        }
    }

    private int[] ask() {
        messages.send(0, TspMessages.TO_ROOT, (long) node.thread());
        long[] words = messages.receive(0, TspMessages.TOUR + node.thread()).longs();
        return TourWords.cities(words, 0);
    }

    @Override
    public int shortest() {
        return shortest.get();
    }

    @Override
    public void found(int length, int[] cities) {
        readShortest();
        if (length < shortest.getAndAccumulate(length, Math::min)) {
            messages.send(0, TspMessages.TO_ROOT, TourWords.of(length, cities));
        }
    }

    @Override
    public void worked(long units) {
        node.work(units);
        unitsSincePoll += units;
        if (unitsSincePoll >= POLL_UNITS) {
            readShortest();
        }
    }

    private void readShortest() {
        unitsSincePoll = 0;
        if (node.isRoot()) {
            return; // threads of the root share the keeper's length
        }
        try {
            while (true) {
                long[] words =
                        messages.receive(0, TspMessages.SHORTEST, 0, TimeUnit.NANOSECONDS).longs();
                shortest.accumulateAndGet((int) words[0], Math::min);
            }
        } catch (TimeoutException none) {
            return;
        }
    }
}
