package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose pages become hot and cool down again. Several threads of each
 * node store to words of their own on a few pages, in one sweep after the other; sometimes a node
 * stops to store to a page, or begins with another one, for a while. A sweep ends at a barrier, at
 * a letter to the next node, or inside the node at a lock that never leaves it. In between, a word
 * of each page is stored to under a lock that circulates, and any word is loaded.
 *
 * <p>Stores after the last barrier are flushed by a timer only.
 */
final class Sweeps {
    private static final int PAGES_MAX = 3;
    private static final int THREADS_MIN = 2;
    private static final int THREADS_MAX = 3;
    private static final int SWEEPS_MIN = 6;
    private static final int SWEEPS_MAX = 24;
    private static final int WORK_NANOS_MAX = 60_000;
    private static final int TURN_ONE_IN = 5;
    private static final int IDLE_ONE_IN = 5;
    private static final int PAUSE_ONE_IN = 4;
    private static final int GLANCE_ONE_IN = 3;
    private static final int GUARDED_ONE_IN = 4;

    private final Random random;
    private final Protocol protocol;
    private final int nodes;
    private final long holdNanos;
    private final int threads;
    private final int pages;
    private final Scripts scripts;
    private final BitSet writing = new BitSet(); // by node and page
    private long lastValue;
    private long lastSerial;

    private Sweeps(long seed, Protocol protocol, int nodes, long holdNanos) {
        random = new Random(seed);
        this.protocol = protocol;
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        threads = THREADS_MIN + random.nextInt(THREADS_MAX - THREADS_MIN + 1);
        pages = 1 + random.nextInt(PAGES_MAX);
        scripts = new Scripts(nodes * threads);
        for (int i = 0; i < nodes * pages; i++) {
            writing.set(i, random.nextBoolean());
        }
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos) {
        return new Sweeps(seed, protocol, nodes, holdNanos).write();
    }

    private Program write() {
        int sweeps = SWEEPS_MIN + random.nextInt(SWEEPS_MAX - SWEEPS_MIN);
        for (int i = 0; i < sweeps; i++) {
            turn();
            for (int thread = 0; thread < nodes * threads; thread++) {
                sweep(thread);
            }
            endSweep(i);
        }
        for (int thread = 0; thread < nodes * threads; thread++) {
            sweep(thread);
            release(thread);
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private void turn() {
        for (int i = 0; i < nodes * pages; i++) {
            if (random.nextInt(TURN_ONE_IN) == 0) {
                writing.flip(i);
            }
        }
    }

    private void sweep(int thread) {
        int node = thread / threads;
        for (int page = 0; page < pages; page++) {
            int unit = scripts.beginUnit();
            if (random.nextInt(PAUSE_ONE_IN) == 0) {
                scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
            }
            if (random.nextInt(GLANCE_ONE_IN) == 0) {
                scripts.load(unit, thread, word(random.nextInt(nodes * threads + 1), page));
            }
            if (writing.get(node * pages + page) && random.nextInt(IDLE_ONE_IN) > 0) {
                store(unit, thread, word(thread, page));
            }
            if (random.nextInt(GUARDED_ONE_IN) == 0) {
                LockId lock = new LockId("page" + page);
                Variable guarded = word(nodes * threads, page);
                scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
                scripts.load(unit, thread, guarded);
                store(unit, thread, guarded);
                scripts.add(unit, thread, new Op.Release(lock));
            }
        }
    }

    private void endSweep(int sweep) {
        switch (random.nextInt(4)) {
            case 0 -> {
                for (int thread = 0; thread < nodes * threads; thread++) {
                    release(thread);
                }
            }
            case 1 -> {
                int unit = scripts.beginUnit();
                for (int thread = 0; thread < nodes * threads; thread++) {
                    tell(unit, thread, (thread + threads) % (nodes * threads));
                }
                for (int thread = 0; thread < nodes * threads; thread++) {
                    hear(unit, thread, Math.floorMod(thread - threads, nodes * threads));
                }
            }
            default -> {
                int unit = scripts.beginUnit();
                BarrierId barrier = new BarrierId("sweep" + sweep);
                for (int thread = 0; thread < nodes * threads; thread++) {
                    scripts.add(unit, thread, new Op.Await(barrier, Event.ALL_PARTIES));
                }
            }
        }
    }

    /** Adds a release inside the node, which flushes nothing. */
    private void release(int thread) {
        int unit = scripts.beginUnit();
        LockId lock = new LockId("node" + thread / threads);
        scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
        scripts.add(unit, thread, new Op.Release(lock));
    }

    private void tell(int unit, int from, int to) {
        scripts.add(unit, from, new Op.Send(to / threads, from, ++lastSerial));
    }

    private void hear(int unit, int to, int from) {
        scripts.add(unit, to, new Op.Receive(from / threads, from));
        scripts.load(unit, to, word(from, random.nextInt(pages)));
    }

    private void store(int unit, int thread, Variable variable) {
        scripts.add(unit, thread, new Op.Store(variable, ++lastValue));
    }

    private static Variable word(int index, int page) {
        return new Variable(new PageId(0, page), index * Long.BYTES, Long.BYTES);
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
