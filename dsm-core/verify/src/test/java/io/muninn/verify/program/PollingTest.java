package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.sim.Observer;
import io.muninn.spi.NodeCounter;
import io.muninn.verify.check.Checkers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs whose threads refresh and prefetch: the added operations, and no violation. */
class PollingTest {
    private static final int SEEDS = Seeds.some(60);

    /** Counts the uses of prefetched pages. */
    private static final List<NodeCounter> FATES =
            List.of(
                    NodeCounter.PREFETCH_HITS,
                    NodeCounter.PREFETCHES_LATE,
                    NodeCounter.PREFETCHES_INVALIDATED,
                    NodeCounter.PREFETCHES_UNNECESSARY);

    @Test
    void program_isTheGivenOneWithMoreOutsideOfCalls() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Program plain = SeededRun.of(seed, SeededRun.Options.ALL).program();
            Program polling = Polling.of(seed, plain);

            assertEquals(polling.toText(), Polling.of(seed, plain).toText());
            assertEquals(plain.toText(), polling.keep(plain.units()).toText());
            polling.scripts().forEach(PollingTest::assertOutsideOfCalls);
        }
    }

    private static void assertOutsideOfCalls(List<Program.Step> script) {
        ArrayDeque<Long> calls = new ArrayDeque<>();
        for (Program.Step step : script) {
            switch (step.op()) {
                case Op.Ship ship -> calls.push(ship.serial());
                case Op.Return end -> assertEquals(calls.pop(), end.serial());
                case Op.Refresh _, Op.Prefetch _, Op.Advise _ ->
                        assertTrue(calls.isEmpty(), step.toString());
                default -> {} // as in the plain program
            }
        }
    }

    @Test
    void runs_keepEveryPromiseAndPrefetchedPagesHaveEveryFate() {
        Map<NodeCounter, Long> counts = new EnumMap<>(NodeCounter.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            NodeCounts ofRun = new NodeCounts();
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(ofRun);
            SeededRun.ofPolling(seed, SeededRun.Options.ALL).run(observers);
            assertTrue(
                    FATES.stream().mapToLong(ofRun::of).sum() <= ofRun.of(NodeCounter.PREFETCHES),
                    "seed " + seed);
            FATES.forEach(fate -> counts.merge(fate, ofRun.of(fate), Long::sum));
        }

        int least = Seeds.areAll() ? SEEDS : 0; // it is rare that one is late
        FATES.forEach(fate -> assertTrue(counts.get(fate) > least, counts.toString()));
    }
}
