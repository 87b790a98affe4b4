package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.function.Consumer;

/**
 * Times of barriers, and of parallel loops, which contain one.
 *
 * <pre>
 * barrier-N       of N nodes; nothing was stored and all arrive as early as they can
 * barrier-N-sum-K the same, and each node contributes K doubles to a sum
 * barrier-N-M-P   each node has stored to its part of M pages of protocol P; all have copies
 * </pre>
 *
 * Also runs {@link LoopTimes}.
 */
final class BarrierTimes implements Section {
    /** One in so many of the usual samples, because a round with notices takes milliseconds. */
    private static final int SAMPLES_SHARE = 10;

    private static final int NODES_WITH_NOTICES = 4;
    private static final int NOTICES = 64;
    private static final int PAIR = 2;
    private static final int[] DOUBLES = {1, 1024};
    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Reduction.Operator.SUM);

    @Override
    public String name() {
        return "barriers";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        String name = "barrier-" + node.nodes();
        if (recorder.wants(name)) {
            measure(node, DsmBarrier::await, effort.series(name), recorder);
        }
        for (int doubles : DOUBLES) {
            String withSum = name + "-sum-" + doubles;
            if (recorder.wants(withSum)) {
                measure(node, summing(doubles), effort.series(withSum), recorder);
            }
        }
        new LoopTimes(node, effort, recorder).run();
        if (node.nodes() == PAIR) {
            int samples = effort.samples();
            measureWithStores(node, PAIR, Protocol.WRITE_SHARED, samples, effort, recorder);
            for (Protocol protocol : LatePages.PROTOCOLS) {
                measureWithStores(node, PAIR, protocol, samples, effort, recorder);
            }
        }
        if (node.nodes() == NODES_WITH_NOTICES) {
            int samples = effort.samples() / SAMPLES_SHARE;
            for (Protocol protocol : LatePages.PROTOCOLS) {
                measureWithStores(node, NOTICES, protocol, samples, effort, recorder);
            }
        }
    }

    private static void measureWithStores(
            DsmNode node,
            int pages,
            Protocol protocol,
            int samples,
            Effort effort,
            Recorder recorder) {
        String name = "barrier-" + node.nodes() + "-" + pages + "-" + protocol.word();
        if (!recorder.wants(name)) {
            return;
        }
        Series series = effort.firstSeries(name, samples);
        int each = pages / node.nodes();
        LatePages own = LatePages.of(node.id(), node, "exchanged", each, protocol);
        LatePages all = new LatePages(own.array(), 0);
        DsmBarrier barrier = node.barrier("exchanged");
        DsmBarrier loaded = node.barrier("exchanged-loaded");
        CpuTimes cpu = CpuTimes.of(node, series);
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            own.store(each, rounds.count());
            Pause.untilQuiet();
            cpu.begin();
            long begin = System.nanoTime();
            barrier.await();
            series.add(System.nanoTime() - begin);
            cpu.end();
            all.load(pages, rounds.count());
            loaded.await();
        }
        if (node.isRoot()) {
            recorder.add(series, cpu.perOperation(1));
        }
    }

    /** A barrier with a sum: of a number for one double, of arrays for more. */
    private static Consumer<DsmBarrier> summing(int doubles) {
        double[] contribution = new double[doubles];
        return doubles == 1
                ? barrier -> barrier.awaitSum(1.0)
                : barrier -> barrier.await(SUMS, contribution);
    }

    /** Times barriers between which nothing is stored. Collective. */
    static void measure(DsmNode node, Consumer<DsmBarrier> wait, Series series, Recorder recorder) {
        DsmBarrier barrier = node.barrier("empty");
        CpuTimes cpu = CpuTimes.of(node, series);
        barrier.await();
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, 1, series);
        int late = 0;
        while (rounds.next()) {
            if (rounds.isFirst()) {
                before = node.statistics();
            }
            if (series.isLate() && late++ == 0) {
                cpu.begin();
            }
            long begin = System.nanoTime();
            wait.accept(barrier);
            series.add(System.nanoTime() - begin);
        }
        cpu.end();
        if (node.isRoot()) {
            Statistics sent = node.statistics().since(before);
            series.sent(
                    (double) sent.messages() / series.samples(),
                    (double) sent.bytes() / series.samples());
            recorder.add(series, cpu.perOperation(late));
        }
    }
}
