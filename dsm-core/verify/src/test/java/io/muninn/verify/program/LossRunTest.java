package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.ForwardingDelays;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.verify.check.Checkers;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random programs that no {@link SeededRun} draws: some on two nodes, some without a hold time, and
 * all with the loss of a node.
 */
class LossRunTest {
    private static final int SEEDS = Seeds.some(25);
    private static final int NODES_MIN = 2;
    private static final int NODES_MAX = 5;
    private static final int HOLD_NANOS_MAX = 100_000;

    @Test
    void programsOfFewNodes_seeOneMemoryAndWaitForNobodyWhoDied() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(SeededRun.spread(seed));
            Program program = program(seed, random);
            NodeId victim = NodeId.of(random.nextInt(program.nodes()));

            ProgramRun.Result whole = run(seed, program, _ -> {});
            long when = random.nextLong(whole.nanos());
            ProgramRun.Result cut =
                    run(seed, program, simulation -> killAt(when, simulation, victim));

            assertTrue(whole.completed());
            assertFalse(cut.completed());
        }
    }

    private static void killAt(long nanos, Simulation simulation, NodeId victim) {
        simulation.at(nanos, () -> simulation.kill(victim));
    }

    /**
     * A program of all protocols, or of one, so that faults coincide more often with each other and
     * with the loss.
     */
    private static Program program(long seed, Random random) {
        int nodes = NODES_MIN + random.nextInt(NODES_MAX - NODES_MIN + 1);
        List<Protocol> all = List.of(Protocol.values());
        List<Protocol> protocols =
                random.nextBoolean() ? all : List.of(all.get(random.nextInt(all.size())));
        long wakeNanosMax = randomDelays(seed, nodes).wakeNanosMax();
        long holdNanos = random.nextInt(3) == 0 ? 0 : wakeNanosMax + random.nextInt(HOLD_NANOS_MAX);
        return RandomProgram.of(seed, new RandomProgram.Shape(protocols, nodes, holdNanos))
                .withTwins(new AdaptiveTwinRules(1 + random.nextInt(3), 1 + random.nextInt(3)));
    }

    private static ProgramRun.Result run(long seed, Program program, Consumer<Simulation> trouble) {
        RandomDelays random = randomDelays(seed, program.nodes());
        Delays delays = program.holdNanos() == 0 ? new AtOnce(random) : random;
        long limitNanos = TimeBounds.limitNanos(program, random, 0);
        try {
            return ProgramRun.run(program, delays, trouble, Checkers.all(), limitNanos);
        } catch (Violation violation) {
            throw new AssertionError("seed " + seed + "\n" + program.toText(), violation);
        }
    }

    /** Equal results for equal seeds. */
    private static RandomDelays randomDelays(long seed, int nodes) {
        return new RandomDelays(new Random(seed), new Random(~seed), nodes);
    }

    /** Threads access a page before it can be requested again, as a hold time would let them. */
    private static final class AtOnce extends ForwardingDelays {
        AtOnce(Delays others) {
            super(others);
        }

        @Override
        public long wake() {
            return 0;
        }
    }
}
