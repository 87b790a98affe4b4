package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs whose threads reduce: there is no violation, and they do reduce. */
class ReducingTest {
    private static final int SEEDS = Seeds.some(40);

    /** Counts the outcomes of contributions. */
    private static final class Counts implements Observer {
        private long results;
        private long broken;
        private long combined;
        private long apart;

        @Override
        public void afterStep(SimNode node, Event event, List<Effect> effects) {
            for (Effect effect : effects) {
                if (effect instanceof Effect.ResumeWaiter(_, Outcome.Delivered _)) {
                    results++;
                } else if (effect instanceof Effect.ResumeWaiter(_, Outcome.Broken(var reason))
                        && reason.contains("contribut")) {
                    broken++;
                } else if (effect instanceof Effect.Send(_, BarrierArrive arrive)
                        && arrive.cargo().of(Cargo.REDUCTION_CODE).length() > 0) {
                    boolean isWhole = arrive.cargo().of(Cargo.REDUCTION_CODE).array()[4] < 0;
                    combined += isWhole ? 1 : 0;
                    apart += isWhole ? 0 : 1;
                }
            }
        }
    }

    @Test
    void reductions_breakNoPromise() {
        Counts counts = new Counts();
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (SeededRun trial : trials(seed)) {
                List<Observer> observers = new ArrayList<>(Checkers.all());
                observers.add(counts);
                trial.run(observers);
            }
        }

        assertTrue(counts.results > 50 * SEEDS, counts.results + " results");
        assertTrue(counts.broken > 5 * SEEDS, counts.broken + " told of differences");
        assertTrue(counts.combined > 5 * SEEDS, counts.combined + " combined");
        assertTrue(counts.apart > 5 * SEEDS, counts.apart + " one by one");
    }

    /** In every stream of protocols for every tenth seed, otherwise in the first. */
    private static List<SeededRun> trials(long seed) {
        if (seed % 10 > 0) {
            return List.of(SeededRun.ofReductions(seed, SeededRun.Options.ALL));
        }
        return SeededRun.all(seed, SeededRun.Options.ALL).stream()
                .filter(trial -> reduces(trial.program()))
                .toList();
    }

    private static boolean reduces(Program program) {
        return program.scripts().stream()
                .flatMap(List::stream)
                .anyMatch(step ->
                        step.op() instanceof Op.Await await && await.contribution().length() > 0);
    }

    @Test
    void sameSeed_hasTheSameTraceHash() {
        for (long seed = 1; seed <= 10; seed++) {
            assertEquals(hash(seed), hash(seed));
        }
    }

    private static long hash(long seed) {
        return SeededRun.ofReductions(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
    }
}
