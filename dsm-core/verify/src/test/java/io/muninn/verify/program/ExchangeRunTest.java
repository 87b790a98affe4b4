package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An exchange as in FFT, in virtual time: every node stores to every page, all wait at a barrier,
 * and each continues with some of the pages.
 */
class ExchangeRunTest {
    private static final int NODES = 6;
    private static final int PAGES = 48;
    private static final BarrierId EXCHANGED = new BarrierId("exchanged");

    /** A network on which a batch takes longer than the update timeout. */
    private static final MachineModel SLOW =
            new MachineModel(30_000_000, 1_000, 100, 100, 10, 300, 500, 400, 10, 0);

    private static final MachineModel FAST =
            new MachineModel(1_000, 1, 100, 100, 10, 300, 500, 400, 10, 0);

    private static NodeCounts run(MachineModel machine, UpdateRules rules) {
        NodeCounts counts = new NodeCounts();
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(counts);
        ProgramRun.Result result =
                ProgramRun.run(
                        program().withUpdates(rules), Delays.exact(machine), _ -> {}, observers);
        assertTrue(result.completed());
        return counts;
    }

    private static Program program() {
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < NODES; thread++) {
            List<Op> ops = new ArrayList<>();
            for (int page = 0; page < PAGES; page++) {
                ops.add(new Op.Load(of(page, thread), Op.NO_REGISTER));
            }
            ops.add(new Op.Await(EXCHANGED, Event.ALL_PARTIES));
            for (int page = 0; page < PAGES; page++) {
                ops.add(new Op.Store(of(page, thread), 1 + 1_000L * thread + page));
            }
            ops.add(new Op.Await(EXCHANGED, Event.ALL_PARTIES));
            for (int page = thread * PAGES / NODES; page < (thread + 1) * PAGES / NODES; page++) {
                for (int other = 0; other < NODES; other++) {
                    ops.add(new Op.Load(of(page, other), Op.NO_REGISTER));
                }
            }
            scripts.add(ops.stream().map(op -> new Program.Step(0, op)).toList());
        }
        RegionSpec region =
                new RegionSpec(
                        0,
                        "points",
                        Protocol.WRITE_SHARED,
                        0,
                        4096L * PAGES,
                        Long.BYTES,
                        1,
                        List.of());
        return new Program(NODES, 1, 1_000, List.of(region), List.of(), scripts);
    }

    /** Each node has an element of its own on each page. */
    private static Variable of(int page, int thread) {
        return new Variable(new PageId(0, page), Long.BYTES * thread, Long.BYTES);
    }

    @Test
    void onASlowNetwork_copiesEndBeforeAllUpdatesHaveCome() {
        long all = (long) PAGES * NODES * (NODES - 1);

        assertEquals(all, run(SLOW, UpdateRules.PLAIN).of(NodeCounter.DIFFS_APPLIED));
        NodeCounts counts = run(SLOW, UpdateRules.DEFAULT);
        long applied = counts.of(NodeCounter.DIFFS_APPLIED);
        assertTrue(applied < 2 * all / 5, applied + " of " + all);
        long refused = counts.updatesOfPages() - applied;
        long ended = counts.of(NodeCounter.UPDATE_TIMEOUTS);
        assertTrue(refused < 3 * ended / 2, refused + " refused, " + ended + " copies ended");
    }

    @Test
    void onASlowNetwork_copiesOfThoseWhoseBandItIsStay() {
        long firstTouches = run(SLOW, UpdateRules.PLAIN).of(NodeCounter.PAGES_FETCHED);
        NodeCounts counts = run(SLOW, UpdateRules.DEFAULT);

        assertTrue(counts.of(NodeCounter.UPDATE_TIMEOUTS) > PAGES * (NODES - 2));
        assertEquals(firstTouches, counts.of(NodeCounter.PAGES_FETCHED));
    }

    @Test
    void onAFastNetwork_allUpdatesComeWithinTheWindow() {
        NodeCounts counts = run(FAST, UpdateRules.DEFAULT);

        assertEquals(0, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertEquals(PAGES * NODES * (NODES - 1), counts.of(NodeCounter.DIFFS_APPLIED));
    }
}
