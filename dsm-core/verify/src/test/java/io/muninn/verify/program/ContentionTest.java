package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.delay.RandomDelays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentionTest {
    private static final int NODES_MAX = 6;
    private static final int ROUNDS = 20;
    private static final int SEEDS = Seeds.some(30);
    private static final long EXACT_LIMIT_NANOS = 50_000_000;

    /** Records the longest time between two accesses of one thread. */
    private static final class Waits implements Observer {
        private final long[] lastNanos;
        private long longestNanos;
        private int accesses;

        Waits(Program program) {
            lastNanos = new long[program.scripts().size()];
        }

        @Override
        public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
            onAccess(thread);
        }

        @Override
        public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
            onAccess(thread);
        }

        private void onAccess(SimThread thread) {
            long now = thread.node().simulation().nowNanos();
            long waited = now - lastNanos[thread.position()];
            longestNanos = Math.max(longestNanos, waited);
            lastNanos[thread.position()] = now;
            accesses++;
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void holdLongerThanAWakeUp_getsEveryAccessDoneInTime(Protocol protocol) {
        for (int nodes = 2; nodes <= NODES_MAX; nodes++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                RandomDelays delays = delays(seed, nodes);
                Program program =
                        Contention.of(
                                protocol, nodes, 1 + seed % 2, ROUNDS, delays.wakeNanosMax() + 1);
                Waits waits = new Waits(program);
                long limitNanos = TimeBounds.limitNanos(program, delays, 0);

                ProgramRun.run(program, delays, _ -> {}, List.of(waits), limitNanos);

                assertEquals(program.sharedOperations(), waits.accesses);
                assertTrue(
                        waits.longestNanos <= TimeBounds.faultNanos(program, delays),
                        "seed " + seed + ", " + nodes + " nodes: " + waits.longestNanos);
            }
        }
    }

    /** Shows that the hold time is needed, and that the test above can fail. */
    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "PIPELINED"})
    void withoutHold_equalDelaysLetNobodyGetOn(Protocol protocol) {
        for (int nodes = 3; nodes <= NODES_MAX; nodes++) {
            Program program = Contention.of(protocol, nodes, 1, ROUNDS, 0);
            Violation violation = assertThrows(Violation.class, () -> runExactly(program));

            assertEquals("liveness", violation.checker());
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void equalDelays_areNoTroubleWithHold(Protocol protocol) {
        for (int nodes = 2; nodes <= NODES_MAX; nodes++) {
            assertTrue(runExactly(Contention.of(protocol, nodes, 1, ROUNDS, 21_000)).completed());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ_ONLY", "WRITE_SHARED"})
    void copiesThatStay_needNoHold(Protocol protocol) {
        for (int nodes = 2; nodes <= NODES_MAX; nodes++) {
            assertTrue(runExactly(Contention.of(protocol, nodes, 1, ROUNDS, 0)).completed());
        }
    }

    /** A run may then take longer than any limit, but no other check fails, and most runs end. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void holdShorterThanAWakeUp_endsMostly(Protocol protocol) {
        int late = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            int nodes = 2 + seed % (NODES_MAX - 1);
            RandomDelays delays = delays(seed, nodes);
            long holdNanos = delays.wakeNanosMax() * (seed % 3) / 4;
            Program program = Contention.of(protocol, nodes, 1 + seed % 2, ROUNDS, holdNanos);
            try {
                long limitNanos = TimeBounds.faultNanos(program, delays) * ROUNDS;
                ProgramRun.run(program, delays, _ -> {}, List.of(), limitNanos);
            } catch (Violation violation) {
                assertEquals("liveness", violation.checker(), violation::getMessage);
                late++;
            }
        }

        assertTrue(late < SEEDS / 4, "late: " + late);
    }

    /** Wake-ups of 20 µs, and messages of 1 µs. */
    private static ProgramRun.Result runExactly(Program program) {
        MachineModel model = new MachineModel(1_000, 0, 100, 100, 0, 300, 20_000, 400, 10, 0);
        return ProgramRun.run(program, Delays.exact(model), _ -> {}, List.of(), EXACT_LIMIT_NANOS);
    }

    private static RandomDelays delays(int seed, int nodes) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + nodes);
        return new RandomDelays(random, random, nodes);
    }
}
