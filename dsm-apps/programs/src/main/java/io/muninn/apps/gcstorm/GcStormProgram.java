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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Application threads fault continuously while other threads of the same processes allocate and
 * force garbage collections. A thread that faults in compiled code cannot reach a safepoint until
 * the fault is resolved. If resolving a fault needed a thread of this process, the first collection
 * would deadlock.
 *
 * <p>In every round each thread stores to its elements of pages to which other nodes also store,
 * increments words under a lock, and adds to conventional pages that all nodes access. Optionally
 * it also calls a shipped object on the last node, which adds to a word. Each protocol that merges
 * stores has its own variables, except for the conventional pages; words under the lock are also on
 * a migratory page. The expected sums are known.
 */
public final class GcStormProgram implements DsmProgram {
    private static final int PAGES = 8;
    private static final int PAGE_INTS = 1024;
    private static final int PAGE_LONGS = 512;
    private static final int CALLS = 8;
    private static final int REPORT = 0;

    /** The shipped object. */
    private interface Tally {
        void add(long amount);
    }

    /** Protocols under which nodes store to a page at the same time. */
    private static final List<Protocol> MERGING =
            List.of(Protocol.WRITE_SHARED, Protocol.HOME_BASED, Protocol.LAZY, Protocol.HYBRID);

    /**
     * The variables of one of these protocols.
     *
     * @param tallied a word to which only the shipped object stores
     */
    private record Merged(
            Protocol protocol, IntArray elements, LongArray locked, LongArray tallied) {
        static Merged allocate(DsmNode node, Protocol protocol) {
            String of = " of " + protocol.word();
            return new Merged(
                    protocol,
                    node.allocate("elements" + of, IntArray.of(PAGES * PAGE_INTS), protocol),
                    node.allocate("locked" + of, LongArray.of(PAGE_LONGS), protocol),
                    node.allocate("tallied" + of, LongArray.of(1), protocol));
        }

        void store(DsmNode node) {
            int positions = node.positions();
            for (int i = node.position(); i < elements.length(); i += positions) {
                elements.set(i, elements.get(i) + 1);
            }
        }

        static void add(LongArray words, int index, long amount) {
            words.set(index, words.get(index) + amount);
        }
    }

    @Shared(Protocol.CONVENTIONAL)
    private final LongArray contended = LongArray.of(PAGES * PAGE_LONGS);

    @Shared(Protocol.MIGRATORY)
    private final LongArray locked = LongArray.of(PAGE_LONGS);

    /** The last round, when the root has decided on it; written one barrier before it is read. */
    @Shared private final LongArray lastRound = LongArray.of(1);

    private final int seconds;
    private final boolean ships;
    private volatile List<Merged> merged = List.of(); // to be verified

    /** The text that each node sends to the root at the end. */
    private String report = "";

    /**
     * @param seconds duration in seconds, at least 1
     * @param ships whether threads also call the shipped object
     */
    public GcStormProgram(int seconds, boolean ships) {
        this.seconds = seconds;
        this.ships = ships;
    }

    @Override
    public void run(DsmNode node) {
        List<Merged> all = new ArrayList<>();
        MERGING.forEach(protocol -> all.add(Merged.allocate(node, protocol)));
        merged = all;
        if (node.thread() != 0) {
            storm(node, all);
            return;
        }
        try (Collections collections = Collections.start()) {
            storm(node, all);
            collections.stop();
            report(node, collections);
        }
    }

    private void storm(DsmNode node, List<Merged> all) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        DsmBarrier roundDone = node.barrier("round");
        Tally tally =
                ships
                        ? node.shipped("tally", Tally.class, node.nodes() - 1, () -> tally(all))
                        : _ -> {};
        int round = 0;
        long last;
        do {
            round++;
            all.forEach(each -> each.store(node));
            increment(node, all);
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

    private void increment(DsmNode node, List<Merged> all) {
        DsmLock lock = node.lock("locked");
        for (int i = 0; i < PAGES; i++) {
            lock.lock();
            try {
                Merged.add(locked, i, 1);
                for (Merged each : all) {
                    Merged.add(each.locked(), i, 1);
                }
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

    private static Tally tally(List<Merged> all) {
        return amount -> all.forEach(each -> Merged.add(each.tallied(), 0, amount));
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
                String.format(
                        Locale.ROOT,
                        "%d rounds, %d faults, %d forced collections, the longest %.1f ms",
                        lastRound.get(0),
                        faults,
                        count,
                        longest / 1e6);
    }

    @Override
    public Verdict verify(DsmNode root) {
        long rounds = lastRound.get(0);
        long perWord = rounds * root.positions();
        for (int page = 0; page < PAGES; page++) {
            if (contended.get(page * PAGE_LONGS) != perWord) {
                return wrong(
                        "conventional page " + page, contended.get(page * PAGE_LONGS), perWord);
            }
            if (locked.get(page) != perWord) {
                return wrong("migratory word " + page, locked.get(page), perWord);
            }
        }
        for (Merged each : merged) {
            Verdict verdict = verify(each, rounds, perWord);
            if (!verdict.right()) {
                return verdict;
            }
        }
        return Verdict.right(report);
    }

    private Verdict verify(Merged each, long rounds, long perWord) {
        String word = each.protocol().word();
        for (int i = 0; i < each.elements().length(); i++) {
            if (each.elements().get(i) != rounds) {
                return wrong(word + " element " + i, each.elements().get(i), rounds);
            }
        }
        for (int i = 0; i < PAGES; i++) {
            if (each.locked().get(i) != perWord) {
                return wrong(word + " word " + i, each.locked().get(i), perWord);
            }
        }
        long calls = ships ? perWord * CALLS : 0;
        return each.tallied().get(0) == calls
                ? Verdict.right(report)
                : wrong("the " + word + " sum of all calls", each.tallied().get(0), calls);
    }

    private static Verdict wrong(String what, long actual, long expected) {
        return Verdict.wrong(what + " is " + actual + ", not " + expected);
    }
}
