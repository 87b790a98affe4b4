package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.model.ObjectId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random programs whose threads call shipped objects: they end, and cover all kinds of calls. */
class CallingThreadsTest {
    private static final int SEEDS = Seeds.some(200);
    private static final int NODES = 4;
    private static final long HOLD_NANOS = 100_000;

    private static Program program(int seed) {
        return CallingThreads.of(
                SeededRun.spread(seed), List.of(Protocol.values()), NODES, HOLD_NANOS);
    }

    /** In any sequentially consistent order. */
    @Test
    void noProgram_canStandStillOrRace() {
        SequentialRun.assertNoRace(CallingThreadsTest::program, SEEDS);
    }

    /** Without the units that pass words on there are races, but no deadlocks. */
    @Test
    void smallerPrograms_keepWholeCallsAndEveryDeclaration() {
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Program split = program(seed).split();
            List<Integer> units = split.units();
            Program half =
                    split.keep(new LinkedHashSet<>(units.subList(units.size() / 2, units.size())));

            new SequentialRun(half, seed).run();
        }
    }

    /** Threads of programs and of objects call objects; some run calls themselves. */
    @Test
    void runs_keepEveryPromiseAndSeeEveryKindOfCall() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Program program = program(seed);
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(new Kinds(seen));
            RandomDelays delays = new RandomDelays(new Random(seed), new Random(seed + 1), NODES);

            assertTrue(ProgramRun.run(program, delays, _ -> {}, observers).completed());
        }

        Set<String> expected =
                Set.of(
                        "by a thread of the program",
                        "by an object's thread",
                        "run by a thread of the program",
                        "run by an object's thread",
                        "refused",
                        "answered");
        assertEquals(new TreeSet<>(expected), seen);
    }

    private record Kinds(Set<String> seen) implements Observer {
        private static String who(SimThread thread) {
            Simulation simulation = thread.node().simulation();
            return thread.position() < simulation.allThreads()
                    ? "by a thread of the program"
                    : "by an object's thread";
        }

        @Override
        public void onCalled(SimThread caller, ObjectId object, long serial, boolean isMistaken) {
            seen.add(who(caller));
        }

        @Override
        public void onCallBegun(SimThread server, ObjectId object, long serial) {
            seen.add("run " + who(server));
        }

        @Override
        public void onReplied(SimThread thread, long serial, boolean isRefused) {
            seen.add(isRefused ? "refused" : "answered");
        }
    }
}
