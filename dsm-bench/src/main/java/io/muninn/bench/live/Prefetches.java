package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Protocol;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Times of prefetches and of the subsequent loads. The pages were written by another node, their
 * home.
 *
 * <pre>
 * prefetch-issue-P   the call for 16 consecutive pages of protocol P
 * prefetch-hit-P     a load from one of them, after all have arrived
 * prefetch-late-P    the call for one page, and an immediate load from it
 * </pre>
 */
final class Prefetches implements Section {
    private static final int PAGES = 64;
    private static final int CALL_PAGES = 16;
    private static final int OTHER = 1;

    private final PageOrder order = new PageOrder(PAGES);

    @Override
    public String name() {
        return "prefetches";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        TimedAccess.warmUp();
        for (Protocol protocol : LatePages.WITHOUT_PUSHES) {
            String suffix = "-" + protocol.word();
            Runnable behind = // returns after all requested pages have arrived
                    node.shipped("behind" + suffix, Runnable.class, OTHER, () -> () -> {});
            LatePages pages = LatePages.of(OTHER, node, "prefetched", PAGES, protocol);
            if (recorder.wants("prefetch-issue" + suffix, "prefetch-hit" + suffix)) {
                Series issued = effort.series("prefetch-issue" + suffix);
                Series hit = effort.series("prefetch-hit" + suffix);
                issue(node, pages, behind, issued, hit, recorder);
            }
            if (recorder.wants("prefetch-late" + suffix)) {
                late(node, pages, effort.series("prefetch-late" + suffix), recorder);
            }
        }
    }

    /** Both series have the same length: the time of a call is added once for each of its pages. */
    private void issue(
            DsmNode node,
            LatePages pages,
            Runnable behind,
            Series issued,
            Series hit,
            Recorder recorder) {
        DsmBarrier barrier = node.barrier("prefetched");
        CpuTimes cpu = CpuTimes.of(node, issued);
        Rounds rounds = new Rounds(node, PAGES, issued, hit);
        while (rounds.next()) {
            int round = rounds.count();
            if (node.id() == OTHER) {
                pages.store(PAGES, -round);
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpu.begin();
                for (int page = 0; page < PAGES; page += CALL_PAGES) {
                    long nanos = prefetch(pages, page, CALL_PAGES);
                    for (int i = 0; i < CALL_PAGES; i++) {
                        issued.add(nanos);
                    }
                }
                cpu.end();
                behind.run();
                for (int i = 0; i < PAGES; i++) {
                    hit.add(load(pages, i, -round));
                }
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(issued, cpu.perOperation(PAGES / CALL_PAGES));
            recorder.add(hit);
        }
    }

    private void late(DsmNode node, LatePages pages, Series series, Recorder recorder) {
        DsmBarrier barrier = node.barrier("prefetched");
        CpuTimes cpu = CpuTimes.of(node, series);
        Rounds rounds = new Rounds(node, PAGES, series);
        while (rounds.next()) {
            int round = rounds.count();
            if (node.id() == OTHER) {
                pages.store(PAGES, round);
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpu.begin();
                for (int i = 0; i < PAGES; i++) {
                    int page = order.element(i) / PageOrder.PAGE_ELEMENTS;
                    series.add(prefetch(pages, page, 1) + load(pages, i, round));
                }
                cpu.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(series, cpu.perOperation(PAGES));
        }
    }

    /** Nanoseconds of the call. */
    private static long prefetch(LatePages pages, int page, int count) {
        long begin = System.nanoTime();
        pages.array().prefetch(pages.element(page), pages.element(page + count));
        return System.nanoTime() - begin;
    }

    private long load(LatePages pages, int turn, long value) {
        return TimedAccess.load(pages.array(), pages.element(0) + order.element(turn), value);
    }
}
