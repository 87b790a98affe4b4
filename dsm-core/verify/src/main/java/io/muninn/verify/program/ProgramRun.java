package io.muninn.verify.program;

import io.muninn.model.NodeId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs a program that is data: initialization on the root, then every thread. */
public final class ProgramRun {
    /** The default time limit of a run. */
    private static final long LIVELY_NANOS = 60_000_000_000L;

    /**
     * Most actions on at most as many nodes as a live run has, for programs of a thousand
     * operations; the longest known runs take a twentieth. On more nodes, so many times more.
     */
    private static final long THINGS_MAX = 2_000_000;

    /** The checker of forbidden operations of a program. */
    static final String PROGRAM = "program";

    private static final int REGISTERS_MAX = 16;

    /**
     * The result of a run.
     *
     * @param registers values of loads with a register; 0 if no load has it
     * @param traceHash equal for equal runs
     * @param nanos virtual time
     * @param completed false if a node was lost
     */
    public record Result(
            long[] registers, long traceHash, long steps, long nanos, boolean completed) {}

    private ProgramRun() {}

    /**
     * Runs a program that has to end within a minute of virtual time.
     *
     * @param disruptions plans disruptions, once the root has initialized
     * @throws Violation if a check fails
     */
    public static Result run(
            Program program,
            Delays delays,
            Consumer<Simulation> disruptions,
            List<Observer> observers) {
        return run(program, delays, disruptions, observers, LIVELY_NANOS);
    }

    /**
     * @param disruptions plans disruptions, once the root has initialized
     * @param limitNanos time after which a thread that has not ended is a violation
     * @throws Violation if a check fails
     */
    public static Result run(
            Program program,
            Delays delays,
            Consumer<Simulation> disruptions,
            List<Observer> observers,
            long limitNanos) {
        return run(program, delays, disruptions, observers, limitNanos, false);
    }

    /**
     * @param disruptions plans disruptions, once the root has initialized
     * @param limitNanos time after which a thread that has not ended is a violation
     * @param checksRaces whether overlapping stores of several nodes are reported
     * @throws Violation if a check fails
     */
    public static Result run(
            Program program,
            Delays delays,
            Consumer<Simulation> disruptions,
            List<Observer> observers,
            long limitNanos,
            boolean checksRaces) {
        try (Arena arena = Arena.ofConfined()) {
            Simulation.Cluster cluster =
                    new Simulation.Cluster(
                            program.nodes(),
                            program.threads(),
                            program.holdNanos(),
                            flushDelayNanos(program),
                            program.updates().forProcesses(program.processes()),
                            program.twins(),
                            program.regions(),
                            checksRaces,
                            ObjectServers.threads(program),
                            program.processors(),
                            allocatedFrom(program),
                            program.processes(),
                            Hosts.blocks(program.nodes(), program.hosts()));
            Simulation simulation = new Simulation(cluster, delays, observers, arena);
            long remoteBytes = (long) RemoteReferences.WORDS * Long.BYTES;
            simulation.nodes().forEach(node -> node.remotes().allocate(remoteBytes));
            long[] registers = new long[REGISTERS_MAX];
            ObjectServers objects = new ObjectServers(simulation, program, observers);
            initialize(
                    simulation,
                    program,
                    observers,
                    objects,
                    () -> {
                        simulation.initialized();
                        disruptions.accept(simulation);
                        startAll(simulation, program, observers, objects, registers);
                    });
            simulation.run(limitNanos, THINGS_MAX * Math.ceilDiv(program.nodes(), NodeId.LIVE_MAX));
            simulation
                    .failure()
                    .ifPresent(reason -> {
                        throw new Violation(PROGRAM, "the run was ended: " + reason);
                    });
            return new Result(
                    registers,
                    simulation.traceHash(),
                    simulation.steps(),
                    simulation.nowNanos(),
                    simulation.lost().isEmpty());
        }
    }

    /**
     * The first allocated region. In every other program, the last regions are allocated to which
     * the root stores nothing.
     */
    private static int allocatedFrom(Program program) {
        int from = program.regions().size();
        while (program.nodes() % 2 == 0 && from > 0 && isUntouched(program, from - 1)) {
            from--;
        }
        return from;
    }

    private static boolean isUntouched(Program program, int region) {
        return !program.regions().get(region).protocol().isSealed()
                && program.initial().stream()
                        .noneMatch(store -> store.variable().page().region() == region);
    }

    /** A few hold times: long compared with a message, short compared with a run. */
    private static long flushDelayNanos(Program program) {
        return 100_000 + 4 * program.holdNanos();
    }

    private static void initialize(
            Simulation simulation,
            Program program,
            List<Observer> observers,
            ObjectServers objects,
            Runnable then) {
        List<SimThread> root = simulation.nodes().getFirst().threads();
        int[] left = {program.initializers()};
        for (int i = 0; i < program.initializers(); i++) {
            SimThread thread = root.get(i);
            thread.start(
                    new ScriptedBody(
                            simulation,
                            observers,
                            objects,
                            initialSteps(program, i),
                            new long[REGISTERS_MAX],
                            () -> {
                                if (--left[0] == 0) {
                                    seal(thread, then);
                                } else {
                                    thread.stand(); // others may need its processor
                                }
                            }));
        }
    }

    /** The operations of an initializing thread; each has words of its own. */
    private static List<Program.Step> initialSteps(Program program, int initializer) {
        List<Variable> words = program.initial().stream().map(Op.Store::variable).toList();
        List<Program.Step> steps = new ArrayList<>();
        for (Op.Store store : program.initial()) {
            if (words.indexOf(store.variable()) % program.initializers() == initializer) {
                if (steps.size() % 3 == 0) { // some pages are loaded first
                    steps.add(new Program.Step(0, new Op.Load(store.variable(), Op.NO_REGISTER)));
                }
                steps.add(new Program.Step(0, store));
            }
        }
        return steps;
    }

    /** Seals the root's pages; called for the thread that was the last to initialize. */
    private static void seal(SimThread root, Runnable then) {
        root.become(thread -> {
            thread.takeOutcome();
            then.run();
        });
        root.call(new Event.Sealed(root.id()));
    }

    private static void startAll(
            Simulation simulation,
            Program program,
            List<Observer> observers,
            ObjectServers objects,
            long[] registers) {
        for (var node : simulation.nodes()) {
            for (SimThread thread : node.threads()) {
                thread.start(
                        new ScriptedBody(
                                simulation,
                                observers,
                                objects,
                                program.scripts().get(thread.position()),
                                registers,
                                thread::end));
            }
        }
    }
}
