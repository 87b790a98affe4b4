package io.muninn.sim.check;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.Delays;
import io.muninn.sim.Violation;
import io.muninn.sim.program.Program;
import io.muninn.sim.program.ProgramRun;
import org.junit.jupiter.api.Test;

/** All checkers on right runs: what they find there is a bug of kernel, simulator or checker. */
class CheckersTest {
    private static final int SEEDS = 150;
    private static final int PARTS = 60;

    @Test
    void programsWithoutDataRaces_breakNoPromise() {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, Mixes.ordered(seed, PARTS));
        }
    }

    @Test
    void programsWithDataRaces_breakNoPromise() {
        for (long seed = 0; seed < SEEDS; seed++) {
            run(seed, Mixes.racy(seed, PARTS));
        }
    }

    private static void run(long seed, Program program) {
        try {
            ProgramRun.Result result =
                    ProgramRun.run(
                            program, Delays.exact(Mixes.machine(seed)), _ -> {}, Checkers.all());
            assertTrue(result.completed());
        } catch (Violation violation) {
            throw new AssertionError("seed " + seed + "\n" + program.toText(), violation);
        }
    }

    /** Tries many: first seed, count, parts. */
    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        int parts = Integer.parseInt(arguments[2]);
        boolean isChecked = arguments.length < 4;
        Coverage coverage = new Coverage();
        long steps = 0;
        long operations = 0;
        int failures = 0;
        long start = System.nanoTime();
        for (long seed = first; seed < first + count; seed++) {
            for (Program program :
                    java.util.List.of(Mixes.ordered(seed, parts), Mixes.racy(seed, parts))) {
                try {
                    var result =
                            ProgramRun.run(
                                    program,
                                    Delays.exact(Mixes.machine(seed)),
                                    _ -> {},
                                    isChecked ? Checkers.all(coverage) : java.util.List.of());
                    steps += result.steps();
                    operations += program.sharedOperations();
                } catch (Violation violation) {
                    failures++;
                    System.out.println("seed " + seed + ": " + violation.getMessage());
                    if (failures == 10) {
                        return;
                    }
                }
            }
        }
        System.out.print(coverage.toText());
        double seconds = (System.nanoTime() - start) * 1e-9;
        System.out.printf(
                "%d programs, %d operations, %d steps, %d failures: %.0f programs/s%n",
                2 * count, operations, steps, failures, 2 * count / seconds);
    }
}
