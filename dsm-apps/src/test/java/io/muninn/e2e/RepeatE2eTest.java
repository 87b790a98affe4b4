package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.coherence.ProtocolKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every program that message passing is compared with, in every version, live. Parallel versions
 * run ten times in a row as annotated, the one with shared memory on four nodes, on two of two
 * processes and on one of four, each on every engine. Under every other protocol that suits it, it
 * runs on each of these shapes, with another engine each time. Programs come from the list that
 * {@code ./dsm programs} prints, so a new one is here without being named.
 */
@Tag("e2e")
class RepeatE2eTest {
    private static final int RUNS = 10;
    private static final String ANNOTATED = "annotated";
    private static final String DSM = "dsm";
    private static final String FOUR_NODES = "-n 4";

    /** To a program each process is a node. */
    private static final List<String> SHAPES =
            List.of(FOUR_NODES, "-n 2 --processes 2", "-n 1 --processes 4");

    private static final List<String> ENGINES = EnginesE2eTest.engines().toList();

    /** Results are checked here, and not the time that they take. */
    private static final int HEARTBEAT_SECONDS = 60;

    /** Smaller than by default, so that a run is mostly start and end; others as by default. */
    private static final Map<String, String> SIZES =
            Map.ofEntries(
                    Map.entry("mult", "--size 160"),
                    Map.entry("diff", "--rows 128 --columns 256 --sweeps 20"),
                    Map.entry("tsp-c", "--cities 13 --threshold 9"),
                    Map.entry("tsp-f", "--cities 12 --threshold 8"),
                    Map.entry("qsort", "--size 32768"),
                    Map.entry("fft", "--points 2048"),
                    Map.entry("gauss", "--size 96"),
                    Map.entry("cg", "--size 1000 --iterations 20"),
                    Map.entry("adi", "--size 8000 --steps 5"),
                    Map.entry("barnes-rebuild", "--bodies 1000 --steps 2"),
                    Map.entry("barnes-space", "--bodies 2000 --steps 2"),
                    Map.entry("dot", "--size 50000 --steps 10"),
                    Map.entry("expl", "--size 128 --steps 5"),
                    Map.entry("irreg", "--size 100000 --steps 5"),
                    Map.entry("jacobi", "--size 256 --steps 5"),
                    Map.entry("rb", "--size 256 --steps 5"),
                    Map.entry("swm", "--size 128 --steps 5"),
                    Map.entry("tomcatv", "--size 128 --steps 5"),
                    Map.entry("sor", "--size 256 --steps 5"),
                    Map.entry("lu", "--size 256"),
                    Map.entry("fft-six", "--points 16384"),
                    Map.entry("radix", "--keys 50000"),
                    Map.entry("water-nsq", "--molecules 216 --steps 3"),
                    Map.entry("water-sp", "--molecules 512 --steps 3"),
                    Map.entry("ocean", "--size 66 --steps 3"),
                    Map.entry("raytrace", "--image 128 --primitives 1000"),
                    Map.entry("volrend", "--voxels 48 --image 64 --frames 2"));

    /**
     * One way to run a program.
     *
     * @param protocol overrides the annotations, unless it is {@code annotated}
     * @param turn the number among the ways of the program
     */
    private record Way(String program, String version, String protocol, int turn) {
        int runs() {
            if (version.equals("seq")) {
                return 1;
            }
            return protocol.equals(ANNOTATED) ? RUNS : SHAPES.size();
        }

        String options(int run) {
            String shape = version.equals(DSM) ? SHAPES.get(run % SHAPES.size()) : FOUR_NODES;
            String engine = ENGINES.get((run + (run - 1) / SHAPES.size() + turn) % ENGINES.size());
            String override = protocol.equals(ANNOTATED) ? "" : " --protocol " + protocol;
            return shape + " --engine " + engine + " --heartbeat " + HEARTBEAT_SECONDS + override;
        }

        String words() {
            return program + " --version " + version + " " + SIZES.getOrDefault(program, "");
        }

        @Override
        public String toString() {
            return program + " " + version + " " + protocol;
        }
    }

    static Stream<Way> ways() {
        List<Way> ways = new ArrayList<>();
        ServiceLoader.load(BuiltInProgram.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(program -> program.versions().contains("mp"))
                .sorted(Comparator.comparing(BuiltInProgram::name))
                .forEach(program -> addWays(program, ways));
        return ways.stream();
    }

    private static void addWays(BuiltInProgram program, List<Way> ways) {
        for (String version : program.versions()) {
            ways.add(new Way(program.name(), version, ANNOTATED, 0));
            if (version.equals(DSM)) {
                int turn = 0;
                for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
                    ways.add(new Way(program.name(), version, protocol.word(), turn++));
                }
            }
        }
    }

    @Test
    void everyProgramWithMessagePassing_isRepeated() {
        List<String> repeated = ways().map(Way::program).distinct().toList();

        assertTrue(repeated.containsAll(SIZES.keySet()), repeated::toString);
        for (String program : repeated) {
            List<String> ways =
                    ways().filter(way -> way.program().equals(program)).map(Way::toString).toList();
            assertTrue(ways.contains(program + " seq annotated"), ways::toString);
            assertTrue(ways.contains(program + " mp annotated"), ways::toString);
            assertTrue(ways.contains(program + " dsm annotated"), ways::toString);
            assertTrue(ways.contains(program + " dsm conventional"), ways::toString);
            assertTrue(ways.contains(program + " dsm write-shared"), ways::toString);
            assertTrue(ways.contains(program + " dsm home-based"), ways::toString);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("ways")
    void runsInARow_areVerified(Way way) throws InterruptedException {
        for (int run = 1; run <= way.runs(); run++) {
            JsonObject report = DsmRun.report(way.options(run), way.words());

            String text = "run " + run + " of " + way + ": " + report;
            assertTrue(report.get("verified").getAsBoolean(), text);
            assertEquals(way.version(), report.get("version").getAsString(), text);
            assertEquals(way.protocol(), report.get("protocol").getAsString(), text);
        }
    }
}
