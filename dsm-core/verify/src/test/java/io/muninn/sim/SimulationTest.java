package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.verify.program.Op;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Variable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulated machine itself, with programs so small that their results are obvious. */
class SimulationTest {
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId END = new BarrierId("end");
    private static final int NODES = 3;
    private static final int ROUNDS = 20;

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "WRITE_SHARED", "PIPELINED"})
    void storesUnderALock_areSeenByWhoTakesItNext(Protocol protocol) {
        ProgramRun.Result result = run(relay(protocol), 1_000);

        assertTrue(result.completed());
        assertEquals(ROUNDS * NODES, result.registers()[0]);
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "WRITE_SHARED", "PIPELINED"})
    void theSameRun_hasTheSameTraceHash(Protocol protocol) {
        long once = run(relay(protocol), 1_000).traceHash();

        assertEquals(once, run(relay(protocol), 1_000).traceHash());
        assertNotEquals(once, run(relay(protocol), 2_000).traceHash());
    }

    private static ProgramRun.Result run(Program program, long latencyNanos) {
        MachineModel model = new MachineModel(latencyNanos, 1, 100, 100, 10, 300, 500, 400, 10, 0);
        return ProgramRun.run(program, Delays.exact(model), _ -> {}, List.of());
    }

    /** Every thread in turn stores to an element of its own; at the end the last one is loaded. */
    private static Program relay(Protocol protocol) {
        RegionSpec region =
                new RegionSpec(0, "shared", protocol, 0, 4096, Long.BYTES, 1, List.of());
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < NODES; thread++) {
            List<Op> ops = new ArrayList<>();
            Variable own = new Variable(new PageId(0, 0), 8 * thread, Long.BYTES);
            for (int round = 1; round <= ROUNDS; round++) {
                ops.add(new Op.Acquire(LOCK, Op.FOR_EVER));
                ops.add(new Op.Store(own, (long) round * (thread + 1)));
                ops.add(new Op.Release(LOCK));
            }
            ops.add(new Op.Await(END, Event.ALL_PARTIES));
            Variable last = new Variable(new PageId(0, 0), 8 * (NODES - 1), Long.BYTES);
            ops.add(new Op.Load(last, thread == 0 ? 0 : Op.NO_REGISTER));
            scripts.add(ops.stream().map(op -> new Program.Step(0, op)).toList());
        }
        return new Program(NODES, 1, 1_000, List.of(region), List.of(), scripts);
    }
}
