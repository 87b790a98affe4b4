package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random programs whose threads share processors: there is no violation, and they do share. */
class ProcessorProgramsTest {
    private static final int SEEDS = Seeds.some(40);

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
    void threadsThatHaveInitialized_leaveTheProcessorToOthers() {
        Program program =
                ProgramText.read(
                        """
                        2 nodes of 3 threads
                        1 processors, switch 10 ns, arrival 10 ns, prefetch 0 ns
                        3 threads initialize
                        region 0: CONVENTIONAL, 1 pages of 4096 bytes, granule 8
                        initially store 1 to 0/0+0:8
                        initially store 2 to 0/0+8:8
                        initially store 3 to 0/0+16:8
                        node 1 thread 0
                            load 0/0+16:8 to r0
                        """);
        RandomDelays delays = new RandomDelays(new Random(1), new Random(2), program.nodes());

        ProgramRun.Result result = ProgramRun.run(program, delays, _ -> {}, Checkers.all());

        assertEquals(3, result.registers()[0]);
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
