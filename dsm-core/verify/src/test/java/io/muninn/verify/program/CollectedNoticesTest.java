package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.NodeCounter;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The notices of home-based pages, in programs with locks only: no node keeps twice the bound, not
 * even a node whose threads acquire nothing.
 */
class CollectedNoticesTest {
    private static final int NODES = 3;
    private static final int PAGES = 6;
    private static final int WORDS = 2; // that threads share on a page
    private static final int SECTIONS = 1_500;
    private static final long BYTES_MAX = 16 << 10;
    private static final long HOLD_NANOS = 20_000;
    private static final long SEED = 1;

    private static final class Counts implements Observer {
        private long collections;
        private long most;

        @Override
        public void onEnd(Simulation simulation) {
            collections = simulation.nodes().getFirst().count(NodeCounter.COLLECTIONS);
            for (var node : simulation.nodes()) {
                most = Math.max(most, node.count(NodeCounter.LAZY_BYTES_MOST));
            }
        }
    }

    /**
     * Each section stores to a word under its lock.
     *
     * @param acquiring nodes whose threads enter sections; others load each page once, at first
     */
    private static Program sections(int acquiring) {
        Random random = new Random(SEED);
        Scripts scripts = new Scripts(NODES);
        for (int thread = acquiring; thread < NODES; thread++) {
            for (int page = 0; page < PAGES; page++) {
                scripts.load(scripts.beginUnit(), thread, word(page, WORDS));
            }
        }
        for (int i = 0; i < SECTIONS; i++) {
            int unit = scripts.beginUnit();
            int thread = random.nextInt(acquiring);
            int page = random.nextInt(PAGES);
            int index = random.nextInt(WORDS);
            LockId lock = new LockId("lock" + page + "of" + index);
            scripts.add(unit, thread, new Op.Acquire(lock, Op.FOR_EVER));
            scripts.load(unit, thread, word(page, index));
            scripts.add(unit, thread, new Op.Store(word(page, index), i + 1));
            scripts.add(unit, thread, new Op.Release(lock));
        }
        RegionSpec region =
                new RegionSpec(
                        0,
                        "shared",
                        Protocol.HOME_BASED,
                        0,
                        (long) PAGES * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        Program program =
                new Program(NODES, 1, HOLD_NANOS, List.of(region), List.of(), scripts.all());
        return program.withUpdates(program.updates().withLazyBytes(BYTES_MAX));
    }

    private static Variable word(int page, int index) {
        return new Variable(new PageId(0, page), index * Long.BYTES, Long.BYTES);
    }

    private static Counts run(Program program) {
        Counts counts = new Counts();
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(counts);
        RandomDelays delays = new RandomDelays(new Random(SEED), new Random(SEED + 1), NODES);
        ProgramRun.run(program, delays, _ -> {}, observers, Long.MAX_VALUE / 2);
        return counts;
    }

    @Test
    void nodesThatMeetAtLocksOnly_keepLessThanTwiceTheBound() {
        Counts counts = run(sections(NODES));

        assertTrue(counts.most > BYTES_MAX, counts.most + " bytes at a time");
        assertTrue(counts.most < 2 * BYTES_MAX, counts.most + " bytes at a time");
        assertTrue(counts.collections > SECTIONS / 200, counts.collections + " collections");
    }

    @Test
    void nodeThatNeverAcquires_takesPartInCollections() {
        Counts counts = run(sections(NODES - 1));

        assertTrue(counts.most < 2 * BYTES_MAX, counts.most + " bytes at a time");
        assertTrue(counts.collections > SECTIONS / 200, counts.collections + " collections");
    }
}
