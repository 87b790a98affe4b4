package io.muninn.sim.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.UpdateRules;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorUseTest {
    private static final long LIMIT_NANOS = 1_000_000;
    private static final int THINGS_MAX = 1_000;

    /** A use of a thread's time. */
    private record Part(ProcessorUse use, long nanos) {}

    @Test
    void timeOfAThread_isChargedAsWhatItIsUsedFor() {
        try (Arena arena = Arena.ofConfined()) {
            Simulation simulation =
                    new Simulation(
                            new Simulation.Cluster(1, 1, 0, 0, UpdateRules.PLAIN, List.of()),
                            Delays.exact(MachineModel.LOOPBACK),
                            List.of(),
                            arena);
            SimNode node = simulation.nodes().getFirst();
            node.threads()
                    .getFirst()
                    .start(
                            new SimThread.Body() {
                                private final List<Part> parts =
                                        List.of(
                                                new Part(ProcessorUse.BUSY, 30),
                                                new Part(ProcessorUse.PREFETCH, 70),
                                                new Part(ProcessorUse.BUSY, 5),
                                                new Part(ProcessorUse.PREFETCH, 1));
                                private int next;

                                @Override
                                public void go(SimThread thread) {
                                    if (next == parts.size()) {
                                        thread.end();
                                        return;
                                    }
                                    Part part = parts.get(next++);
                                    thread.use(part.use());
                                    thread.sleep(part.nanos());
                                }
                            });
            simulation.run(LIMIT_NANOS, THINGS_MAX);

            ProcessorTimes times = node.processors().report().threads().getFirst();
            assertEquals(35, times.nanos(ProcessorUse.BUSY));
            assertEquals(71, times.nanos(ProcessorUse.PREFETCH));
            assertEquals(106, times.totalNanos());
        }
    }
}
