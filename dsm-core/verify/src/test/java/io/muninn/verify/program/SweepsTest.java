package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.sim.Observer;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.NodeCounter;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Programs that make pages hot: they end, and pages do become hot. */
class SweepsTest {
    private static final int SEEDS = Seeds.some(200);
    private static final int NODES = 4;
    private static final long HOLD_NANOS = 20_000;

    private static Program program(int seed) {
        return Sweeps.of(seed, Protocol.WRITE_SHARED, NODES, HOLD_NANOS);
    }

    @Test
    void noProgram_canStandStill() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new SequentialRun(program(seed), seed).run();
        }
    }

    @Test
    void sameArguments_makeTheSameProgram() {
        assertEquals(program(7).toText(), program(7).toText());
    }

    @Test
    void runs_keepEveryPromiseAndHeatAndCoolPages() {
        Map<NodeCounter, Long> counts = new EnumMap<>(NodeCounter.class);
        for (int seed = 0; seed < SEEDS / 5; seed++) {
            Program program = program(seed).withTwins(new AdaptiveTwinRules(2, 2));
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(new Counts(counts));
            ProgramRun.Result result =
                    ProgramRun.run(
                            program,
                            new RandomDelays(new Random(seed), new Random(seed), NODES),
                            _ -> {},
                            observers);
            assertTrue(result.completed(), "seed " + seed);
        }

        assertTrue(counts.get(NodeCounter.PAGES_HEATED) > SEEDS, counts.toString());
        assertTrue(counts.get(NodeCounter.PAGES_COOLED) > SEEDS / 4, counts.toString());
        assertTrue(counts.get(NodeCounter.TWINS_KEPT) > 5 * SEEDS, counts.toString());
        assertTrue(counts.get(NodeCounter.TRAP_TWINS) > SEEDS / 4, counts.toString());
    }

    /** Adds up the counts of all nodes of all runs. */
    private record Counts(Map<NodeCounter, Long> counts) implements Observer {
        @Override
        public void onEnd(Simulation simulation) {
            for (NodeCounter counter : NodeCounter.values()) {
                simulation
                        .nodes()
                        .forEach(node -> counts.merge(counter, node.count(counter), Long::sum));
            }
        }
    }
}
