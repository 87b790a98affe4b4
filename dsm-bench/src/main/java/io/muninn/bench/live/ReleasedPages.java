package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * What a release takes that has to send what was stored: the root comes to a barrier in which the
 * other node, which has copies of all pages, waits already. Pages are stored to in every interval.
 *
 * <pre>
 * release-P-C      P dirty write-shared pages, C percent of their words changed
 * interval-P-C     the stores, with their faults, and the release together
 * release-P-C-X    the same under protocol X, the other node being the home of the pages
 * interval-P-C-X   with the stores
 * </pre>
 */
final class ReleasedPages implements Section {
    private static final int[] PAGES = {1, 16, 256};
    private static final int[] PERCENTS = {1, 10, 100};
    private static final int OTHER = 1;

    /** Releases of many pages take milliseconds, and there are nine kinds. */
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
            boolean isFirst = true; // code made for one page is made anew for many
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
     * @param value that was stored last
     * @param suffix of the names of its results
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

        /** Where the changed words are: spread over the page. */
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
            Statistics sent = node.statistics().since(before); // all that the release waits for
            messages += sent.messages();
            bytes += sent.bytes();
            timed.await(); // on one processor, loads of the other node could delay the root
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

    /** Nanoseconds of the stores; returns when all else is quiet. */
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
