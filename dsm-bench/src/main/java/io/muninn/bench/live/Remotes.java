package io.muninn.bench.live;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteLongs;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Series;

/**
 * Times of operations on remote words, and of a read fault. The root measures; of the table, every
 * second page belongs to it, beginning with the first.
 *
 * <pre>
 * remote-add-own      add() to a word of the root that no other node accesses
 * remote-add-2        the same while the other node, of the same agent, adds to that word: a sample
 *                     counts only if it has done so at least a quarter as often meanwhile
 * remote-get          get() of a word of another agent's node
 * remote-fault        a load from a page that the other node has written
 * remote-add          add() to a word of another agent's node, which is posted; with the fence
 * remote-aggregated   the same by an aggregator, with its close()
 * </pre>
 */
final class Remotes implements Section {
    private static final String ADD_OWN = "remote-add-own";
    private static final String ADD_BOTH = "remote-add-2";
    private static final String GET = "remote-get";
    private static final String FAULT = "remote-fault";
    private static final String ADD = "remote-add";
    private static final String AGGREGATED = "remote-aggregated";

    /** Direct operations of a sample, which is their mean. */
    private static final int DIRECT = 20_000;

    /** The word to which both nodes add. */
    private static final int SHARED = 0;

    /** The word that ends the additions of the other node: it has a cache line of its own. */
    private static final int END = PageOrder.PAGE_ELEMENTS / 2;

    /** Additions of the other node between two looks at that word. */
    private static final int ADDS = 64;

    /** Least additions of the other node during a sample. */
    private static final int OTHERS_MIN = DIRECT / 4;

    /** Samples without them, one after the other, that end the measurement. */
    private static final int ALONE_MAX = 10_000;

    private static final int GETS = 16;
    private static final int POSTS = 200;
    private static final int COLLECTED = 20_000;
    private static final int OTHER = 1;

    /** One in so many of the usual samples, because one is the mean of many operations. */
    private static final int SHARE = 4;

    private final RemoteLongs table;

    /**
     * @param table with a page for each node, at least
     */
    Remotes(RemoteLongs table) {
        this.table = table;
    }

    @Override
    public String name() {
        return "remotes";
    }

    @Override
    public int nodesMin() {
        return 2;
    }

    @Override
    public void run(DsmNode node, Effort effort, Recorder recorder) {
        if (recorder.wants(ADD_OWN)) {
            adds(node, effort, recorder);
        }
        if (recorder.wants(ADD_BOTH)) {
            addsOfBoth(node, effort, recorder);
        }
        if (recorder.wants(GET, FAULT)) {
            gets(node, effort, recorder);
        }
        if (recorder.wants(ADD, AGGREGATED)) {
            posts(node, effort, recorder);
        }
    }

    private static int samples(Effort effort) {
        return effort.samples() / SHARE;
    }

