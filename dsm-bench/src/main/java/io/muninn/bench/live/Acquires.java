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
 * Times of acquires that make copies stale, and of critical sections.
 *
 * <pre>
 * acquire-N-P   lock() while the token is unused on another node, which has stored to N
 *               neighbouring pages of protocol P under it; the root has copies of all
 * section-P     such a lock(), a load and a store of the page that the other node stored to under
 *               it, and unlock()
 * section-4-P   the same with four pages
 * </pre>
 */
final class Acquires implements Section {
    private static final int[] PAGES = {0, 16, 256};
    private static final int[] PAGES_OF_SECTION = {1, 4};
    private static final int OTHER = 1;

    /** Messages of the root in a round: two departures, a lock request and its grant. */
    private static final int ROUND_MESSAGES_MIN = 4;

    /** One in so many of the usual samples, because rounds of many pages take milliseconds. */
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
        for (Protocol protocol : Protocol.values()) {
            for (int pages : PAGES_OF_SECTION) {
                String name = "section-" + (pages == 1 ? "" : pages + "-") + protocol.word();
                if (!protocol.isSealed() && recorder.wants(name)) {
                    LongArray used =
                            node.allocate(
                                    "used-" + name,
                                    LongArray.of(pages * PageOrder.PAGE_ELEMENTS),
                                    protocol);
                    section(node, used, name, effort.series(name), recorder);
                }
            }
        }
        for (Protocol protocol : LatePages.WITHOUT_PUSHES) {
            int most = PAGES[PAGES.length - 1];
            LatePages pages = LatePages.of(OTHER, node, "acquired", most, protocol);
            LongArray stored = stored(node, protocol.word());
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

    /** A variable for the last value that the other node has stored. */
    private static LongArray stored(DsmNode node, String what) {
        return node.allocate("stored-" + what, LongArray.of(1), Protocol.CONVENTIONAL);
    }

    private static void section(
            DsmNode node, LongArray used, String name, Series series, Recorder recorder) {
        LongArray stored = stored(node, name);
        Lock lock = node.lock(name);
        DsmBarrier barrier = node.barrier("acquired");
        CpuTimes cpu = CpuTimes.of(node, series);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            int round = rounds.count();
            barrier.await();
            if (node.id() == OTHER) {
                lock.lock();
                add(used);
                lock.unlock();
                stored.setVolatile(0, round);
            } else if (node.isRoot()) {
                awaitWithoutAcquire(stored, round);
                Pause.untilNothingIsHeld();
                cpu.begin();
                long begin = System.nanoTime();
                lock.lock();
                long sum = add(used);
                lock.unlock();
                series.add(System.nanoTime() - begin);
                cpu.end();
                if (sum != used.length() / PageOrder.PAGE_ELEMENTS * (2L * round - 1)) {
                    throw new IllegalStateException(
                            name + ": " + sum + " stores before round " + round);
                }
            }
            barrier.await();
        }
        if (node.isRoot()) {
            long sent = node.statistics().since(before).messages();
            if (sent < (long) ROUND_MESSAGES_MIN * rounds.count()) {
                throw new IllegalStateException(
                        name + ": the lock stayed, by " + sent + " messages");
            }
            recorder.add(series, cpu.perOperation(1));
        }
    }

    /**
     * Adds 1 to the first element of each page.
     *
     * @return the sum of their previous values
     */
    private static long add(LongArray used) {
        long sum = 0;
        for (int i = 0; i < used.length(); i += PageOrder.PAGE_ELEMENTS) {
            long value = used.getVolatile(i);
            used.setVolatile(i, value + 1);
            sum += value;
        }
        return sum;
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
            } else if (node.isRoot()) {
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

    /**
     * Waits, without an acquire, until another node has stored {@code value}: loads from a
     * conventional page in a loop.
     */
    static void awaitWithoutAcquire(LongArray stored, long value) {
        while (stored.getVolatile(0) != value) {
            Thread.yield();
        }
    }
}
