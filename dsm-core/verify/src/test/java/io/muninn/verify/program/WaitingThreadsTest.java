package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random programs whose threads wait at conditions: they end, and cover all kinds of waits. */
class WaitingThreadsTest {
    private static final int SEEDS = Seeds.some(100);
    private static final int NODES = 4;
    private static final long HOLD_NANOS = 100_000;

    private static Program program(int seed) {
        return WaitingThreads.of(
                SeededRun.spread(seed), List.of(Protocol.values()), NODES, HOLD_NANOS);
    }

    /** In any sequentially consistent order. */
    @Test
    void noProgram_canStandStillOrRace() {
        SequentialRun.assertNoRace(WaitingThreadsTest::program, SEEDS);
    }

    @Test
    void programs_haveEverythingTheyMayHave() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program = program(seed);
            for (RegionSpec region : program.regions()) {
                assertFalse(region.protocol() == Protocol.READ_ONLY, program.toText());
            }
            program.scripts().forEach(script -> script.forEach(step -> note(step.op(), seen)));
        }

        Set<String> expected =
                Set.of("all", "one", "timed", "untimed", "free place", "item", "flag");
        assertEquals(new TreeSet<>(expected), seen);
    }

    private static void note(Op op, Set<String> seen) {
        switch (op) {
            case Op.Signal(var _, boolean all) -> seen.add(all ? "all" : "one");
            case Op.AwaitCondition(var _, var _, long least, long timeoutNanos) -> {
                seen.add(timeoutNanos < 0 ? "untimed" : "timed");
                seen.add(least < 1 ? "free place" : least == 1 ? "flag" : "item");
            }
            default -> {} // of every program
        }
    }

    /** An awaited element is stored to as long as a thread awaits it, in every smaller program. */
    @Test
    void splitProgram_keepsTheStoresThatAreAwaited() {
        for (int seed = 0; seed < 20; seed++) {
            Program split = program(seed).split();
            List<Integer> ofWaits = new ArrayList<>();
            split.scripts().stream()
                    .flatMap(List::stream)
                    .filter(step -> step.op() instanceof Op.AwaitCondition)
                    .forEach(step -> ofWaits.add(step.unit()));

            new SequentialRun(split.keep(ofWaits), seed).run();
        }
    }

    /** Waits end by signals and by time-outs, and some conditions are met before a wait. */
    @Test
    void runs_keepEveryPromiseAndSeeEveryEnd() {
        Set<String> ends = new TreeSet<>();
        Observer noting =
                new Observer() {
                    @Override
                    public void afterStep(SimNode node, Event event, List<Effect> effects) {
                        if (event instanceof Event.SignalAwaited
                                || event instanceof Event.MessageArrived) {
                            effects.forEach(effect -> noteEnd(event, effect, ends));
                        }
                    }
                };
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Program program = program(seed);
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(noting);
            RandomDelays delays = new RandomDelays(new Random(seed), new Random(seed + 1), NODES);

            assertTrue(ProgramRun.run(program, delays, _ -> {}, observers).completed());
        }

        assertTrue(ends.containsAll(Set.of("TimedOut", "Done")), ends.toString());
    }

    private static void noteEnd(Event event, Effect effect, Set<String> ends) {
        if (effect instanceof Effect.ResumeWaiter(var _, Outcome outcome)) {
            boolean isEarly = event instanceof Event.SignalAwaited;
            ends.add(outcome.getClass().getSimpleName() + (isEarly ? " at once" : ""));
        }
    }
}
