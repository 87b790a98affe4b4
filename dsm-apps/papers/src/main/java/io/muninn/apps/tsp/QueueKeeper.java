package io.muninn.apps.tsp;

import io.muninn.api.DsmNode;
import io.muninn.api.Message;
import io.muninn.api.Messages;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The thread of {@link TspMessages} that manages the queue, and also searches.
 *
 * <p><b>Threads.</b> The first thread of the root.
 */
final class QueueKeeper implements TourSearch {
    /** Units of work between two polls for messages: about 100 µs today, 60 ms in 1991. */
    private static final int POLL_UNITS = 1 << 15;

    private final DsmNode node;
    private final Messages messages;
    private final HeapTourQueue queue;
    private final TourSolver solver;
    private final ShortestTour tour;
    private final AtomicInteger shortest;
    private int others;
    private int shortestTold = ShortestTour.NONE;
    private long unitsSincePoll;

    QueueKeeper(DsmNode node, TspProblem problem, ShortestTour tour, AtomicInteger shortest) {
        this.node = node;
        this.messages = node.messages();
        this.queue = HeapTourQueue.local(problem, node::work);
        this.solver = new TourSolver(problem.cities(), problem.instance().distances(), this);
        this.tour = tour;
        this.shortest = shortest;
        this.others = node.positions() - 1;
    }

    void run() {
        int[] begin = queue.take(shortest());
        while (begin.length > 0) {
            solver.solve(begin);
            answerWaiting();
            begin = queue.take(shortest());
        }
        while (others > 0) {
            answer(messages.receive(Messages.ANY, TspMessages.TO_ROOT));
            tellShortest();
        }
    }

    @Override
    public int shortest() {
        return shortest.get();
    }

    @Override
    public void found(int length, int[] cities) {
        if (tour.offer(length, cities)) {
            shortest.accumulateAndGet(length, Math::min);
        }
    }

    /**
     * Sends the current length to all nodes. Not called for every shorter tour, because at first
     * each thread finds dozens of them.
     */
    private void tellShortest() {
        if (tour.length() < shortestTold) {
            shortestTold = tour.length();
            for (int other = 1; other < node.nodes(); other++) {
                messages.send(other, TspMessages.SHORTEST, (long) shortestTold);
            }
        }
    }

    @Override
    public void worked(long units) {
        node.work(units);
        unitsSincePoll += units;
        if (unitsSincePoll >= POLL_UNITS) {
            unitsSincePoll = 0;
            answerWaiting();
        }
    }

    private void answerWaiting() {
        try {
            while (others > 0) {
                answer(
                        messages.receive(
                                Messages.ANY, TspMessages.TO_ROOT, 0, TimeUnit.NANOSECONDS));
            }
        } catch (TimeoutException none) {
            tellShortest();
        }
    }

    private void answer(Message message) {
        long[] words = message.longs();
        if (words.length > 1) {
            found((int) words[0], TourWords.cities(words, 1));
            return;
        }
        int thread = (int) words[0];
        int[] begin = queue.take(shortest());
        messages.send(message.node(), TspMessages.TOUR + thread, TourWords.of(begin));
        if (begin.length == 0) {
            others--;
        }
    }
}
