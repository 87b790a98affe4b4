package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of overlapping stores: kernels report races, and nothing else, in any order of diffs. */
class RacesTest {
    private static final int SEEDS = Seeds.some(20);
    private static final int NODES = 3;
    private static final int WORDS = 24;
    private static final int PHASES = 3;
    private static final LockId LOCK = new LockId("one");
    private static final PageId PAGE = new PageId(0, 0);

    /** Collects reports. */
    private static final class Reports implements Observer {
        final List<String> texts = new ArrayList<>();
        final TreeSet<Integer> offsets = new TreeSet<>();

        @Override
        public void onRace(PageId page, int offset, String text, boolean isCertain) {
            texts.add(text);
            offsets.add(offset);
        }
    }

    private static Reports run(Program program, long seed) {
        Reports reports = new Reports();
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(reports);
        RandomDelays delays =
                new RandomDelays(new Random(seed), new Random(seed + 1), program.nodes());
        ProgramRun.run(program, delays, _ -> {}, observers, Long.MAX_VALUE / 2, true);
        return reports;
    }

    @Test
    void programWithoutDataRaces_isReportedNothingOf() {
        int programs = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program =
                    seed % 3 == 0
                            ? WaitingThreads.of(
                                    seed, List.of(Protocol.WRITE_SHARED), NODES, 100_000)
                            : RandomProgram.of(
                                    seed,
                                    new RandomProgram.Shape(
                                            List.of(Protocol.WRITE_SHARED), NODES, 100_000));
            TreeSet<String> racy = new TreeSet<>();
            for (int order = 0; order < 3; order++) {
                new SequentialRun(program, order).run().forEach(word -> racy.add(word.toString()));
            }
            if (racy.isEmpty()) {
                programs++;
                assertEquals(List.of(), run(program, seed).texts, "seed " + seed);
            }
        }

