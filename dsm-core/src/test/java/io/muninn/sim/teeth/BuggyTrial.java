package io.muninn.sim.teeth;

import io.muninn.sim.Violation;
import io.muninn.sim.check.Checkers;
import io.muninn.sim.check.Coverage;
import io.muninn.sim.program.Trial;

/** What {@link SeededBugsTest} calls in every copy of the classes. */
public final class BuggyTrial {
    private BuggyTrial() {}

    /** The name of the checker that finds something wrong with a seed; empty if none does. */
    public static String checkerThatFires(long seed) {
        try {
            Trial.of(seed, Trial.Options.ALL).run(Checkers.all(new Coverage()));
            return "";
        } catch (Violation violation) {
            return violation.checker();
        }
    }
}
