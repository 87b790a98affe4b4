package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Times of loads and stores that wait for a page. Each access is to one page, by the root, in
 * random order except in scans.
 *
 * <pre>
 * fault-write-local     a store to a readable write-shared page, for which a twin is made
 * fault-read-remote     a load from a page that another node has written
 * fault-scan-remote     time per page of loads from consecutive pages that another node has written
 * fault-stale-P         a load from a page of protocol P that another node, its home, has written
 * fault-stale-N-P       the same, when N nodes have written it, each its own elements
 * fault-write-N-copies  a store to a conventional page of which N other nodes have copies
 * fault-migratory       a load from a migratory page, which moves to the root
 * </pre>
 */
final class Faults implements Section {
    private static final String WRITE_LOCAL = "fault-write-local";
    private static final String READ_REMOTE = "fault-read-remote";
    private static final String MIGRATORY = "fault-migratory";
    private static final String SCAN_REMOTE = "fault-scan-remote";

    private static final int PAGES = 64;

    /** A page is stored to in one of so many intervals, too rarely for its twin to be kept. */
    private static final int SETS = 12;

    /** Least share of the expected faults that must have occurred. */
    private static final double FAULT_SHARE_MIN = 0.9;

    private static final int SCANNED_PAGES = 256;

    /** One scan for so many samples, because the pages of a scan are never freed. */
    private static final int SCANS_SHARE = 50;

    private static final int SCANS_MIN = 8;

    private static final int OTHER = 1;

    private final PageOrder order = new PageOrder(PAGES);

    @Override
    public String name() {
        return "faults";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        TimedAccess.warmUp();
        boolean isPair = node.nodes() == 2;
        if (isPair && recorder.wants(WRITE_LOCAL)) {
            writeLocal(node, effort, recorder);
        }
        if (isPair && recorder.wants(READ_REMOTE)) {
            readRemote(node, effort, recorder);
        }
        if (isPair && recorder.wants(MIGRATORY)) {
            migratory(node, effort, recorder);
        }
        if (isPair && recorder.wants(SCAN_REMOTE)) {
            scanRemote(node, effort, recorder);
        }
        if (recorder.wants(writeCopies(node))) {
            writeCopies(node, effort, recorder);
        }
        for (Protocol protocol : LatePages.WITHOUT_PUSHES) {
            int writers = node.nodes() - 1;
            String stale = "fault-stale-" + (isPair ? "" : writers + "-") + protocol.word();
            if (recorder.wants(stale)) {
                LatePages pages = LatePages.of(OTHER, node, "stale", PAGES, protocol);
                fetch(node, pages, effort.series(stale), recorder);
            }
        }
    }

    private static LongArray pages(DsmNode node, String name, int pages, Protocol protocol) {
        return node.allocate(name, LongArray.of(pages * PageOrder.PAGE_ELEMENTS), protocol);
    }

