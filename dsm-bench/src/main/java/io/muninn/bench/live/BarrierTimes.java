package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * What a barrier takes when nothing was stored and all come as fast as they can: {@code barrier-N}
 * of N nodes.
 */
final class BarrierTimes implements Section {
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
            measure(node, effort.series(name), recorder);
        }
    }

    private static void measure(DsmNode node, Series series, Recorder recorder) {
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
            barrier.await();
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
