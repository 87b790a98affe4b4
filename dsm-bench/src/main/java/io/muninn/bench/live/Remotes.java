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
 * remote-add-2        the same while the other node, of the same agent, adds to that word
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

    private static final int GETS = 16;
    private static final int POSTS = 200;
    private static final int COLLECTED = 20_000;
    private static final int OTHER = 1;

    /** One in so many of the usual samples, because a round takes a millisecond. */
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
        if (recorder.wants(ADD_OWN, ADD_BOTH)) {
            adds(node, effort, recorder);
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
        DsmBarrier barrier = node.barrier("remotes");
        Series own = effort.shortSeries(ADD_OWN, samples(effort));
        Series both = effort.shortSeries(ADD_BOTH, samples(effort));
        Rounds rounds = new Rounds(node, 1, own, both);
        while (rounds.next()) {
            if (node.isRoot()) {
                own.add(addNanos(0));
            }
            barrier.await();
            long nanos = node.id() <= OTHER ? addNanos(0) : 0;
            both.add(nanos);
            barrier.await();
        }
        if (node.isRoot()) {
            recorder.add(own);
            recorder.add(both);
        }
    }

    private long addNanos(int word) {
        long begin = System.nanoTime();
        for (int i = 0; i < DIRECT; i++) {
            table.add(word, 1);
        }
        return (System.nanoTime() - begin) / DIRECT;
    }

    private void gets(DsmNode node, Effort effort, Recorder recorder) {
        DsmBarrier barrier = node.barrier("remotes");
        Series get = effort.shortSeries(GET, samples(effort));
        Series fault = effort.shortSeries(FAULT, samples(effort));
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
