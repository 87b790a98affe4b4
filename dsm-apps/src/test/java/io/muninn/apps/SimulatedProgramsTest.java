package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.protocol.Counter;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every built-in program but the one that needs a clock, in every version, in the simulator. */
@Timeout(60)
class SimulatedProgramsTest {
    private static final List<String> SAMPLES =
            List.of(
                    "hello",
                    "mult --size 37",
                    "mult --size 37 --version mp",
                    "mult --size 37 --version seq",
                    "diff --rows 13 --columns 40 --sweeps 9",
                    "diff --rows 13 --columns 40 --sweeps 9 --version mp",
                    "diff --rows 13 --columns 40 --sweeps 9 --version seq",
                    "counter --increments 50",
                    "falseshare --rounds 7 --pages 3",
                    "contend --stores 20");

    /** A program on a cluster. */
    private record Sample(String words, int nodes, int threads, List<Protocol> override) {
        AppRun prepare() {
            AppRun run = AppRun.of(() -> program(words), nodes).threads(threads);
            override.forEach(run::protocol);
            return run;
        }

        @Override
        public String toString() {
            return words + " on " + nodes + "x" + threads + " " + override;
        }
    }

    static Stream<Sample> samples() {
        List<Sample> all = new ArrayList<>();
        for (String words : SAMPLES) {
            for (int nodes : new int[] {1, 2, 4, 8}) {
                for (int threads : new int[] {1, 2}) {
                    all.add(new Sample(words, nodes, threads, List.of()));
                    all.add(new Sample(words, nodes, threads, List.of(Protocol.CONVENTIONAL)));
                    all.add(new Sample(words, nodes, threads, List.of(Protocol.MIGRATORY)));
                    if (!isAtomic(words)) {
                        all.add(new Sample(words, nodes, threads, List.of(Protocol.WRITE_SHARED)));
                    }
                }
            }
        }
        return all.stream();
    }

    private static boolean isAtomic(String words) {
        return false;
    }

    private static DsmProgram program(String words) {
        List<String> all = List.of(words.split(" "));
        return Programs.named(all.getFirst()).create(all.subList(1, all.size()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void program_isRightAndTheSameTwice(Sample sample) {
        AppResult result = sample.prepare().run();
        AppResult again = sample.prepare().run();

        assertTrue(result.verdict().checked(), result::toString);
        assertTrue(result.isGood(), result::toString);
        assertEquals(result.traceHash(), again.traceHash());
        assertEquals(result.nodes(), again.nodes());
    }

    @Test
    void time() {
        for (int i = 0; i < 3; i++) {
            long t = System.nanoTime();
            AppResult r =
                    AppRun.of(() -> program("diff --rows 128 --columns 128 --sweeps 20"), 4).run();
            System.out.println(
                    r.seconds()
                            + " virtual, "
                            + (System.nanoTime() - t) / 1e9
                            + " s "
                            + r.steps()
                            + " steps "
                            + r.total(Counter.READ_FAULTS)
                            + r.byKind());
        }
    }
}
