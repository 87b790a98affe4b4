package io.muninn.e2e.programs;

import io.muninn.api.Comparison;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.Op;
import io.muninn.api.RemoteDoubles;
import io.muninn.api.RemoteInts;
import io.muninn.api.RemoteLongs;
import io.muninn.api.RemoteStructs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All threads update the same remote words of every home, by every kind of operation: directly
 * where the home is of their agent, by messages elsewhere, one by one, asynchronously and
 * aggregated. No update may be lost or performed twice, and posted operations are performed before
 * what is released behind them.
 */
public final class RemoteMixtures implements DsmProgram {
    private static final StructLayout CELL =
            MemoryLayout.structLayout(
                    ValueLayout.JAVA_DOUBLE.withName("mass"),
                    ValueLayout.JAVA_LONG.withName("count"));
    private static final int PAGE_LONGS = 512;
    private static final int HOMES_MAX = 16;
    private static final int ROUNDS = 300;
    private static final int ADDED = 0;
    private static final int TICKETS = 1;
    private static final int COMPARED = 2;
    private static final int GREATEST = 3;
    private static final int LOCKED = 4;
    private static final int FUTURE = 5;

    @Shared(home = Home.CYCLIC)
    final RemoteLongs table = RemoteLongs.of(HOMES_MAX * PAGE_LONGS);

    @Shared(home = Home.CYCLIC)
    final RemoteInts flags = RemoteInts.of(HOMES_MAX * 2 * PAGE_LONGS);

    @Shared(home = Home.CYCLIC)
    final RemoteDoubles sums = RemoteDoubles.of(HOMES_MAX * PAGE_LONGS);

    @Shared final RemoteStructs cells = RemoteStructs.of(CELL, HOMES_MAX * PAGE_LONGS);
    private final RemoteDoubles mass = cells.doubles("mass");
    private final RemoteLongs count = cells.longs("count");

    @Shared(home = Home.ROOT)
    final RemoteLongs wrong = RemoteLongs.of(1);

    @Override
    public void run(DsmNode node) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            int home = (i + node.position()) % node.nodes();
            int word = home * PAGE_LONGS;
            table.add(word + ADDED, 1);
            table.getAndAdd(word + TICKETS, 1);
            increment(word + COMPARED);
            table.accumulate(word + GREATEST, (long) i * node.positions(), Op.MAX);
            sums.add(word, 0.5);
            mass.add(word, 1.0);
            count.add(word, 2);
        }
        collect(node);
        begin(node);
        lock(node);
        pass(node);
        node.barrier("mixtures").await();
        check(sums.get(0) > 0);
        awaitInVain();
    }

    private void increment(int word) {
        long seen = table.get(word);
        while (true) {
            long found = table.compareAndExchange(word, seen, seen + 1);
            if (found == seen) {
                return;
            }
            seen = found;
        }
    }

    private void collect(DsmNode node) {
        try (RemoteLongs.Aggregator collected = table.aggregator()) {
            for (int i = 0; i < ROUNDS * 10; i++) {
                collected.add(i % node.nodes() * PAGE_LONGS + ADDED, 1);
            }
        }
    }

    private void begin(DsmNode node) {
        List<CompletableFuture<Long>> begun = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            begun.add(table.getAndAddAsync(i % node.nodes() * PAGE_LONGS + FUTURE, 1));
        }
        begun.forEach(CompletableFuture::join);
    }

    /** The lock orders what is not atomic; its release sends what the aggregator has collected. */
    private void lock(DsmNode node) {
        DsmLock lock = node.lock("remote");
        int last = (node.nodes() - 1) * PAGE_LONGS + LOCKED;
        try (RemoteLongs.Aggregator collected = table.aggregator()) {
            for (int i = 0; i < ROUNDS / 10; i++) {
                lock.lock();
                collected.set(last, table.get(last) + 1);
                lock.unlock();
            }
        }
    }

    /**
     * Passes a count around all threads: what is posted before a flag is set is there when the flag
     * is seen.
     */
    private void pass(DsmNode node) {
        int next = (node.position() + 1) % node.positions();
        int data = (node.nodes() - 1) * PAGE_LONGS + 100;
        for (int lap = 1; lap <= 20; lap++) {
            if (node.position() > 0 || lap > 1) {
                int laps = node.position() == 0 ? lap - 1 : lap;
                flags.awaitUntil(flag(node.position()), Comparison.GREATER_OR_EQUAL, laps);
            }
            long expected = (long) (lap - 1) * node.positions() + node.position();
            check(table.get(data) == expected);
            table.add(data, 1);
            flags.set(flag(next), lap);
        }
    }

    private static int flag(int position) {
        return position % HOMES_MAX * 2 * PAGE_LONGS + position;
    }

    private void awaitInVain() {
        try {
            table.awaitUntil(ADDED, Comparison.LESS, 0, 5, TimeUnit.MILLISECONDS);
            check(false);
        } catch (TimeoutException expected) {
            check(true);
        }
    }

    private void check(boolean isRight) {
        if (!isRight) {
            wrong.add(0, 1);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        long each = (long) ROUNDS * root.positions();
        long[] found = new long[6];
        double halves = 0;
        double whole = 0;
        long twos = 0;
        long[] all = new long[root.nodes() * PAGE_LONGS];
        table.get(0, all, 0, all.length);
        for (int home = 0; home < root.nodes(); home++) {
            int word = home * PAGE_LONGS;
            for (int i = 0; i < found.length; i++) {
                found[i] =
                        i == GREATEST
                                ? Math.max(found[i], all[word + i])
                                : found[i] + all[word + i];
            }
            halves += sums.get(word);
            whole += mass.get(word);
            twos += count.get(word);
        }
        boolean isRight =
                found[ADDED] == 11 * each
                        && found[TICKETS] == each
                        && found[COMPARED] == each
                        && found[FUTURE] == each
                        && found[LOCKED] == each / 10
                        && found[GREATEST] == (ROUNDS - 1L) * root.positions()
                        && halves == each / 2.0
                        && whole == each
                        && twos == 2 * each
                        && wrong.get(0) == 0;
        String text =
                String.join(" ", Arrays.toString(found), "" + halves, "" + whole, "" + twos)
                        + ", "
                        + wrong.get(0)
                        + " wrong";
        return isRight ? Verdict.right("all updates are there once") : Verdict.wrong(text);
    }
}
