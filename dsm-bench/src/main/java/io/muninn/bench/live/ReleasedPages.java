package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Times of releases that send modified data. The root enters a barrier in which the other node,
 * which has copies of all pages, already waits. The root stores to the pages in every interval.
 *
 * <pre>
 * release-P-C      P dirty write-shared pages, C percent of their words changed
 * interval-P-C     the stores, including their faults, and the release
 * release-P-C-X    the release under protocol X; the other node is the home of the pages
 * interval-P-C-X   the stores and that release
 * </pre>
 */
final class ReleasedPages implements Section {
    private static final int[] PAGES = {1, 16, 256};
    private static final int[] PERCENTS = {1, 10, 100};
    private static final int OTHER = 1;

    /** One in so many of the usual samples, because releases of many pages take milliseconds. */
    private static final int SAMPLES_SHARE = 10;

    private static final int SAMPLES_MIN = 20;

    @Override
    public String name() {
        return "releases";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        int most = PAGES[PAGES.length - 1];
        LongArray array =
                node.allocate(
                        "released",
                        LongArray.of(most * PageOrder.PAGE_ELEMENTS),
                        Protocol.WRITE_SHARED);
        run(node, new LatePages(array, 0), "", effort, recorder);
        for (Protocol protocol : LatePages.PROTOCOLS) {
            LatePages late = LatePages.of(OTHER, node, "released", most, protocol);
            run(node, late, "-" + protocol.word(), effort, recorder);
        }
    }

    private static void run(
            DsmNode node, LatePages late, String suffix, Effort effort, Recorder recorder) {
        long value = 0;
        for (int pages : PAGES) {
            boolean isFirst = true; // code compiled for one page is recompiled for many
            for (int percent : PERCENTS) {
                Work work = new Work(pages, percent, value, suffix);
                if (recorder.wants(work.releaseName(), work.intervalName())) {
                    Series released = series(effort, work.releaseName(), isFirst);
                    Series whole = series(effort, work.intervalName(), isFirst);
                    value = measure(node, late, work, released, whole, recorder);
                    isFirst = false;
                }
            }
        }
    }

    private static Series series(Effort effort, String name, boolean isFirst) {
        int releases = Math.max(SAMPLES_MIN, effort.samples() / SAMPLES_SHARE);
        return isFirst ? effort.firstSeries(name, releases) : effort.series(name, releases);
    }

    /**
     * One kind of release.
     *
     * @param value the value that was stored last
     * @param suffix suffix of the names of its results
     */
    private record Work(int pages, int percent, long value, String suffix) {
        String releaseName() {
            return "release-" + pages + "-" + percent + suffix;
        }

        String intervalName() {
            return "interval-" + pages + "-" + percent + suffix;
        }

        int words() {
            return Math.max(1, PageOrder.PAGE_ELEMENTS * percent / 100);
        }

        /** The index of a changed word. The words are spread evenly over the page. */
        int element(int page, int word) {
            return page * PageOrder.PAGE_ELEMENTS + word * PageOrder.PAGE_ELEMENTS / words();
        }
    }

    private static long measure(
            DsmNode node,
            LatePages pages,
            Work work,
            Series released,
            Series whole,
            Recorder recorder) {
        DsmBarrier begun = node.barrier("released-begun");
        DsmBarrier done = node.barrier("released-done");
        DsmBarrier timed = node.barrier("released-timed");
        long value = work.value();
        CpuTimes cpu = CpuTimes.of(node, released);
        long messages = 0;
        long bytes = 0;
        Rounds rounds = new Rounds(node, 1, released, whole);
        while (rounds.next()) {
            value++;
            begun.await();
            long storing = node.isRoot() ? store(pages, work, value) : 0;
            Statistics before = node.statistics();
            cpu.begin();
            long begin = System.nanoTime();
            done.await();
            long releasing = System.nanoTime() - begin;
            released.add(releasing);
            whole.add(storing + releasing);
            cpu.end();
            Statistics sent = node.statistics().since(before); // those that it waits for
            messages += sent.messages();
            bytes += sent.bytes();
            timed.await(); // else loads of the other node could delay the root on one processor
            if (node.id() == OTHER) {
                load(pages, work, value);
            }
        }
        if (node.isRoot()) {
            released.sent((double) messages / rounds.count(), (double) bytes / rounds.count());
            recorder.add(released, cpu.perOperation(1));
            recorder.add(whole);
        }
        return value;
    }

    /**
     * Stores, waits until the other node is idle, and returns the nanoseconds of the stores alone.
     */
    private static long store(LatePages pages, Work work, long value) {
        long begin = System.nanoTime();
        for (int page = 0; page < work.pages(); page++) {
            for (int word = 0; word < work.words(); word++) {
                pages.array().setVolatile(pages.element(0) + work.element(page, word), value);
            }
        }
        long nanos = System.nanoTime() - begin;
        Pause.untilQuiet();
        return nanos;
    }

    private static void load(LatePages pages, Work work, long value) {
        for (int page = 0; page < work.pages(); page++) {
            TimedAccess.load(pages.array(), pages.element(0) + work.element(page, 0), value);
        }
    }
}
