package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.model.NodeId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All checkers on correct runs: a violation is a bug of kernel, simulator or checker. */
class CheckersTest {
    private static final int SEEDS = Seeds.some(20);
    private static final int PARTS = 60;

    @Test
    void programsWithoutDataRaces_breakNoPromise() {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, Mixes.ordered(seed, PARTS), Delays.exact(Mixes.machine(seed)));
            run(seed, Mixes.ordered(seed, PARTS), Jitter.of(seed));
        }
    }

    @Test
    void programsWithDataRaces_breakNoPromise() {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, Mixes.racy(seed, PARTS), Delays.exact(Mixes.machine(seed)));
            run(seed, Mixes.racy(seed, PARTS), Jitter.of(seed));
        }
    }

    /** A run is the same with and without checkers. */
    @Test
    void checkers_changeNothing() {
        for (long seed = 0; seed < 10; seed++) {
            Program program = Mixes.racy(seed, PARTS);
            long seen =
                    ProgramRun.run(program, Jitter.of(seed), _ -> {}, Checkers.all()).traceHash();

            assertEquals(
                    ProgramRun.run(program, Jitter.of(seed), _ -> {}, List.of()).traceHash(),
                    seen,
                    "seed " + seed);
        }
    }

    /** After the loss of a node most promises are no longer checked; the others must hold. */
    @Test
    void losses_breakNoPromise() {
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Program program = Mixes.racy(seed, PARTS);
            NodeId dying = NodeId.of(random.nextInt(program.nodes()));
            long when = random.nextInt(2_000_000);
            try {
                ProgramRun.Result result =
                        ProgramRun.run(
                                program,
                                Jitter.of(seed),
                                simulation -> simulation.after(when, () -> kill(simulation, dying)),
                                Checkers.all());
                lost += result.completed() ? 0 : 1;
            } catch (Violation violation) {
                throw new AssertionError("seed " + seed + "\n" + program.toText(), violation);
            }
        }
        assertTrue(lost > SEEDS / 4, lost + " runs lost a node");
    }

    private static void kill(Simulation simulation, NodeId node) {
        if (simulation.nodes().stream()
                .flatMap(each -> each.threads().stream())
                .anyMatch(thread -> thread.status() != SimThread.Status.ENDED)) {
            simulation.kill(node);
        }
    }

    @Test
    void everyChecker_isInTheTableOnce() {
        List<String> names =
                Checkers.all().stream()
                        .filter(observer -> observer instanceof Checker)
                        .map(observer -> ((Checker) observer).name())
                        .toList();

        assertEquals(names, Checkers.table().stream().map(Checkers.Line::name).toList());
        assertEquals(names.size(), names.stream().distinct().count());
        assertEquals(names.size(), Checkers.toText().lines().count());
    }

    private static void run(long seed, Program program, Delays delays) {
        try {
            ProgramRun.Result result = ProgramRun.run(program, delays, _ -> {}, Checkers.all());
            assertTrue(result.completed());
        } catch (Violation violation) {
            throw new AssertionError("seed " + seed + "\n" + program.toText(), violation);
        }
    }

    /**
     * Runs many seeds. Arguments: first seed, count, parts; a fourth argument disables the
     * checkers.
     */
    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        int parts = Integer.parseInt(arguments[2]);
        boolean isChecked = arguments.length < 4;
        Coverage coverage = new Coverage();
        long steps = 0;
        int failures = 0;
        long start = cpuNanos();
        for (long seed = first; seed < first + count; seed++) {
            for (int kind = 0; kind < 4; kind++) {
                Program program = kind < 2 ? Mixes.ordered(seed, parts) : Mixes.racy(seed, parts);
                Delays delays = kind % 2 == 0 ? Delays.exact(Mixes.machine(seed)) : Jitter.of(seed);
                try {
                    List<Observer> observers = isChecked ? Checkers.all(coverage) : List.of();
                    steps += ProgramRun.run(program, delays, _ -> {}, observers).steps();
                } catch (Violation violation) {
                    failures++;
                    System.out.println(
                            "seed " + seed + " kind " + kind + ": " + violation.getMessage());
                }
            }
        }
        double seconds = (cpuNanos() - start) * 1e-9;
        System.out.print(coverage.toText());
        System.out.printf(
                "%d programs, %d steps, %d failures: %.0f programs/s%n",
                4 * count, steps, failures, 4 * count / seconds);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