    private void writeLocal(DsmNode node, Effort effort, Recorder recorder) {
        LongArray array = pages(node, "write-local", SETS * PAGES, Protocol.WRITE_SHARED);
        DsmBarrier barrier = node.barrier("faults");
        Series series = effort.series(WRITE_LOCAL);
        for (int i = 0; i < SETS * PAGES; i++) {
            array.getVolatile(i * PageOrder.PAGE_ELEMENTS); // copies on both nodes
        }
        barrier.await();
        CpuTimes cpu = CpuTimes.of(node, series);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, PAGES, series);
        while (rounds.next()) {
            int round = rounds.count();
            int first = round % SETS * PAGES * PageOrder.PAGE_ELEMENTS;
            if (node.isRoot()) {
                cpu.begin();
                for (int i = 0; i < PAGES; i++) {
                    series.add(TimedAccess.store(array, first + order.element(i), round));
                }
                cpu.end();
            }
            barrier.await();
            if (node.id() == OTHER) {
                for (int i = 0; i < PAGES; i++) {
                    TimedAccess.load(array, first + order.element(i), round);
                }
            }
            barrier.await();
        }
        if (node.isRoot()) {
            check(series, node.statistics().since(before).twinsMade(), rounds.count() * PAGES);
            recorder.add(series, cpu.perOperation(PAGES));
        }
    }

    private void readRemote(DsmNode node, Effort effort, Recorder recorder) {
        LongArray array = pages(node, "read-remote", PAGES, Protocol.CONVENTIONAL);
        Series series = effort.series(READ_REMOTE);
        fetch(node, new LatePages(array, 0), series, recorder);
    }

    private void migratory(DsmNode node, Effort effort, Recorder recorder) {
        LongArray array = pages(node, "hand-over", PAGES, Protocol.MIGRATORY);
        Series series = effort.series(MIGRATORY);
        fetch(node, new LatePages(array, 0), series, recorder);
    }

    /** The other nodes store to every element, then the root loads one element of each page. */
    private void fetch(DsmNode node, LatePages pages, Series series, Recorder recorder) {
        DsmBarrier barrier = node.barrier("faults");
        CpuTimes cpu = CpuTimes.of(node, series);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, PAGES, series);
        int writers = node.nodes() - 1;
        while (rounds.next()) {
            int round = rounds.count();
            if (!node.isRoot()) {
                int end = pages.element(PAGES);
                for (int i = pages.element(0) + node.id() - OTHER; i < end; i += writers) {
                    pages.array().set(i, round);
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpu.begin();
                for (int i = 0; i < PAGES; i++) {
                    int element = pages.element(0) + order.element(i);
                    series.add(TimedAccess.load(pages.array(), element, round));
                }
                cpu.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            check(series, node.statistics().since(before).readFaults(), rounds.count() * PAGES);
            recorder.add(series, cpu.perOperation(PAGES));
        }
    }

    /**
     * Every scan allocates new pages, because copies of pages of the previous scan would be
     * updated.
     */
    private static void scanRemote(DsmNode node, Effort effort, Recorder recorder) {
        int scans = Math.max(SCANS_MIN, effort.samples() / SCANS_SHARE);
        int elements = SCANNED_PAGES * PageOrder.PAGE_ELEMENTS;
        DsmBarrier barrier = node.barrier("faults");
        Series series = effort.shortSeries(SCAN_REMOTE, scans);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            int scan = rounds.count();
            LongArray array = pages(node, "scanned-" + scan, SCANNED_PAGES, Protocol.WRITE_SHARED);
            if (node.id() == OTHER) {
                for (int i = 0; i < elements; i++) {
                    array.set(i, scan);
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
            }
            long begin = System.nanoTime();
            if (node.isRoot()) {
                for (int i = 0; i < elements; i += PageOrder.PAGE_ELEMENTS) {
                    TimedAccess.load(array, i, scan);
                }
            }
            series.add((System.nanoTime() - begin) / SCANNED_PAGES);
            barrier.await();
        }
        if (node.isRoot()) {
            long fetched = node.statistics().since(before).pagesFetched();
            check(series, fetched, rounds.count() * SCANNED_PAGES);
            recorder.add(series);
        }
    }

    private static String writeCopies(DsmNode node) {
        int copies = node.nodes() - 1;
        return "fault-write-" + copies + (copies == 1 ? "-copy" : "-copies");
    }

    private void writeCopies(DsmNode node, Effort effort, Recorder recorder) {
        LongArray array = pages(node, "copies", PAGES, Protocol.CONVENTIONAL);
        DsmBarrier barrier = node.barrier("faults");
        Series series = effort.series(writeCopies(node));
        for (int i = 0; i < PAGES && node.isRoot(); i++) {
            array.setVolatile(order.element(i), 0);
        }
        barrier.await();
        CpuTimes cpu = CpuTimes.of(node, series);
        Statistics before = node.statistics();
        Rounds rounds = new Rounds(node, PAGES, series);
        while (rounds.next()) {
            int round = rounds.count();
            if (!node.isRoot()) {
                for (int i = 0; i < PAGES; i++) {
                    TimedAccess.load(array, order.element(i), round - 1);
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpu.begin();
                for (int i = 0; i < PAGES; i++) {
                    series.add(TimedAccess.store(array, order.element(i), round));
                }
                cpu.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            check(series, node.statistics().since(before).writeFaults(), rounds.count() * PAGES);
            recorder.add(series, cpu.perOperation(PAGES));
        }
    }

    /** Checks that the accesses did fault; otherwise the times do not measure faults. */
    private static void check(Series series, long faults, int accesses) {
        if (faults < FAULT_SHARE_MIN * accesses) {
            throw new IllegalStateException(
                    series.measured().name()
                            + ": "
                            + accesses
                            + " accesses, "
                            + faults
                            + " of which had to wait");
        }
    }
}
