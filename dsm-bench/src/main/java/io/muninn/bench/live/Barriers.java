package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Statistics;

/**
 * What a barrier takes when nothing was stored and all come as fast as they can: {@code barrier-N}
 * of N nodes.
 */
final class Barriers implements Section {
    @Override
    public String name() {
        return "barriers";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, int samples, Recorder recorder) {
        DsmBarrier barrier = node.barrier("empty");
        Series series = new Series("barrier-" + node.nodes(), samples);
        barrier.await();
        Statistics before = node.statistics();
        int rounds = 0;
        while (!series.isFull()) {
            rounds++;
            long begin = System.nanoTime();
            barrier.await();
            series.add(System.nanoTime() - begin);
        }
        if (node.isRoot()) {
            Statistics sent = node.statistics().since(before);
            series.sent((double) sent.messages() / rounds, (double) sent.bytes() / rounds);
            recorder.add(series);
        }
    }
}
