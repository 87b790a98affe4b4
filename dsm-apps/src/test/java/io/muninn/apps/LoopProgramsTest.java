package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of parallel loops, small, in the simulator: the same bits in every version, under
 * every schedule, on clusters of every size. All combinations of these, and all protocols, are
 * tagged slow.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class LoopProgramsTest {
    private static final String OF_MULT = "mult --version loops --size 40";

    private static final List<String> PROGRAMS =
            List.of(
                    "adi --size 300 --steps 2",
                    "dot --size 3000 --steps 3",
                    "expl --size 24 --steps 2",
                    "irreg --size 10000 --steps 2",
                    "jacobi --size 40 --steps 2",
                    OF_MULT,
                    "rb --size 40 --steps 2",
                    "swm --size 24 --steps 2",
                    "tomcatv --size 24 --steps 2");

    /** Of more threads than rows, or of no step. */
    private static final List<String> TINY =
            List.of(
                    "adi --size 3 --steps 2",
                    "dot --size 1 --steps 2",
                    "dot --size 5 --steps 0",
                    "expl --size 4 --steps 2",
                    "irreg --size 1 --steps 2",
                    "jacobi --size 5 --steps 0",
                    "rb --size 3 --steps 3",
                    "swm --size 3 --steps 3",
                    "tomcatv --size 3 --steps 2");

    private static final List<String> SCHEDULES =
            List.of(
                    "block",
                    "cyclic",
                    "chunked --chunk 5",
                    "dynamic --chunk 7",
                    "guided --chunk 2");

    private static final int[] NODES = {1, 2, 4, 16};

    static Stream<String> programs() {
        return PROGRAMS.stream();
    }

    static Stream<String> tinyPrograms() {
        return TINY.stream();
    }

    /** The detail of the verdict of a right result, which names the bits. */
    private static String detail(
            String words, int nodes, int threads, Optional<Protocol> protocol) {
        return SimulatedRuns.run(words, nodes, threads, protocol).verdict().detail();
    }

    private static String detail(String words, int nodes, int threads) {
        return detail(words, nodes, threads, Optional.empty());
    }

    /** How a sum is rounded depends on its parts; those of loops are the same everywhere. */
    private static boolean isSameInEveryVersion(String words) {
        return !words.startsWith("dot");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void loopsOnClustersOfEverySize_haveTheSameBits(String words) {
        Set<String> details = new LinkedHashSet<>();
        for (int nodes : NODES) {
            details.add(detail(words, nodes, 1));
        }
        details.add(detail(words, 2, 3));
        details.add(detail(words, 4, 2));

        assertEquals(1, details.size(), details::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void loopsUnderEverySchedule_haveTheSameBits(String words) {
        Set<String> details = new LinkedHashSet<>();
        for (String schedule : SCHEDULES) {
            details.add(detail(words + " --schedule " + schedule, 3, 2));
        }

        assertEquals(1, details.size(), details::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void versions_haveTheSameBits(String loops) {
        List<String> details = new ArrayList<>(List.of(detail(loops, 4, 1)));
        String words = loops.replace(" --version loops", "");
        for (int nodes : NODES) {
            details.add(detail(words + " --version mp", nodes, 1));
        }
        details.add(detail(words + " --version mp", 3, 2));
        details.add(detail(words + " --version seq", 2, 2));

        if (isSameInEveryVersion(words)) {
            assertEquals(1, new LinkedHashSet<>(details).size(), details::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void reductionsUnderALock_giveTheSame(String words) {
        if (ProgramsByName.named(words.split(" ")[0]).versions().contains("locks")) {
            Set<String> details = new LinkedHashSet<>(List.of(detail(words, 4, 1)));
            for (Protocol protocol : List.of(Protocol.LAZY, Protocol.CONVENTIONAL)) {
                details.add(detail(words + " --version locks", 3, 2, Optional.of(protocol)));
            }

            if (isSameInEveryVersion(words)) {
                assertEquals(1, details.size(), details::toString);
            }
        }
    }

    /** Two fields of 24 rows of 24 doubles share a page, and often so do two threads. */
    @Test
    void packedVariables_shareARegionAndHaveTheSameBits() {
        String words = "swm --size 24 --steps 2";
        AppResult packed =
                AppRun.of(() -> program(words), 4).protocol(Protocol.LAZY).packed().run();

        assertTrue(packed.isGood(), packed::toString);
        assertEquals(1, packed.regions().size());
        assertEquals(detail(words, 4, 1), packed.verdict().detail());
    }

    /** Its masses are rounded differently; they are no part of the bits. */
    @Test
    void versionsWithMoreRowsThanParts_haveTheSameBits() {
        String words = "swm --size 150 --steps 1";

        assertEquals(detail(words, 1, 1), detail(words + " --version mp", 3, 1));
        assertEquals(detail(words, 2, 1), detail(words + " --version seq", 1, 1));
    }

    @ParameterizedTest
    @MethodSource("tinyPrograms")
    void programsWithFewerRowsThanThreads_areRight(String words) {
        for (String version : List.of("dsm", "mp", "seq")) {
            detail(words + " --version " + version, 1, 1);
            detail(words + " --version " + version, 3, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void loopsUnderAnotherProtocol_haveTheSameBits(String words) {
        assertEquals(detail(words, 4, 1), detail(words, 3, 2, Optional.of(Protocol.WRITE_SHARED)));
    }

    @Tag("slow")
    @Timeout(600)
    @ParameterizedTest
    @MethodSource("programs")
    void loopsUnderEveryScheduleAndProtocol_haveTheSameBits(String words) {
        Set<String> details = new LinkedHashSet<>();
        for (String schedule : SCHEDULES) {
            String all = words + " --schedule " + schedule;
            for (int nodes : NODES) {
                for (int threads = 1; threads <= 3; threads++) {
                    details.add(detail(all, nodes, threads));
                }
            }
            for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
                details.add(detail(all, 4, 2, Optional.of(protocol)));
            }
        }

        assertEquals(1, details.size(), details::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void loops_areTheSameTwice(String words) {
        AppResult first = AppRun.of(() -> program(words), 4).threads(2).run();
        AppResult second = AppRun.of(() -> program(words), 4).threads(2).run();

        assertEquals(first.traceHash(), second.traceHash());
        assertEquals(first.nodes(), second.nodes());
    }

    @Test
    void optionsOutOfRange_areRefused() {
        assertRefused("jacobi --size 2", "option --size is an integer from 3 to 8192, not '2'");
        assertRefused("rb --steps -1", "option --steps is an integer from 0 to 10000");
        assertRefused(
                "swm --schedule any",
                "option --schedule is one of block, cyclic, chunked, dynamic, guided, not 'any'");
        assertRefused("dot --chunk 0", "option --chunk is an integer from 1 to 1000000");
        assertRefused("adi --version seq --chunk 3", "option --chunk needs --version dsm");
        assertRefused("mult --schedule cyclic", "option --schedule needs --version loops");
        assertRefused("adi --version ship", "option --version is one of dsm, mp, seq");
    }

    private static void assertRefused(String words, String because) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> program(words)).getMessage();
        assertTrue(text.startsWith(because), text);
    }
}