    private void adds(DsmNode node, Effort effort, Recorder recorder) {
        Series series = effort.shortSeries(ADD_OWN, samples(effort));
        DsmBarrier barrier = node.barrier("remotes");
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            if (node.isRoot()) {
                series.add(addNanos(SHARED));
            }
        }
        barrier.await();
        if (node.isRoot()) {
            recorder.add(series);
        }
    }

    private void addsOfBoth(DsmNode node, Effort effort, Recorder recorder) {
        Series series = effort.shortSeries(ADD_BOTH, samples(effort));
        DsmBarrier barrier = node.barrier("remotes");
        Rounds rounds = new Rounds(node, 1, series);
        while (rounds.next()) {
            int round = rounds.count();
            if (node.isRoot()) {
                series.add(addNanosBesideOther());
                table.set(END, round);
            } else if (node.id() == OTHER) {
                addUntil(round);
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(series);
        }
    }

    private void addUntil(int round) {
        while (table.get(END) != round) {
            for (int i = 0; i < ADDS; i++) {
                table.add(SHARED, 1);
            }
        }
    }

    /**
     * The time of a sample during which the other node has added, too.
     *
     * @throws IllegalStateException if there is none, because the nodes do not run at the same time
     */
    private long addNanosBesideOther() {
        for (int i = 0; i < ALONE_MAX; i++) {
            long before = awaitOther();
            long nanos = addNanos(SHARED);
            long others = table.get(SHARED) - before - DIRECT;
            if (others >= OTHERS_MIN) {
                return nanos;
            }
        }
        throw new IllegalStateException(
                ADD_BOTH + ": the nodes never added at the same time; they need two processors");
    }

    /**
     * Waits until the other node adds.
     *
     * @return the sum
     */
    private long awaitOther() {
        long first = table.get(SHARED);
        long now = first;
        while (now == first) {
            Thread.yield();
            now = table.get(SHARED);
        }
        return now;
    }

    private long addNanos(int word) {
        long begin = System.nanoTime();
        for (int i = 0; i < DIRECT; i++) {
            table.add(word, 1);
        }
        return (System.nanoTime() - begin) / DIRECT;
    }

    /** The warm-up is long: both agents compile what a request of one of them runs. */
    private void gets(DsmNode node, Effort effort, Recorder recorder) {
        DsmBarrier barrier = node.barrier("remotes");
        Series get = effort.series(GET);
        Series fault = effort.series(FAULT);
        CpuTimes cpu = CpuTimes.of(node, get);
        CpuTimes cpuOfFault = CpuTimes.of(node, fault);
        PageOrder order = new PageOrder(GETS);
        LongArray pages =
                node.allocate(
                        "remote-pages",
                        LongArray.of(GETS * PageOrder.PAGE_ELEMENTS),
                        Protocol.CONVENTIONAL);
        Rounds rounds = new Rounds(node, GETS, get, fault);
        while (rounds.next()) {
            int round = rounds.count();
            if (node.id() == OTHER) {
                for (int i = 0; i < GETS; i++) {
                    pages.setVolatile(order.element(i), round);
                }
            }
            barrier.await();
            if (node.isRoot()) {
                Pause.untilNothingIsHeld();
                cpu.begin();
                for (int i = 0; i < GETS; i++) {
                    long begin = System.nanoTime();
                    table.get(PageOrder.PAGE_ELEMENTS + i);
                    get.add(System.nanoTime() - begin);
                }
                cpu.end();
                cpuOfFault.begin();
                for (int i = 0; i < GETS; i++) {
                    fault.add(TimedAccess.load(pages, order.element(i), round));
                }
                cpuOfFault.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(get, cpu.perOperation(GETS));
            recorder.add(fault, cpuOfFault.perOperation(GETS));
        }
    }

    private void posts(DsmNode node, Effort effort, Recorder recorder) {
        DsmBarrier barrier = node.barrier("remotes");
        Series posted = effort.shortSeries(ADD, samples(effort));
        Series collected = effort.shortSeries(AGGREGATED, samples(effort));
        CpuTimes cpu = CpuTimes.of(node, posted);
        CpuTimes cpuOfCollected = CpuTimes.of(node, collected);
        Rounds rounds = new Rounds(node, 1, posted, collected);
        while (rounds.next()) {
            if (node.isRoot()) {
                cpu.begin();
                posted.add(postNanos(node));
                cpu.end();
                cpuOfCollected.begin();
                collected.add(collectNanos());
                cpuOfCollected.end();
            }
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(posted, cpu.perOperation(POSTS));
            recorder.add(collected, cpuOfCollected.perOperation(COLLECTED));
        }
    }

    private long postNanos(DsmNode node) {
        long begin = System.nanoTime();
        for (int i = 0; i < POSTS; i++) {
            table.add(PageOrder.PAGE_ELEMENTS + i, 1);
        }
        node.remoteFence();
        return (System.nanoTime() - begin) / POSTS;
    }

    private long collectNanos() {
        long begin = System.nanoTime();
        try (RemoteLongs.Aggregator adds = table.aggregator()) {
            for (int i = 0; i < COLLECTED; i++) {
                adds.add(PageOrder.PAGE_ELEMENTS + i % PageOrder.PAGE_ELEMENTS, 1);
            }
        }
        return (System.nanoTime() - begin) / COLLECTED;
    }
}
