package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random programs with reader-writer locks: they end, and cover all kinds of sections. */
class ReadersAndWritersTest {
    private static final int SEEDS = Seeds.some(60);
    private static final int NODES = 3;
    private static final long HOLD_NANOS = 100_000;

    private static Program program(int seed) {
        return ReadersAndWriters.of(
                SeededRun.spread(seed), List.of(Protocol.values()), NODES, HOLD_NANOS);
    }

    /** In any sequentially consistent order. */
    @Test
    void noProgram_canStandStillOrRace() {
        SequentialRun.assertNoRace(ReadersAndWritersTest::program, SEEDS);
    }

    @Test
    void programs_haveEverythingTheyMayHave() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            program(seed).scripts().forEach(script -> script.forEach(step -> note(step, seen)));
        }

        Set<String> expected =
                Set.of("read", "timed read", "write", "timed write", "downgrade", "plain");
        assertEquals(new TreeSet<>(expected), seen);
    }

    private static void note(Program.Step step, Set<String> seen) {
        switch (step.op()) {
            case Op.Enter(var _, boolean toWrite, long timeoutNanos) ->
                    seen.add((timeoutNanos < 0 ? "" : "timed ") + (toWrite ? "write" : "read"));
            case Op.Downgrade _ -> seen.add("downgrade");
            case Op.Acquire _ -> seen.add("plain");
            default -> {} // of every program
        }
    }

    /** Threads read together, also without a call; waits end by grants, time-outs, interrupts. */
    @Test
    void runs_keepEveryPromiseAndSeeEveryEnd() {
        Witness witness = new Witness();
        for (long seed = 1; seed <= SEEDS / 4; seed++) {
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(witness);
            SeededRun.ofPermissions(seed, SeededRun.Options.ALL).run(observers);
        }

        assertTrue(
                witness.ends.containsAll(Set.of("TimedOut", "Cancelled", "Done")),
                witness.ends.toString());
        assertTrue(witness.mostReaders > 2, witness.mostReaders + " readers");
        assertTrue(witness.reads > witness.readCalls, witness.readCalls + " of " + witness.reads);
    }

    private static final class Witness implements Observer {
        final Set<String> ends = new TreeSet<>();
        int reads;
        int readCalls;
        int mostReaders;
        private int readers;

        @Override
        public void onStart(Simulation simulation) {
            readers = 0;
        }

        @Override
        public void onPermitted(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
            reads += toWrite ? 0 : 1;
            readers += toWrite ? 0 : 1;
            mostReaders = Math.max(mostReaders, readers);
        }

        @Override
        public void onPermissionEnded(SimThread thread, ReadWriteLockId lock, boolean toWrite) {
            readers -= toWrite ? 0 : 1;
        }

        @Override
        public void afterStep(SimNode node, Event event, List<Effect> effects) {
            if (event instanceof Event.PermissionCalled call && !call.toWrite()) {
                readCalls++;
            }
            if (event instanceof Event.Permitting || event instanceof Event.TimerFired) {
                for (Effect effect : effects) {
                    if (effect instanceof Effect.ResumeWaiter(var _, Outcome outcome)) {
                        ends.add(outcome.getClass().getSimpleName());
                    }
                }
            }
        }
    }
}
