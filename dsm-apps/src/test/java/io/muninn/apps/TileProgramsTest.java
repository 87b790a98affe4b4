package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static io.muninn.apps.SimulatedRuns.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.app.AppResult;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs that render images by tiles, small, in the simulator: right in every version, with
 * the same bits.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class TileProgramsTest {
    private static final List<String> PROGRAMS =
            List.of(
                    "raytrace --image 24 --tile 4 --primitives 150",
                    "volrend --voxels 14 --image 20 --tile 4 --frames 2");

    /** Of more threads than tiles or planes, or of no frame. */
    private static final List<String> TINY =
            List.of(
                    "raytrace --image 1 --tile 1 --primitives 2",
                    "raytrace --image 6 --tile 3 --primitives 40 --seed 9",
                    "volrend --voxels 2 --image 1 --tile 1 --frames 1",
                    "volrend --voxels 3 --image 8 --tile 4 --frames 0");

    static Stream<String> programs() {
        return PROGRAMS.stream();
    }

    private static void assertSameBits(List<AppResult> results) {
        List<String> details = results.stream().map(result -> result.verdict().detail()).toList();
        assertEquals(1, new LinkedHashSet<>(details).size(), details::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void versions_haveTheSameBits(String words) {
        List<AppResult> results = new ArrayList<>();
        results.add(run(words, 4, 1));
        results.add(run(words, 3, 2));
        List<AppResult> plain = new ArrayList<>();
        plain.add(run(words + " --version mp", 3, 2));
        plain.add(run(words + " --version seq", 2, 1));
        plain.forEach(result -> assertEquals(0, result.total(NodeCounter.READ_FAULTS)));
        results.addAll(plain);

        assertSameBits(results);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programUnderProtocolsOfThePaper_isRight(String words) {
        for (Protocol protocol : List.of(Protocol.HOME_BASED, Protocol.LAZY)) {
            run(words, 2, 2, Optional.of(protocol));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void programUnderEveryProtocol_isRight(String words) {
        List<AppResult> results = new ArrayList<>();
        for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
            results.add(run(words, 3, 2, Optional.of(protocol)));
            results.add(run(words, 8, 1, Optional.of(protocol)));
        }

        assertSameBits(results);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_isTheSameTwice(String words) {
        AppResult first = run(words, 2, 2);
        AppResult second = run(words, 2, 2);

        assertEquals(first.traceHash(), second.traceHash());
        assertEquals(first.nodes(), second.nodes());
    }

    @Test
    void programsWithFewerTilesThanThreads_areRight() {
        for (String words : TINY) {
            run(words, 3, 2);
            run(words + " --version mp", 3, 2);
        }
    }

    @Test
    void optionsOutOfRange_areRefused() {
        assertRefused("raytrace --image 0", "option --image is an integer from 1 to 4096");
        assertRefused("raytrace --image 100", "option --tile is a divisor of 100, not '8'");
        assertRefused("raytrace --primitives 1", "option --primitives is an integer from 2 to");
        assertRefused("raytrace --seed -1", "option --seed is an integer from 0 to");
        assertRefused("raytrace --version ship", "option --version is one of dsm, mp, seq");
        assertRefused("volrend --voxels 300", "option --voxels is an integer from 2 to 256");
        assertRefused("volrend --tile 5", "option --tile is a divisor of 256, not '5'");
        assertRefused("volrend --frames 21", "option --frames is an integer from 0 to 20");
        assertRefused("volrend --prefetch on", "unknown option");
    }

    private static void assertRefused(String words, String because) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> program(words)).getMessage();
        assertTrue(text.startsWith(because), text);
    }
}
