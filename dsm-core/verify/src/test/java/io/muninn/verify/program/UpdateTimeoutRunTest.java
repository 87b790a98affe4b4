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
 * The savings of the update timeout and of update lists, in virtual time: node 0 stores to a page
 * in every interval, and the other nodes load from it as a test decides.
 */
class UpdateTimeoutRunTest {
    private static final MachineModel MACHINE =
            new MachineModel(1_000, 1, 100, 100, 10, 300, 500, 400, 10, 0);
    private static final PageId PAGE = new PageId(0, 0);
    private static final Variable SHARED = new Variable(PAGE, 8, Long.BYTES);
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final int NODES = 3;
    private static final int INTERVALS = 100;
    private static final long INTERVAL_NANOS = 5_000_000;

    /** The timeout of 50 ms is over after ten intervals, which follow one for the first update. */
    private static final int INTERVALS_OF_WINDOW = 12;

    /** Every update withdraws access, as in Munin. */
    private static final UpdateRules MUNIN = UpdateRules.DEFAULT.withSteadyAccess(false);

    private static NodeCounts run(UpdateRules rules, int everyNode1, int everyNode2) {
        NodeCounts counts = new NodeCounts();
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(counts);
        ProgramRun.Result result =
                ProgramRun.run(
                        program(everyNode1, everyNode2).withUpdates(rules),
                        Delays.exact(MACHINE),
                        _ -> {},
                        observers);
        assertTrue(result.completed());
        return counts;
    }

    /**
     * @param everyNode1 node 1 loads from the page once in this many intervals
     */
    private static Program program(int everyNode1, int everyNode2) {
        List<List<Op>> scripts = new ArrayList<>();
        int[] every = {1, everyNode1, everyNode2};
        for (int thread = 0; thread < NODES; thread++) {
            List<Op> ops = new ArrayList<>();
            for (int interval = 0; interval < INTERVALS; interval++) {
                if (interval % every[thread] == 0) {
                    ops.add(new Op.Load(SHARED, Op.NO_REGISTER));
                }
                ops.add(new Op.Await(SWEEP, Event.ALL_PARTIES));
                if (thread == 0) {
                    ops.add(new Op.Store(SHARED, interval + 1L));
                }
                ops.add(new Op.Work(INTERVAL_NANOS));
                ops.add(new Op.Await(SWEEP, Event.ALL_PARTIES));
            }
            scripts.add(ops);
        }
        RegionSpec region =
                new RegionSpec(
                        0, "shared", Protocol.WRITE_SHARED, 0, 4096, Long.BYTES, 1, List.of());
        return new Program(
                NODES,
                1,
                1_000,
                List.of(region),
                List.of(),
                scripts.stream()
                        .map(ops -> ops.stream().map(op -> new Program.Step(0, op)).toList())
                        .toList());
    }

    @Test
    void copyThatIsUsedInEachInterval_staysAndIsUpdated() {
        NodeCounts counts = run(MUNIN, 1, 1);

        assertEquals(0, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertEquals(2 * INTERVALS, counts.of(NodeCounter.DIFFS_APPLIED));
        assertEquals(INTERVALS - 1, counts.of(NodeCounter.READ_FAULTS) / 2, 1, "local faults");
        assertTrue(counts.of(NodeCounter.PAGES_FETCHED) <= NODES);
    }

    @Test
    void copyThatIsUsedOnce_isNotUpdatedAfterTheWindow() {
        NodeCounts counts = run(MUNIN, 1, INTERVALS);

        assertEquals(1, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        long toNode2 = counts.of(NodeCounter.DIFFS_APPLIED) - INTERVALS;
        assertTrue(toNode2 > 0 && toNode2 <= INTERVALS_OF_WINDOW, toNode2 + " updates");
    }

    @Test
    void withSteadyAccess_copiesThatAreUsedFaultOnceInAWindow() {
        NodeCounts counts = run(UpdateRules.DEFAULT, 1, 1);

        assertEquals(0, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertEquals(2 * INTERVALS, counts.of(NodeCounter.DIFFS_APPLIED));
        long faults = counts.of(NodeCounter.READ_FAULTS) / 2;
        assertEquals(INTERVALS / INTERVALS_OF_WINDOW, faults, 3, "local faults");
    }

    @Test
    void withSteadyAccess_copyThatIsUsedOnceIsNotUpdatedAfterTwoWindows() {
        NodeCounts counts = run(UpdateRules.DEFAULT, 1, INTERVALS);

        assertEquals(1, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        long toNode2 = counts.of(NodeCounter.DIFFS_APPLIED) - INTERVALS;
        assertTrue(
                toNode2 > INTERVALS_OF_WINDOW && toNode2 <= 2 * INTERVALS_OF_WINDOW,
                toNode2 + " updates");
    }

    @Test
    void pageThatOnlyItsWriterUses_isExclusiveAfterTheWindow() {
        NodeCounts counts = run(MUNIN, INTERVALS, INTERVALS);

        assertEquals(2, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertTrue(
                counts.of(NodeCounter.TWINS_MADE) <= INTERVALS_OF_WINDOW,
                counts.of(NodeCounter.TWINS_MADE) + " twins");
    }

    @Test
    void copyThatIsUsedAgainAfterTheWindow_isFetchedAgain() {
        NodeCounts counts = run(MUNIN, 1, INTERVALS / 4);

        assertEquals(4, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertTrue(counts.of(NodeCounter.PAGES_FETCHED) >= 5);
    }

    @Test
    void withoutATimeout_everyCopyIsUpdatedToTheEnd() {
        NodeCounts counts = run(UpdateRules.PLAIN, 1, INTERVALS);

        assertEquals(0, counts.of(NodeCounter.UPDATE_TIMEOUTS));
        assertEquals(2 * INTERVALS, counts.of(NodeCounter.DIFFS_APPLIED));
        assertTrue(counts.of(NodeCounter.READ_FAULTS) <= NODES, "no local faults");
    }

    @Test
    void withLists_theSameIsAppliedAndWhatAllWantTwiceIsNotOffered() {
        UpdateRules lists = new UpdateRules(MUNIN.timeoutNanos(), 0);
        NodeCounts direct = run(MUNIN, 1, INTERVALS);
        NodeCounts offered = run(lists, 1, INTERVALS);

        assertEquals(1, offered.of(NodeCounter.UPDATE_TIMEOUTS));
        assertEquals(
                direct.of(NodeCounter.DIFFS_APPLIED),
                offered.of(NodeCounter.DIFFS_APPLIED),
                1,
                "applied");
        assertEquals(
                offered.of(NodeCounter.UPDATE_LISTS_SENT),
                offered.of(NodeCounter.UPDATES_REQUESTED),
                "all that was offered; what ended the copy was not");
        assertTrue(
                offered.of(NodeCounter.UPDATE_LISTS_SENT)
                        < offered.of(NodeCounter.DIFFS_APPLIED) / 2,
                offered.of(NodeCounter.UPDATE_LISTS_SENT) + " lists");
        assertEquals(0, direct.of(NodeCounter.UPDATE_LISTS_SENT));
    }
}
