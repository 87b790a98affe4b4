package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Observer;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of loads that are concurrent with a store, in any order of loads, diffs and fetches. */
class LoadRacesTest {
    private static final int SEEDS = Seeds.some(20);
    private static final int NODES = 3;
    private static final int WORDS = 24;
    private static final int PHASES = 3;
    private static final PageId PAGE = new PageId(0, 0);
    private static final LockId LOCK = new LockId("one");
    private static final ReadWriteLockId READERS = new ReadWriteLockId("shared");
    private static final RegionSpec REGION =
            new RegionSpec(
                    0,
                    "shared",
                    Protocol.WRITE_SHARED,
                    0,
                    RegionSpec.MACHINE_PAGE_BYTES,
                    Long.BYTES,
                    1,
                    List.of(new VariableSpec("grid", "long[6][4]", 0, 8 * WORDS)));

    private final Scripts scripts = new Scripts(NODES);
    private long value;

    private TreeMap<Integer, String> reports(long seed) {
        TreeMap<Integer, String> texts = new TreeMap<>();
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(
                new Observer() {
                    @Override
                    public void onRace(PageId page, int offset, String text, boolean isCertain) {
                        assertTrue(isCertain, text);
                        assertFalse(texts.containsKey(offset), text);
                        texts.put(offset, text);
                    }
                });
        Program program = new Program(NODES, 1, 100_000, List.of(REGION), List.of(), scripts.all());
        RandomDelays delays = new RandomDelays(new Random(seed), new Random(seed + 1), NODES);
        ProgramRun.run(program, delays, _ -> {}, observers, Long.MAX_VALUE / 2, true);
        return texts;
    }

    private static Variable word(int index) {
        return new Variable(PAGE, index * Long.BYTES, Long.BYTES);
    }

    private void await(String name) {
        for (int node = 0; node < NODES; node++) {
            scripts.add(0, node, new Op.Await(new BarrierId(name), Event.ALL_PARTIES));
        }
    }

    private void work(int node, long nanos) {
        scripts.add(0, node, new Op.Work(nanos));
    }

    private void store(int node, int word) {
        scripts.add(0, node, new Op.Store(word(word), ++value));
    }

    private void load(int node, int word) {
        scripts.load(0, node, word(word));
    }

    /**
     * In each phase each word has one writer, and perhaps a reader that does not wait for it. With
     * an odd seed nobody has a copy before.
     *
     * @return the places of the words with such a reader
     */
    private TreeSet<Integer> phases(long seed) {
        Random random = new Random(seed);
        for (int node = 0; node < NODES && seed % 2 == 0; node++) {
            load(node, 0);
        }
        TreeSet<Integer> racing = new TreeSet<>();
        for (int phase = 0; phase < PHASES; phase++) {
            await("phase" + phase);
            for (int i = 0; i < WORDS; i++) {
                int writer = random.nextInt(NODES);
                int reader = (writer + 1 + random.nextInt(NODES - 1)) % NODES;
                boolean isRace = random.nextInt(8) == 0;
                work(writer, random.nextInt(20_000));
                if (random.nextBoolean()) {
                    load(writer, i);
                }
                store(writer, i);
                load(writer, i);
                work(reader, random.nextInt(20_000));
                if (isRace) {
                    load(reader, i);
                    racing.add(i * Long.BYTES);
                }
            }
            await("read" + phase);
            for (int i = 0; i < WORDS; i++) {
                load(random.nextInt(NODES), i);
            }
        }
        await("end");
        return racing;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void loadsOfAPhaseWithAStore_areReportedWhateverComesFirst(int seed) {
        TreeSet<Integer> racing = phases(seed);

        TreeMap<Integer, String> reports = reports(seed);

        assertEquals(racing, reports.keySet(), reports::toString);
        assertFalse(racing.isEmpty());
    }

    /** The writer has flushed and holds the page alone; the reader fetches it later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void storeThatIsInTheImage_isKnownToItsReader(int writer) {
        int reader = (writer + 1) % NODES;
        store(writer, 9);
        scripts.add(0, writer, new Op.Await(new BarrierId("of one"), 1)); // a release
        work(reader, 50_000_000);
        load(reader, 9);
        load(reader, 10);
        await("end");

        TreeMap<Integer, String> reports = reports(1);

        assertEquals(List.of(9 * Long.BYTES), List.copyOf(reports.keySet()));
        String text = reports.firstEntry().getValue();
        assertTrue(
                text.startsWith(
                        "grid[2][1] is loaded by one node and stored to by another at the same"
                                + " time: loaded by node "
                                + reader
                                + " after "),
                text);
        assertTrue(
                text.endsWith(", stored to by node " + writer + " before barrier 'of one'"), text);
    }

    /** The image comes from a node that has not stored itself. */
    @Test
    void storeOfAThirdNode_isKnownToAReader() {
        load(0, 1);
        load(1, 1);
        await("begin");
        store(1, 9);
        scripts.add(0, 1, new Op.Await(new BarrierId("of one"), 1));
        work(2, 50_000_000);
        load(2, 9);
        await("end");

        assertEquals(List.of(9 * Long.BYTES), List.copyOf(reports(1).keySet()));
    }

    @Test
    void loadsAndStoresUnderALock_areNotReported() {
        for (int node = 0; node < NODES; node++) {
            for (int i = 0; i < 5; i++) {
                work(node, 10_000L * ((node + 2) * i % 5));
                scripts.add(0, node, new Op.Acquire(LOCK, Op.FOR_EVER));
                load(node, 3);
                store(node, 3);
                scripts.add(0, node, new Op.Release(LOCK));
            }
        }
        await("end");
        for (int seed = 0; seed < SEEDS; seed++) {
            assertEquals(new TreeMap<>(), reports(seed), "seed " + seed);
        }
    }

    /** Readers tell the next writer nothing but what they have loaded. */
    @Test
    void loadsUnderAReaderWriterLock_areNotReported() {
        for (int node = 0; node < NODES; node++) {
            for (int i = 0; i < 6; i++) {
                boolean toWrite = (node + i) % 3 == 0;
                work(node, 10_000L * ((node + 2) * i % 5));
                scripts.add(0, node, new Op.Enter(READERS, toWrite, Op.FOR_EVER));
                load(node, 3);
                if (toWrite) {
                    store(node, 3);
                }
                scripts.add(0, node, new Op.Leave(READERS, toWrite));
            }
        }
        await("end");
        for (int seed = 0; seed < SEEDS; seed++) {
            assertEquals(new TreeMap<>(), reports(seed), "seed " + seed);
        }
    }

    /** A race is a matter of elements, not of pages. */
    @Test
    void otherElementsOfThePage_areNotReported() {
        for (int i = 0; i < 8; i++) {
            for (int node = 0; node < NODES; node++) {
                work(node, 1_000L * (node * i % 5));
                load(node, 3 * i + node);
                store(node, 3 * i + node);
            }
        }
        await("end");
        for (int seed = 0; seed < SEEDS; seed++) {
            assertEquals(new TreeMap<>(), reports(seed), "seed " + seed);
        }
    }
}
