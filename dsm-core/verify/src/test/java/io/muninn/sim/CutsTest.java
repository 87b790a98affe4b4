package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.SeededRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs whose connections are cut, and made again. */
class CutsTest {
    private static final int SEEDS = Seeds.some(90);

    /** Keeps the links of a run. */
    private static final class Witness implements Observer {
        private final List<Simulation> seen = new ArrayList<>();

        @Override
        public void onStart(Simulation simulation) {
            seen.add(simulation);
        }

        LastingLinks links() {
            return seen.getFirst().wires().lasting().orElseThrow();
        }
    }

    private static ProgramRun.Result run(SeededRun trial, Witness witness) {
        List<Observer> observers = new ArrayList<>(Checkers.all(new Coverage()));
        observers.add(witness);
        return trial.run(observers);
    }

    /** Messages arrive once and in order, or a checker ends the run. */
    @Test
    void cutConnections_loseNothing() {
        int cuts = 0;
        int resent = 0;
        int dropped = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Witness witness = new Witness();
            run(SeededRun.ofCuts(seed, SeededRun.Options.ALL), witness);
            cuts += witness.links().cuts();
            resent += witness.links().resent();
            dropped += witness.links().dropped();
        }
        int[] counts = {cuts, resent, dropped};
        assertTrue(
                cuts > SEEDS && resent > SEEDS && dropped > SEEDS / 10,
                () -> "cut, sent again, dropped: " + List.of(counts[0], counts[1], counts[2]));
    }

    @Test
    void equalSeeds_giveEqualRuns() {
        SeededRun trial = SeededRun.ofCuts(7, SeededRun.Options.ALL);
        long first = run(trial, new Witness()).traceHash();
        assertEquals(first, run(trial, new Witness()).traceHash());
    }
}
