package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose updates cross. Every node has a lock of its own, under which its
 * threads repeatedly store to a word of each page; in between they send letters to each other. The
 * program goes from page to page, because at first no node knows which nodes have a copy. Each
 * letter flushes all stores of its node, while earlier updates are still in transit to nodes that
 * the sender does not know yet. The receiver of a letter loads the sender's word, which may be
 * newer than the letter, but never older. With few pages any node loads, too: copies are given up
 * and fetched again while updates are in transit.
 *
 * <p>Either each node has words of its own, or several nodes store to the same words, each under
 * its own lock. These stores conflict, but no store of one node may be lost to another's.
 *
 * <p>Stores after the last letter are flushed by a timer only.
 */
final class Chatter {
    private static final int PAGES_MAX = 12;
    private static final int PAGES_FEW = 2;
    private static final int PAGES_OF_HOMES = 40;

    /**
     * Consecutive letters: flushes of one page by the root and by the new home are in transit at
     * once.
     */
    private static final int BURST_MAX = 4;

    private static final int GLANCES_MAX = 5;
    private static final int THREADS_MIN = 2;
    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 100;
    private static final int ROUNDS_MAX = 250;
    private static final int WORK_NANOS_MAX = 30_000;
    private static final int PAUSE_ONE_IN = 4;

    private final Random random;
    private final Protocol protocol;
    private final int nodes;
    private final int threads;
    private final long holdNanos;
    private final int words; // of a page
    private final boolean hasHomes;
    private final Scripts scripts;
    private final int pages;
    private long lastValue;
    private long lastSerial;

    private Chatter(long seed, Protocol protocol, int nodes, long holdNanos, boolean conflicts) {
        random = new Random(seed);
        this.protocol = protocol;
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        threads = THREADS_MIN + random.nextInt(THREADS_MAX - THREADS_MIN + 1);
        words = conflicts ? 1 : nodes;
        scripts = new Scripts(nodes * threads);
        hasHomes = ProtocolKind.of(protocol).traits().has(Trait.HOMES);
        int most = hasHomes ? PAGES_OF_HOMES : PAGES_MAX;
        pages = random.nextInt(3) == 0 ? most : 1 + random.nextInt(PAGES_FEW);
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @param conflicts whether nodes store to the same words
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos, boolean conflicts) {
        return new Chatter(seed, protocol, nodes, holdNanos, conflicts).write();
    }

    private Program write() {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            int thread = random.nextInt(nodes * threads);
            int page = i * pages / rounds;
            for (int j = hasHomes ? random.nextInt(BURST_MAX) : 0; j > 0; j--) {
                store(thread, page);
                tell(thread, anyThreadOfAnotherNode(thread / threads), page);
            }
            store(thread, page);
            for (int j = pages <= PAGES_FEW ? random.nextInt(GLANCES_MAX) : 0; j > 0; j--) {
                glance(random.nextInt(nodes * threads), page);
            }
            if (random.nextInt(3) > 0) {
                tell(thread, anyThreadOfAnotherNode(thread / threads), page);
            }
        }
        for (int thread = 0; thread < nodes * threads; thread++) {
            store(thread, random.nextInt(pages));
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private void store(int thread, int page) {
        LockId lock = new LockId("lock" + thread / threads);
        int unit = scripts.beginUnit();
        pauseSometimes(unit, thread);
        scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
        scripts.add(unit, thread, new Op.Store(wordOf(thread / threads, page), ++lastValue));
        scripts.add(unit, thread, new Op.Release(lock));
    }

    /** Adds an unordered load of a copy that may have been given up meanwhile. */
    private void glance(int thread, int page) {
        int unit = scripts.beginUnit();
        pauseSometimes(unit, thread);
        scripts.load(unit, thread, wordOf(random.nextInt(nodes), page));
    }

    private void tell(int from, int to, int page) {
        int unit = scripts.beginUnit();
        int tag = from * nodes * threads + to;
        scripts.add(unit, from, new Op.Send(to / threads, tag, ++lastSerial));
        pauseSometimes(unit, to);
        scripts.add(unit, to, new Op.Receive(from / threads, tag));
        scripts.load(unit, to, wordOf(from / threads, page));
    }

    private void pauseSometimes(int unit, int thread) {
        if (random.nextInt(PAUSE_ONE_IN) == 0) {
            scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
        }
    }

    private int anyThreadOfAnotherNode(int node) {
        int other = (node + 1 + random.nextInt(nodes - 1)) % nodes;
        return other * threads + random.nextInt(threads);
    }

    private Variable wordOf(int node, int page) {
        return new Variable(new PageId(0, page), node % words * Long.BYTES, Long.BYTES);
    }

    private RegionSpec region() {
        return new RegionSpec(
                0,
                "words",
                protocol,
                0,
                (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                Long.BYTES,
                1,
                RandomLayout.home(random, protocol),
                List.of());
    }
}
