package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * A read fault of a weak page, beside the write fault that makes a twin. With {@code --pool} both
 * are resolved by the trap of the thread, which copies a page. The root measures.
 *
 * <pre>
 * pool-read    a load from a weak page that the other node has written
 * pool-write   a store to a readable write-shared page, for which a twin is made
 * </pre>
 */
final class PooledFaults implements Section {
    private static final String READ = "pool-read";
    private static final String WRITE = "pool-write";
    private static final int PAGES = 64;

    /** A page is stored to in one of so many intervals, too rarely for its twin to be kept. */
    private static final int SETS = 12;

    private static final int OTHER = 1;

    private final PageOrder order = new PageOrder(PAGES);

    @Override
    public String name() {
        return "pool";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        if (!recorder.wants(READ, WRITE)) {
            return;
        }
        TimedAccess.warmUp();
        LongArray weak = pages(node, "pool-read", Protocol.WEAK);
        LongArray shared = pages(node, "pool-write", Protocol.WRITE_SHARED);
        for (int i = 0; i < SETS * PAGES; i++) {
            shared.getVolatile(i * PageOrder.PAGE_ELEMENTS); // copies on both nodes
        }
        DsmBarrier barrier = node.barrier("pool");
        Series read = effort.series(READ);
        Series write = effort.series(WRITE);
        CpuTimes cpu = CpuTimes.of(node, read);
        CpuTimes cpuOfWrite = CpuTimes.of(node, write);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, PAGES, read, write);
        while (rounds.next()) {
            int round = rounds.count();
            int first = round % SETS * PAGES * PageOrder.PAGE_ELEMENTS;
            if (node.id() == OTHER) {
                store(weak, first, round);
            }
            barrier.await();
            if (node.isRoot()) {
                cpu.begin();
                for (int i = 0; i < PAGES; i++) {
                    read.add(TimedAccess.load(weak, first + order.element(i), round));
                }
                cpu.end();
                cpuOfWrite.begin();
                for (int i = 0; i < PAGES; i++) {
                    write.add(TimedAccess.store(shared, first + order.element(i), round));
                }
                cpuOfWrite.end();
            }
            barrier.await();
            if (node.id() == OTHER) {
                load(shared, first, round);
            }
        }
        if (node.isRoot()) {
            check(node.statistics().since(before), rounds.count());
            recorder.add(read, cpu.perOperation(PAGES));
            recorder.add(write, cpuOfWrite.perOperation(PAGES));
        }
    }

    private static LongArray pages(DsmNode node, String name, Protocol protocol) {
        return node.allocate(name, LongArray.of(SETS * PAGES * PageOrder.PAGE_ELEMENTS), protocol);
    }

    private void store(LongArray array, int first, int round) {
        for (int i = 0; i < PAGES; i++) {
            array.setVolatile(first + order.element(i), round);
        }
    }

    private void load(LongArray array, int first, int round) {
        for (int i = 0; i < PAGES; i++) {
            TimedAccess.load(array, first + order.element(i), round);
        }
    }

    /** Checks that the accesses did fault; otherwise the times do not measure faults. */
    private static void check(Statistics faults, int rounds) {
        long expected = (long) rounds * PAGES;
        if (faults.pagesFetched() < expected || faults.twinsMade() < expected) {
            throw new IllegalStateException(
                    "pool: of "
                            + expected
                            + " loads and stores each, "
                            + faults.pagesFetched()
                            + " fetched a page, and "
                            + faults.twinsMade()
                            + " made a twin");
        }
    }
}
