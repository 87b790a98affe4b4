package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;
import java.util.concurrent.locks.Lock;

/**
 * What an acquire takes that makes copies stale.
 *
 * <pre>
 * acquire-N-P   a lock is taken where its token lies unused on another node, which has stored to N
 *               neighbouring pages of protocol P under it; the root has copies of all
 * </pre>
 */
final class Acquires implements Section {
    private static final int[] PAGES = {0, 16, 256};
    private static final int OTHER = 1;

    /** Rounds of many pages take milliseconds. */
    private static final int SAMPLES_SHARE = 10;

    private static final int SAMPLES_MIN = 20;

    @Override
    public String name() {
        return "acquires";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        TimedAccess.warmUp();
        for (Protocol protocol : LatePages.PROTOCOLS) {
            int most = PAGES[PAGES.length - 1];
            LatePages pages = LatePages.of(OTHER, node, "acquired", most, protocol);
            LongArray stored = // the last value
                    node.allocate(
                            "stored-" + protocol.word(), LongArray.of(1), Protocol.CONVENTIONAL);
            for (int count : PAGES) {
                String name = "acquire-" + count + "-" + protocol.word();
                if (recorder.wants(name)) {
                    int samples = Math.max(SAMPLES_MIN, effort.samples() / SAMPLES_SHARE);
                    Series series = effort.firstSeries(name, samples);
                    measure(node, pages, stored, count, series, recorder);
                }
            }
        }
    }

    private static void measure(
            DsmNode node,
            LatePages pages,
            LongArray stored,
            int count,
            Series series,
            Recorder recorder) {
        Lock lock = node.lock("acquired");
        DsmBarrier barrier = node.barrier("acquired");
        CpuTimes cpu = CpuTimes.of(node, series);
        long value = stored.getVolatile(0);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            value++;
            barrier.await();
            if (node.id() == OTHER) {
                lock.lock();
                pages.store(count, value);
                lock.unlock();
                stored.setVolatile(0, value);
            } else {
                awaitWithoutAcquire(stored, value);
                Pause.untilNothingIsHeld();
                cpu.begin();
                long begin = System.nanoTime();
                lock.lock();
                series.add(System.nanoTime() - begin);
                cpu.end();
                pages.load(count, value);
                lock.unlock();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            long stale = node.statistics().since(before).readFaults();
            if (stale < (long) count * rounds.count()) {
                throw new IllegalStateException(
                        series.measured().name() + ": only " + stale + " pages were stale");
            }
            recorder.add(series, cpu.perOperation(1));
        }
    }

    /** Loads from a conventional page until the other node has stored to it. */
    private static void awaitWithoutAcquire(LongArray stored, long value) {
        while (stored.getVolatile(0) != value) {
            Thread.yield();
        }
    }
}
