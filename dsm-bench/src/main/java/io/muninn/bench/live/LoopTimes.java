package io.muninn.bench.live;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Team;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Times of parallel loops. Each node has the pages of its own elements only.
 *
 * <pre>
 * loop-N          on N nodes, one element per node, with an empty body
 * loop-N-by-hand  no loop construct: each node adds to its part of 10^6 elements, then a barrier
 * loop-N-each     the same as a parallel loop over all elements
 * </pre>
 */
final class LoopTimes {
    private static final int ELEMENTS = 1_000_000;

    /**
     * One in so many of the usual samples, because a round over all elements takes a millisecond.
     */
    private static final int SAMPLES_SHARE = 10;

    private final DsmNode node;
    private final Effort effort;
    private final Recorder recorder;
    private final String empty;
    private final String byHand;
    private final String each;

    LoopTimes(DsmNode node, Effort effort, Recorder recorder) {
        this.node = node;
        this.effort = effort;
        this.recorder = recorder;
        this.empty = "loop-" + node.nodes();
        this.byHand = empty + "-by-hand";
        this.each = empty + "-each";
    }

    /** Measures. Called on every node, by its one thread. */
    void run() {
        if (!recorder.wants(empty, byHand, each)) {
            return;
        }
        DoubleArray elements =
                node.allocate("looped", DoubleArray.of(ELEMENTS), Protocol.WRITE_SHARED);
        if (recorder.wants(byHand)) {
            measureByHand(elements);
        }
        try {
            new Loops(elements).run(node);
        } catch (Exception cause) {
            throw new DsmException("the loops of the measurement failed", cause);
        }
    }

    private Series slow(String name) {
        return effort.firstSeries(name, Math.max(1, effort.samples() / SAMPLES_SHARE));
    }

    private void measureByHand(DoubleArray elements) {
        Series series = slow(byHand);
        DsmBarrier barrier = node.barrier("looped");
        Band own = Band.of(ELEMENTS, node.id(), node.nodes());
        Rounds rounds = new Rounds(node, 1, series);
        barrier.await();
        while (rounds.next()) {
            long begin = System.nanoTime();
            addByHand(elements, own.from(), own.to());
            barrier.await();
            series.add(System.nanoTime() - begin);
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }

    private static void addByHand(DoubleArray elements, int begin, int end) {
        for (int i = begin; i < end; i++) {
            elements.set(i, elements.get(i) + 1);
        }
    }

    /** The sequential part runs on the root, which measures. */
    private final class Loops implements LoopProgram {
        private final Loop<None, None> nothing = Loop.each(_ -> {});
        private final Loop<None, None> add;

        Loops(DoubleArray elements) {
            add = Loop.each(i -> elements.set(i, elements.get(i) + 1));
        }

        @Override
        public void run(Team team) {
            if (recorder.wants(empty)) {
                measure(team, nothing, node.nodes(), effort.series(empty));
            }
            if (recorder.wants(each)) {
                measure(team, add, ELEMENTS, slow(each));
            }
        }

        private void measure(Team team, Loop<None, None> loop, int count, Series series) {
            for (int rounds = 1; !series.isFull(); rounds++) {
                long begin = System.nanoTime();
                team.forEach(0, count, loop);
                series.add(System.nanoTime() - begin);
                boolean isBatch = rounds % series.batchOperations() == 0;
                if (!series.hasBegun() && isBatch && series.isWarm()) {
                    series.begin();
                }
            }
            recorder.add(series);
        }
    }
}
