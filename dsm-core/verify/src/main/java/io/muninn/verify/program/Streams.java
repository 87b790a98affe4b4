package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose threads access regions page by page, so that read-ahead is used:
 * pages that the root has initialized, and pages to which nodes store words of their own. A stream
 * begins anywhere, sometimes skips a page, and ends early. In some rounds nodes store to many
 * pages, release, and load them again at once: pages are requested, singly or by read-ahead, from
 * nodes whose own updates are in transit.
 *
 * <p>Loads are not ordered: a value may be older than the last store, never than that of an earlier
 * load.
 */
final class Streams {
    private static final int PAGES_MIN = 9; // more than fit one batch
    private static final int PAGES_MAX = 40;
    private static final int THREADS_MAX = 2;
    private static final int ROUNDS_MIN = 3;
    private static final int ROUNDS_MAX = 10;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int CONSTANTS = 0;
    private static final int WORDS = 1;

    private final Random random;
    private final Protocol constants; // of pages that only the initialization stores to
    private final Protocol protocol; // of the words
    private final int nodes;
    private final int threads;
    private final int pages;
    private final Scripts scripts;
    private long lastValue;

    private Streams(long seed, Protocol constants, Protocol protocol, int nodes) {
        random = new Random(seed);
        this.constants = constants;
        this.protocol = protocol;
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        pages = PAGES_MIN + random.nextInt(PAGES_MAX - PAGES_MIN);
        scripts = new Scripts(nodes * threads);
    }

    /**
     * @param constants protocol of the pages that only the initialization stores to
     * @param protocol of the pages to which all nodes store
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol constants, Protocol protocol, int nodes, long holdNanos) {
        return new Streams(seed, constants, protocol, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        List<Op.Store> initial = new ArrayList<>();
        for (int page = 0; page < pages; page++) {
            initial.add(new Op.Store(word(CONSTANTS, page, 0), ++lastValue));
        }
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            for (int thread = 0; thread < nodes * threads; thread++) {
                work(thread);
                switch (random.nextInt(4)) {
                    case 0 -> load(CONSTANTS, thread);
                    case 1 -> load(WORDS, thread);
                    case 2 -> store(thread);
                    default -> {
                        store(thread);
                        release(thread, random.nextInt(nodes));
                        load(WORDS, thread);
                    }
                }
            }
            if (random.nextBoolean()) {
                meet(i);
            }
        }
        List<RegionSpec> regions =
                List.of(
                        region(CONSTANTS, "constants", constants),
                        region(WORDS, "words", protocol));
        return new Program(nodes, threads, holdNanos, regions, initial, scripts.all());
    }

    private void load(int region, int thread) {
        int begin = random.nextInt(3) == 0 ? random.nextInt(pages) : 0;
        int end = random.nextInt(3) == 0 ? begin + random.nextInt(pages - begin) : pages;
        for (int page = begin; page < end; page++) {
            if (random.nextInt(12) > 0) {
                int word = region == CONSTANTS ? 0 : random.nextInt(nodes * threads);
                scripts.load(scripts.beginUnit(), thread, word(region, page, word));
            }
        }
    }

    private void store(int thread) {
        int begin = random.nextInt(3) == 0 ? random.nextInt(pages) : 0;
        int step = random.nextInt(3) == 0 ? 2 : 1;
        for (int page = begin; page < pages; page += step) {
            int unit = scripts.beginUnit();
            scripts.add(unit, thread, new Op.Store(word(WORDS, page, thread), ++lastValue));
        }
    }

    private void release(int thread, int lock) {
        int unit = scripts.beginUnit();
        LockId id = new LockId("lock" + lock);
        scripts.add(unit, thread, new Op.Acquire(id, Op.FOR_EVER));
        scripts.add(unit, thread, new Op.Release(id));
    }

    private void meet(int round) {
        int unit = scripts.beginUnit();
        BarrierId barrier = new BarrierId("round" + round);
        for (int thread = 0; thread < nodes * threads; thread++) {
            scripts.add(unit, thread, new Op.Await(barrier, Event.ALL_PARTIES));
        }
    }

    private void work(int thread) {
        if (random.nextBoolean()) {
            long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
            scripts.add(scripts.beginUnit(), thread, new Op.Work(nanos));
        }
    }

    private static Variable word(int region, int page, int index) {
        return new Variable(new PageId(region, page), index * Long.BYTES, Long.BYTES);
    }

    private RegionSpec region(int index, String name, Protocol ofRegion) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(
                index,
                name,
                ofRegion,
                index * bytes,
                bytes,
                Long.BYTES,
                1,
                RandomLayout.home(random, ofRegion),
                List.of());
    }
}
