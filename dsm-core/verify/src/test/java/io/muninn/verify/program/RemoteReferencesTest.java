package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random programs with remote words: they end, and cover all kinds of operations. */
class RemoteReferencesTest {
    private static final int SEEDS = Seeds.some(60);
    private static final int NODES = 3;
    private static final long HOLD_NANOS = 100_000;

    private static Program program(int seed) {
        return RemoteReferences.of(
                SeededRun.spread(seed), List.of(Protocol.values()), NODES, HOLD_NANOS);
    }

    /** In any sequentially consistent order. */
    @Test
    void noProgram_canStandStillOrRace() {
        SequentialRun.assertNoRace(RemoteReferencesTest::program, SEEDS);
    }

    @Test
    void programs_haveEverythingTheyMayHave() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            program(seed)
                    .scripts()
                    .forEach(script ->
                            script.forEach(step -> seen.add(step.op().getClass().getSimpleName())));
        }

        Set<String> expected =
                Set.of(
                        "Acquire",
                        "Await",
                        "Receive",
                        "Release",
                        "RemoteAdd",
                        "RemoteCompare",
                        "RemoteExchange",
                        "RemoteFence",
                        "RemoteLoad",
                        "RemoteUntil",
                        "Send",
                        "Store",
                        "Work");
        assertEquals(new TreeSet<>(expected), seen);
    }

    /** Waits end by updates and by their limits; posts wait for the window. */
    @Test
    void runs_keepEveryPromiseAndSeeEveryEnd() {
        Witness witness = new Witness();
        for (long seed = 1; seed <= SEEDS / 2; seed++) {
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(witness);
            SeededRun.ofRemotes(seed, SeededRun.Options.ALL).run(observers);
        }

        assertEquals(Set.of("TimedOut", "Done", "Delivered"), witness.ends);
        assertTrue(witness.accepted > witness.atOnce, witness.atOnce + " at once");
        assertTrue(witness.checks > 0, "no wait was tested again");
    }

    private static final class Witness implements Observer {
        final Set<String> ends = new TreeSet<>();
        int accepted;
        int atOnce;
        int checks;

        @Override
        public void afterStep(SimNode node, Event event, List<Effect> effects) {
            boolean isRemote = false;
            for (Effect effect : effects) {
                isRemote |= effect instanceof Effect.OfRemote;
            }
            checks += event instanceof Event.TimerFired && isRemote ? 1 : 0;
            if (event instanceof Event.RemotePosted) {
                accepted++;
                atOnce += effects.stream().anyMatch(Effect.ResumeWaiter.class::isInstance) ? 1 : 0;
            }
            if (event instanceof Event.RemoteAwaited
                    || event instanceof Event.TimerFired
                    || event
                            instanceof
                            Event.MessageArrived(var _, io.muninn.sync.RemoteMessage _, long _)) {
                for (Effect effect : effects) {
                    if (effect instanceof Effect.ResumeWaiter(var _, Outcome outcome)) {
                        note(outcome);
                    }
                }
            }
        }

        private void note(Outcome outcome) {
            if (!(outcome instanceof Outcome.Lost)) {
                ends.add(outcome.getClass().getSimpleName());
            }
        }
    }
}
