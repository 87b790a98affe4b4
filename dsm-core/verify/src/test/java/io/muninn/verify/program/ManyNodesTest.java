package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs on more nodes than a live run has, under every checker. */
class ManyNodesTest {
    private static final int NODES = 128;
    private static final int MORE_NODES = 256;
    private static final int PROGRAMS = Integer.getInteger("programs", 20);
    private static final int PROGRAMS_OF_MOST = Integer.getInteger("programsOfMost", 5);
    private static final int TRIALS_STEP = 5; // visits all kinds and all protocols

    private static SeededRun.Options options(int nodes) {
        return new SeededRun.Options(List.of(Protocol.values()), nodes, true, true, false);
    }

    @Test
    void programOnManyNodes_keepsEveryPromise() {
        SeededRun trial = SeededRun.ofJourneys(1, options(NODES));
        assertEquals(NODES, trial.program().nodes());

        ProgramRun.Result result = trial.run(Checkers.all());

        assertTrue(result.completed());
        assertTrue(result.steps() > NODES);
    }

    @Test
    void everyNode_takesLocks_storesAndLoads_underEveryProtocol() {
        for (Protocol protocol : Protocol.values()) {
            Program program =
                    RandomProgram.of(
                            1,
                            new RandomProgram.Shape(List.of(protocol), NodeId.LIVE_MAX + 1, 1_000));

            assertEquals(program.nodes(), nodes(program, Op.Acquire.class::isInstance));
            assertEquals(program.nodes(), nodes(program, Op.Await.class::isInstance));
            if (!protocol.isSealed()) {
                assertTrue(nodes(program, Op.Store.class::isInstance) > program.nodes() / 2);
                assertTrue(nodes(program, Op.Load.class::isInstance) > program.nodes() / 2);
            }
            new SequentialRun(program, 1).run();
        }
    }

    /** The number of nodes that perform such operations. */
    private static int nodes(Program program, Predicate<Op> isWanted) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < program.scripts().size(); i++) {
            if (program.scripts().get(i).stream().anyMatch(step -> isWanted.test(step.op()))) {
                found.add(i / program.threads());
            }
        }
        return Set.copyOf(found).size();
    }

    @Test
    @Tag("slow")
    void programsOn256Nodes_keepEveryPromise() {
        run(MORE_NODES, PROGRAMS, TRIALS_STEP);
    }

    @Test
    @Tag("slow")
    void programsOnAsManyNodesAsTheSimulatorHas_keepEveryPromise() {
        run(NodeId.NODES_MAX, PROGRAMS_OF_MOST, TRIALS_STEP * TRIALS_STEP);
    }

    private static void run(int nodes, int programs, int step) {
        List<SeededRun> trials = SeededRun.ofKinds(1, options(nodes));
        for (int i = 0; i < programs; i++) {
            trials.get(i * step % trials.size()).run(Checkers.all());
        }
    }
}
