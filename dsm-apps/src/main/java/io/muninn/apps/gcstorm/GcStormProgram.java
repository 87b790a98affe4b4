package io.muninn.apps.gcstorm;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.concurrent.TimeUnit;

/**
 * Application threads fault without pause while other threads of the same processes allocate and
 * force collections. A thread that faults in compiled code cannot reach a safepoint until the fault
 * is resolved; if resolving it ever needed a thread of this process, the first collection would
 * hang it.
 *
 * <p>Every round each thread stores to its elements of write-shared pages, increments words of a
 * migratory page under a lock, and adds to conventional pages that all nodes want; on demand it
 * also calls a shipped object on the last node, which adds to a write-shared word. The sums are
 * known.
 */
public final class GcStormProgram implements DsmProgram {
    private static final int PAGES = 8;
    private static final int PAGE_INTS = 1024;
    private static final int PAGE_LONGS = 512;
    private static final int CALLS = 8;
    private static final int REPORT = 0;

    /** What calls are shipped to. */
    private interface Tally {
        void add(long amount);
    }

    @Shared(Protocol.WRITE_SHARED)
    private final IntArray elements = IntArray.of(PAGES * PAGE_INTS);

    @Shared(Protocol.CONVENTIONAL)
    private final LongArray contended = LongArray.of(PAGES * PAGE_LONGS);

    @Shared(Protocol.MIGRATORY)
    private final LongArray locked = LongArray.of(PAGE_LONGS);

    /** Only the shipped object stores to it. */
    @Shared(Protocol.WRITE_SHARED)
    private final LongArray tallied = LongArray.of(1);

    /** The last round, once the root has decided; written one barrier before it is read. */
    @Shared private final LongArray lastRound = LongArray.of(1);

    private final int seconds;
    private final boolean ships;

    /** What the nodes tell the root at the end. */
    private String report = "";

    /**
     * @param seconds how long, at least 1
     * @param ships whether functions are shipped, too
     */
    public GcStormProgram(int seconds, boolean ships) {
        this.seconds = seconds;
        this.ships = ships;
    }

    @Override
    public void run(DsmNode node) {
        if (node.thread() != 0) {
            storm(node);
            return;
        }
        try (Collections collections = Collections.start()) {
            storm(node);
            collections.stop();
            report(node, collections);
        }
    }

    private void storm(DsmNode node) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        DsmBarrier roundDone = node.barrier("round");
        Tally tally =
                ships ? node.shipped("tally", Tally.class, node.nodes() - 1, this::tally) : _ -> {};
        int round = 0;
        long last;
        do {
            round++;
            store(node);
            increment(node);
            contend();
            for (int call = 0; call < CALLS; call++) {
                tally.add(1);
            }
            if (node.position() == 0 && lastRound.get(0) == 0 && System.nanoTime() >= deadline) {
                lastRound.set(0, round);
            }
            roundDone.await();
            last = lastRound.get(0);
        } while (last == 0 || round < last);
    }

    private void store(DsmNode node) {
        int positions = node.positions();
        for (int i = node.position(); i < elements.length(); i += positions) {
            elements.set(i, elements.get(i) + 1);
        }
    }

    private void increment(DsmNode node) {
        DsmLock lock = node.lock("locked");
        for (int i = 0; i < PAGES; i++) {
            lock.lock();
            try {
                locked.set(i, locked.get(i) + 1);
            } finally {
                lock.unlock();
            }
        }
    }

    private void contend() {
        for (int page = 0; page < PAGES; page++) {
            contended.getAndAdd(page * PAGE_LONGS, 1);
        }
    }

    private Tally tally() {
        return amount -> tallied.set(0, tallied.get(0) + amount);
    }

    private void report(DsmNode node, Collections collections) {
        Messages messages = node.messages();
        long faults = node.statistics().readFaults() + node.statistics().writeFaults();
        long count = collections.count();
        long longest = collections.longestNanos();
        if (!node.isRoot()) {
            messages.send(0, REPORT, faults, count, longest);
            return;
        }
        for (int other = 1; other < node.nodes(); other++) {
            long[] theirs = messages.receive(other, REPORT).longs();
            faults += theirs[0];
            count += theirs[1];
            longest = Math.max(longest, theirs[2]);
        }
        report =
                "%d rounds, %d faults, %d forced collections, the longest %.1f ms"
                        .formatted(lastRound.get(0), faults, count, longest / 1e6);
    }

    @Override
    public Verdict verify(DsmNode root) {
        long rounds = lastRound.get(0);
        long perWord = rounds * root.positions();
        for (int i = 0; i < elements.length(); i++) {
            if (elements.get(i) != rounds) {
                return wrong("write-shared element " + i, elements.get(i), rounds);
            }
        }
        for (int page = 0; page < PAGES; page++) {
            if (contended.get(page * PAGE_LONGS) != perWord) {
                return wrong(
                        "conventional page " + page, contended.get(page * PAGE_LONGS), perWord);
            }
            if (locked.get(page) != perWord) {
                return wrong("migratory word " + page, locked.get(page), perWord);
            }
        }
        long calls = ships ? perWord * CALLS : 0;
        if (tallied.get(0) != calls) {
            return wrong("the sum of all calls", tallied.get(0), calls);
        }
        return Verdict.right(report);
    }

    private static Verdict wrong(String what, long actual, long expected) {
        return Verdict.wrong(what + " is " + actual + ", not " + expected);
    }
}
