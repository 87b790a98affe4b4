package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.ForwardingDelays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.verify.program.Op;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Variable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store to a page to which a conflicting diff arrives is not lost to third nodes. */
class ConflictTest {
    private static final Variable X = new Variable(new PageId(0, 0), 0, Long.BYTES);
    private static final long SLOW_NANOS = 1_000_000;
    private static final int TAG = 1;

    /**
     * Exact delays; messages from node 1 to node 0 are slow, from node 2 to node 1 half as fast.
     */
    private static final class SlowLinks extends ForwardingDelays {
        SlowLinks(Delays exact) {
            super(exact);
        }

        @Override
        public long message(int from, int to, int bytes) {
            if (from == 2 && to == 1) {
                return 2 * SLOW_NANOS;
            }
            return from == 1 && to == 0 ? SLOW_NANOS : super.message(from, to, bytes);
        }
    }

    /**
     * Node 1 stores 7 and flushes. Node 2 soon receives that, stores 5 and flushes; node 0 soon
     * receives the 5, and then the 7. When node 1 has all acknowledgements, it stores 9. Then it
     * receives the 5. If this overwrote the 9 in page and twin, the next flush of node 1 would be
     * empty, and node 0 would keep the 7, which happened before the 9, for ever.
     */
    @Test
    void diffThatMeetsALocalStore_leavesIt() {
        Program program =
                program(
                        List.of(),
                        List.of(
                                new Op.Store(X, 7),
                                new Op.Send(1, TAG, 1),
                                new Op.Store(X, 9),
                                new Op.Work(SLOW_NANOS)),
                        List.of(
                                new Op.Work(SLOW_NANOS / 4),
                                new Op.Store(X, 5),
                                new Op.Send(2, TAG, 2)));

        long[] seen = run(program).registers();

        assertEquals(9, seen[0], "node 0");
        assertEquals(9, seen[1], "node 1");
        assertEquals(9, seen[2], "node 2");
    }

    private static ProgramRun.Result run(Program program) {
        MachineModel model = new MachineModel(1_000, 1, 100, 100, 10, 300, 500, 400, 10, 0);
        return ProgramRun.run(program, new SlowLinks(Delays.exact(model)), _ -> {}, Checkers.all());
    }

    /** Every node has a copy before the operations, and loads into its register after them. */
    private static Program program(List<Op> first, List<Op> second, List<Op> third) {
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (List<Op> ops : List.of(first, second, third)) {
            List<Op> all = new ArrayList<>();
            all.add(new Op.Load(X, Op.NO_REGISTER));
            all.add(new Op.Await(new BarrierId("begin"), Event.ALL_PARTIES));
            all.addAll(ops);
            all.add(new Op.Await(new BarrierId("end"), Event.ALL_PARTIES));
            all.add(new Op.Load(X, scripts.size()));
            scripts.add(all.stream().map(op -> new Program.Step(0, op)).toList());
        }
        return new Program(
                3,
                1,
                1_000,
                List.of(Runs.region(Protocol.WRITE_SHARED, Long.BYTES)),
                List.of(),
                scripts);
    }
}
