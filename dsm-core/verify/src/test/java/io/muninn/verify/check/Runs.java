package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.program.Op;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Variable;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * A small program that the thread of every node runs, and methods that spoil its run for a checker.
 */
final class Runs {
    static final int NODES = 3;
    static final PageId PAGE = new PageId(0, 0);
    static final Variable SHARED = new Variable(PAGE, 64, Long.BYTES);
    static final LockId LOCK = new LockId("lock");
    static final BarrierId END = new BarrierId("end");

    private static final MachineModel MACHINE =
            new MachineModel(1_000, 1, 100, 100, 10, 300, 500, 400, 10, 0);
    private static final int ROUNDS = 3;

    private Runs() {}

    static RegionSpec region(Protocol protocol, int granuleBytes) {
        return new RegionSpec(0, "shared", protocol, 0, 4096, granuleBytes, 1, List.of());
    }

    /**
     * Threads load, then load and store in rounds under a lock, then wait at a barrier, and load
     * again.
     *
     * @param first the first node that takes part in the rounds
     */
    private static Program program(Protocol protocol, int first) {
        boolean isConstant = protocol == Protocol.READ_ONLY;
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < NODES; thread++) {
            List<Op> ops = new ArrayList<>();
            if (thread >= first) {
                ops.add(new Op.Load(SHARED, Op.NO_REGISTER)); // creates several copies
            }
            for (int round = 0; round < ROUNDS && thread >= first; round++) {
                ops.add(new Op.Acquire(LOCK, Op.FOR_EVER));
                ops.add(new Op.Load(SHARED, Op.NO_REGISTER));
                if (!isConstant) {
                    ops.add(new Op.Store(SHARED, 10L * round + thread + 1));
                }
                ops.add(new Op.Release(LOCK));
            }
            ops.add(new Op.Await(END, Event.ALL_PARTIES));
            ops.add(new Op.Load(SHARED, Op.NO_REGISTER));
            scripts.add(ops.stream().map(op -> new Program.Step(0, op)).toList());
        }
        return new Program(
                NODES,
                1,
                1_000,
                List.of(region(protocol, Long.BYTES)),
                List.of(new Op.Store(SHARED, 7)),
                scripts);
    }

    static void run(Protocol protocol, List<Observer> observers) {
        run(program(protocol, 0), observers);
    }

    /**
     * The same program without stores of the root's thread, so that the ownership of its pages is
     * transferred.
     */
    static void runWithoutRoot(Protocol protocol, List<Observer> observers) {
        run(program(protocol, 1), observers);
    }

    private static void run(Program program, List<Observer> observers) {
        ProgramRun.run(program, Delays.exact(MACHINE), _ -> {}, observers);
    }

    /**
     * Runs the program with a spoiling observer; the checker must fail, and its message must name
     * the variable.
     */
    static Violation assertFires(String checker, Protocol protocol, List<Observer> observers) {
        Violation found = assertThrows(Violation.class, () -> run(protocol, observers));
        assertEquals(checker, found.checker(), found.getMessage());
        return found;
    }

    static void assertSays(Violation found, String part) {
        assertTrue(found.getMessage().contains(part), found.getMessage());
    }

    /** A cluster in which only the test performs actions. */
    static Simulation still(Arena arena, RegionSpec region, int threads, List<Observer> observers) {
        return new Simulation(
                new Simulation.Cluster(
                        NODES, threads, 1_000, 10_000, UpdateRules.PLAIN, List.of(region)),
                Delays.exact(MACHINE),
                observers,
                arena);
    }

    /** A predicate over a completed step. */
    interface Step {
        boolean test(SimNode node, Event event, List<Effect> effects);
    }

    /** An action that spoils a run. */
    interface Spoiler {
        void spoil(SimNode node);
    }

    /**
     * Spoils a run once, after the first step that satisfies the predicate, before the checkers are
     * notified.
     */
    static Observer once(Step step, Spoiler spoiler) {
        return new Observer() {
            private boolean isDone;

            @Override
            public void afterStep(SimNode node, Event event, List<Effect> effects) {
                if (!isDone && step.test(node, event, effects)) {
                    isDone = true;
                    spoiler.spoil(node);
                }
            }
        };
    }

    /** True for a step with a given effect. */
    static Step effect(Effect wanted) {
        return (_, _, effects) -> effects.contains(wanted);
    }

    /** True for a step that sent a message of a given kind. */
    static Step sending(Class<?> kind) {
        return (_, _, effects) ->
                effects.stream()
                        .anyMatch(effect ->
                                effect instanceof Effect.Send send
                                        && kind.isInstance(send.message()));
    }

    /** The next node, cyclically. */
    static SimNode next(SimNode node) {
        return node.simulation().nodes().get((node.id().index() + 1) % NODES);
    }

    /** A chain of observers that are not notified of sent messages of one kind. */
    static Observer deafTo(Class<?> kind, Observer... observers) {
        return new Observer() {
            @Override
            public void onStart(Simulation simulation) {
                for (Observer observer : observers) {
                    observer.onStart(simulation);
                }
            }

            @Override
            public void onFault(SimThread thread, PageId page, FaultKind kind) {
                for (Observer observer : observers) {
                    observer.onFault(thread, page, kind);
                }
            }

            @Override
            public void beforeStep(SimNode node, Event event) {
                for (Observer observer : observers) {
                    observer.beforeStep(node, event);
                }
            }

            @Override
            public void afterStep(SimNode node, Event event, List<Effect> effects) {
                List<Effect> heard =
                        effects.stream()
                                .filter(effect ->
                                        !(effect instanceof Effect.Send send
                                                && kind.isInstance(send.message())))
                                .toList();
                for (Observer observer : observers) {
                    observer.afterStep(node, event, heard);
                }
            }
        };
    }
}