        assertTrue(programs > SEEDS / 4, programs + " programs without races");
    }

    /** Runs the checker of reported races with random programs. */
    @Test
    void randomPrograms_areReportedRacesOnly() {
        SeededRun.Options options =
                new SeededRun.Options(List.of(Protocol.WRITE_SHARED), 0, true, true, true);
        int found = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Reports reports = new Reports();
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(reports);
            SeededRun.of(seed, options).run(observers);
            found += reports.offsets.size();
        }

        assertTrue(found > SEEDS / 8, found + " races");
    }

    /**
     * In each phase some words are stored to by one node, some by several, some by several under
     * one lock; later phases store to the words of earlier ones. With an odd seed the first store
     * is by the page's sole holder.
     *
     * @param racing receives the places of words that race, unless a lock orders their stores by
     *     chance
     */
    private static Program phases(long seed, boolean locks, TreeSet<Integer> racing) {
        Random random = new Random(seed);
        Scripts scripts = new Scripts(NODES);
        for (int node = 0; node < NODES && seed % 2 == 0; node++) {
            scripts.load(scripts.beginUnit(), node, word(0)); // a copy everywhere
        }
        long value = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            awaitAll(scripts, phase);
            for (int i = 0; i < WORDS; i++) {
                boolean isLocked = locks && random.nextInt(4) == 0;
                int stores = random.nextInt(8) == 0 ? NODES : 1;
                int first = random.nextInt(NODES);
                for (int j = 0; j < stores; j++) {
                    store(random, scripts, (first + j) % NODES, i, ++value, isLocked);
                }
                if (stores > 1 && !isLocked) {
                    racing.add(i * Long.BYTES);
                }
            }
        }
        awaitAll(scripts, PHASES);
        RegionSpec region =
                new RegionSpec(
                        0,
                        "shared",
                        Protocol.WRITE_SHARED,
                        0,
                        RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of(new VariableSpec("grid", "long[6][4]", 0, 8 * WORDS)));
        return new Program(NODES, 1, 100_000, List.of(region), List.of(), scripts.all());
    }

    private static void store(
            Random random, Scripts scripts, int node, int word, long value, boolean isLocked) {
        int unit = scripts.beginUnit();
        scripts.add(unit, node, new Op.Work(random.nextInt(20_000)));
        if (isLocked) {
            scripts.add(unit, node, new Op.Acquire(LOCK, Op.FOR_EVER));
        }
        scripts.add(unit, node, new Op.Store(word(word), value));
        if (isLocked) {
            scripts.add(unit, node, new Op.Release(LOCK));
        }
    }

    private static void awaitAll(Scripts scripts, int phase) {
        for (int node = 0; node < NODES; node++) {
            BarrierId barrier = new BarrierId("phase" + phase);
            scripts.add(0, node, new Op.Await(barrier, Event.ALL_PARTIES));
        }
    }

    private static Variable word(int index) {
        return new Variable(PAGE, index * Long.BYTES, Long.BYTES);
    }

    /** Two diffs that cross, and one that arrives before, between or after the other's stores. */
    @Test
    void storesOfOnePhase_areReportedWhicheverDiffComesFirst() {
        int races = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            TreeSet<Integer> racing = new TreeSet<>();
            Program program = phases(seed, false, racing);

            Reports reports = run(program, seed);

            assertEquals(racing, reports.offsets, "seed " + seed + reports.texts);
            assertEquals(racing.size(), reports.texts.size(), "each element once");
            races += racing.size();
        }

        assertTrue(races > 2 * SEEDS, races + " races");
    }

    /** A node that takes a lock after another one knows the stores of that one. */
    @Test
    void storesThatALockOrders_areNotReported() {
        int races = 0;
        int reported = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            TreeSet<Integer> racing = new TreeSet<>();
            Program program = phases(seed, true, racing);

            Reports reports = run(program, seed);

            assertTrue(racing.containsAll(reports.offsets), "seed " + seed + reports.texts);
            races += racing.size();
            reported += reports.offsets.size();
        }

        assertTrue(reported > races / 2 && reported < races, reported + " of " + races);
    }

    /**
     * Node {@code first} stores to a page that only it holds and releases; the other one fetches
     * the page later, stores to the same element, and has received no notice.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void storeByANodeThatHoldsThePageAlone_isSeen(int first) {
        Scripts scripts = new Scripts(2);
        scripts.add(0, first, new Op.Acquire(LOCK, Op.FOR_EVER));
        scripts.add(0, first, new Op.Store(word(3), 10));
        scripts.add(0, first, new Op.Release(LOCK));
        scripts.add(0, first, new Op.Await(new BarrierId("of one"), 1)); // a release
        scripts.add(0, 1 - first, new Op.Work(50_000_000));
        scripts.add(0, 1 - first, new Op.Store(word(3), 11));
        for (int node = 0; node < 2; node++) {
            scripts.add(0, node, new Op.Await(new BarrierId("end"), Event.ALL_PARTIES));
        }
        Program phased = phases(1, false, new TreeSet<>());
        Program program = new Program(2, 1, 100_000, phased.regions(), List.of(), scripts.all());

        Reports reports = run(program, 1);

        assertEquals(List.of(3 * Long.BYTES), List.copyOf(reports.offsets));
        assertTrue(
                reports.texts.getFirst().contains("10 by node " + first), reports.texts::toString);
    }

    @Test
    void report_namesElementValuesNodesAndPointsOfSynchronization() {
        Scripts scripts = new Scripts(2);
        for (int node = 0; node < 2; node++) {
            scripts.load(0, node, word(0));
            scripts.add(0, node, new Op.Await(new BarrierId("begin"), Event.ALL_PARTIES));
            scripts.add(0, node, new Op.Store(word(9), 70 + node));
            scripts.add(0, node, new Op.Await(new BarrierId("end"), Event.ALL_PARTIES));
        }
        Program phased = phases(1, false, new TreeSet<>());
        Program program = new Program(2, 1, 100_000, phased.regions(), List.of(), scripts.all());

        String text = run(program, 1).texts.getFirst();

        assertTrue(text.startsWith("grid[2][1] is stored to by two nodes"), text);
        assertTrue(text.contains("70 by node 0"), text);
        assertTrue(text.contains("71 by node 1"), text);
        assertTrue(text.contains("barrier 'begin'") || text.contains("barrier 'end'"), text);
    }
}
