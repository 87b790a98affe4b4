package io.muninn.verify.program;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program whose pages move with their locks, overtake requests for them, and
 * arrive before the images that answer these. In each round three nodes take turns, each after a
 * letter of the previous one. Usually the first stores to the page; the third requests a copy, by a
 * load or a prefetch; the second stores to the page in a critical section of its lock, and the
 * third enters the next one. So the page arrives at the third node with the lock from the second,
 * while a slower copy may be in transit from the first. Then all three perform random operations,
 * before and after the copy arrives: sections, stores to words of their own, loads, prefetches. In
 * some rounds all operations are random.
 *
 * <p>Loads outside of sections are ordered by letters only: a value may be older than the last
 * store, never than that of an earlier load.
 */
final class Journeys {
    private static final int PAGES_MAX = 2;
    private static final int THREADS = 2; // of a node, for each page
    private static final int ROUNDS_MIN = 4;
    private static final int ROUNDS_MAX = 16;
    private static final int AFTER_MAX = 9;
    private static final int STRAY_ONE_IN = 8;
    private static final int WORDS = 3;
    private static final int TOUCHES_MAX = 2;
    private static final int WORK_ONE_IN_MAX = 8;
    private static final int WORK_NANOS_MAX = 100_000;

    /** The operations of a node's turn. */
    private enum Act {
        NOTHING,
        SECTION,
        STORE,
        ASK,
        LOAD;

        private static final List<Act> ALL = List.of(values());
    }

    /** The turns in which a page overtakes a copy. */
    private static final List<Act> OVERTAKING =
            List.of(Act.STORE, Act.NOTHING, Act.ASK, Act.NOTHING, Act.SECTION, Act.SECTION);

    private final Random random;
    private final int nodes;
    private final int pages;
    private final int threads; // of each node
    private final int workOneIn;
    private final Scripts scripts;
    private long lastValue;
    private long lastSerial;

    private Journeys(long seed, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        pages = 1 + random.nextInt(PAGES_MAX);
        workOneIn = 1 + random.nextInt(WORK_ONE_IN_MAX);
        threads = THREADS * pages;
        scripts = new Scripts(nodes * threads);
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos) {
        return new Journeys(seed, nodes).write(protocol, holdNanos);
    }

    private Program write(Protocol protocol, long holdNanos) {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        int[] last = new int[pages]; // threads whose turn it is
        for (int i = 0; i < rounds; i++) {
            for (int page = 0; page < pages; page++) {
                last[page] = writeRound(page, last[page]);
            }
        }
        RegionSpec region =
                new RegionSpec(
                        0,
                        "words",
                        protocol,
                        0,
                        (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        RandomLayout.home(random, protocol),
                        List.of());
        return new Program(nodes, threads, holdNanos, List.of(region), initial(), scripts.all());
    }

    private List<Op.Store> initial() {
        return random.ints(random.nextInt(pages * WORDS + 1), 0, pages * WORDS)
                .distinct()
                .mapToObj(word -> new Op.Store(word(word % pages, word / pages), ++lastValue))
                .toList();
    }

    private int writeRound(int page, int last) {
        List<Integer> ring = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
        Collections.shuffle(ring, random);
        int turns = OVERTAKING.size() + random.nextInt(AFTER_MAX);
        int from = last;
        for (int turn = 0; turn < turns; turn++) {
            int to = ring.get(turn % Math.min(nodes, 3)) * threads + THREADS * page;
            passOn(from, to);
            boolean isStray = turn >= OVERTAKING.size() || random.nextInt(STRAY_ONE_IN) == 0;
            Act any = Act.ALL.get(random.nextInt(Act.ALL.size()));
            act(isStray ? any : OVERTAKING.get(turn), to, page);
            from = to;
        }
        return from;
    }

    private void act(Act act, int thread, int page) {
        int unit = scripts.beginUnit();
        workSometimes(unit, thread);
        switch (act) {
            case NOTHING -> {}
            case SECTION -> writeSection(unit, thread, page);
            case STORE -> {
                Variable own = word(page, WORDS + thread);
                scripts.add(unit, thread, new Op.Store(own, ++lastValue));
            }
            case LOAD -> scripts.load(unit, thread, word(page, random.nextInt(WORDS)));
            case ASK -> {
                if (random.nextInt(4) > 0) {
                    Mode mode = random.nextBoolean() ? Mode.READ : Mode.WRITE;
                    scripts.add(unit, thread, new Op.Prefetch(new PageId(0, page), 1, mode));
                } else { // by another thread, which waits
                    tell(thread, thread + 1);
                    Variable word = word(page, random.nextInt(WORDS));
                    scripts.load(scripts.beginUnit(), thread + 1, word);
                }
            }
        }
    }

    private void writeSection(int unit, int thread, int page) {
        LockId lock = new LockId("lock" + page);
        scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
        for (int touches = random.nextInt(TOUCHES_MAX); touches >= 0; touches--) {
            Variable word = word(page, random.nextInt(WORDS));
            if (random.nextInt(4) == 0) {
                scripts.load(unit, thread, word);
            } else {
                scripts.add(unit, thread, new Op.Store(word, ++lastValue));
            }
            workSometimes(unit, thread);
        }
        scripts.add(unit, thread, new Op.Release(lock));
    }

    private void passOn(int from, int to) {
        if (from != to) {
            tell(from, to);
        }
    }

    private void tell(int from, int to) {
        int unit = scripts.beginUnit();
        int tag = from * nodes * threads + to;
        scripts.add(unit, from, new Op.Send(to / threads, tag, ++lastSerial));
        scripts.add(unit, to, new Op.Receive(from / threads, tag));
    }

    private void workSometimes(int unit, int thread) {
        if (random.nextInt(workOneIn) == 0) {
            long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
    }

    private static Variable word(int page, int index) {
        return new Variable(new PageId(0, page), index * Long.BYTES, Long.BYTES);
    }
}
