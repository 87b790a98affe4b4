package io.muninn.verify.program;

import io.muninn.sim.delay.RandomDelays;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Varies the times of the operations of a program, in the time scale of a run. */
final class Pauses {
    /**
     * Usual time of an operation that needs another node, on the machine for which the corpus is
     * written.
     */
    private static final long USUAL_NANOS = 10_000;

    private static final int FACTOR_MAX = 4;
    private static final int ONE_IN_MAX = 8;
    private static final int USUAL_MAX = 4;

    private Pauses() {}

    /**
     * The scripts with their times in the scale of a run, each varied by a random factor. Most runs
     * also have pauses before some operations.
     *
     * @param scaleNanos time in the run that corresponds to {@link #USUAL_NANOS} of the program
     */
    static List<List<Program.Step>> of(
            Random random, List<List<Program.Step>> scripts, long scaleNanos) {
        int oneIn = 1 + random.nextInt(ONE_IN_MAX);
        boolean pauses = random.nextInt(3) > 0;
        List<List<Program.Step>> changed = new ArrayList<>();
        for (List<Program.Step> script : scripts) {
            List<Program.Step> steps = new ArrayList<>();
            for (Program.Step step : script) {
                if (pauses && random.nextInt(oneIn) == 0) {
                    long nanos = RandomDelays.logUniform(random, 1, 1 + USUAL_MAX * scaleNanos);
                    steps.add(new Program.Step(step.unit(), new Op.Work(nanos)));
                }
                steps.add(new Program.Step(step.unit(), scaled(random, step.op(), scaleNanos)));
            }
            changed.add(steps);
        }
        return changed;
    }

    private static Op scaled(Random random, Op op, long scaleNanos) {
        return switch (op) {
            case Op.Work(long nanos) -> new Op.Work(scaled(random, nanos, scaleNanos));
            case Op.Acquire(var lock, long nanos) ->
                    new Op.Acquire(lock, scaled(random, nanos, scaleNanos));
            case Op.Await(var barrier, int parties, long nanos, var contribution) ->
                    new Op.Await(barrier, parties, scaled(random, nanos, scaleNanos), contribution);
            case Op.AwaitCondition(var condition, var flag, long least, long nanos) ->
                    new Op.AwaitCondition(
                            condition, flag, least, scaled(random, nanos, scaleNanos));
            case Op.Receive(int from, int tag, long nanos) ->
                    new Op.Receive(from, tag, scaled(random, nanos, scaleNanos));
            default -> op;
        };
    }

    /** Scales a positive time. Other values, such as {@link Op#FOR_EVER} and 0, do not change. */
    private static long scaled(Random random, long nanos, long scaleNanos) {
        if (nanos <= 0) {
            return nanos;
        }
        double factor =
                (double) RandomDelays.logUniform(random, 1_000, 1_000 * FACTOR_MAX * FACTOR_MAX)
                        / (1_000 * FACTOR_MAX);
        return Math.max(1, (long) (factor * nanos * scaleNanos / USUAL_NANOS));
    }
}
