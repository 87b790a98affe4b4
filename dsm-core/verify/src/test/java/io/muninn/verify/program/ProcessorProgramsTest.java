package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs whose threads share processors: there is no violation, and they do share. */
class ProcessorProgramsTest {
    private static final int SEEDS = 40;

    /** Counts how often threads had to share. */
    private static final class Sharing implements Observer {
        private long switches;
        private long limited;

        @Override
        public void onStart(Simulation simulation) {
            limited += simulation.cluster().processors().isLimited() ? 1 : 0;
        }

        @Override
        public void onSwitch(SimThread thread, int processor) {
            switches++;
        }
    }

    @Test
    void threadsThatShareProcessors_breakNoPromise() {
        Sharing sharing = new Sharing();
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(sharing);
            SeededRun.ofProcessors(seed, SeededRun.Options.ALL).run(observers);
        }

        assertEquals(SEEDS, sharing.limited);
        assertTrue(sharing.switches > 10 * SEEDS, sharing.switches + " switches");
    }

    @Test
    void sameSeed_hasTheSameTraceHash() {
        for (long seed = 1; seed <= 10; seed++) {
            assertEquals(hash(seed), hash(seed));
        }
    }

    private static long hash(long seed) {
        return SeededRun.ofProcessors(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
    }
}
