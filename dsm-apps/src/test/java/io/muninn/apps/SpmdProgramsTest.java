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
 * The programs of the study of prefetches and threads, small, in the simulator: right in every
 * version, on clusters of every size, with and without prefetches. Every protocol, which {@link
 * ProtocolCountsTest} has, too, and all combinations are tagged slow.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SpmdProgramsTest {
    private static final List<String> PROGRAMS =
            List.of(
                    "sor --size 70 --steps 2",
                    "lu --size 48 --block 8",
                    "lu --size 48 --block 16 --layout rows",
                    "lu --size 48 --block 8 --layout owned",
                    "fft-six --points 1024",
                    "radix --keys 4000 --limit 100000 --digit-bits 5",
                    "water-nsq --molecules 64 --steps 2",
                    "water-sp --molecules 125 --steps 2",
                    "ocean --size 10 --steps 2",
                    "ocean --size 10 --steps 2 --layout rows");

    /** Of more threads than parts, or of no step. */
    private static final List<String> TINY =
            List.of(
                    "sor --size 3 --steps 2",
                    "sor --size 100 --steps 0",
                    "lu --size 3 --block 1",
                    "lu --size 6 --block 3 --layout rows",
                    "fft-six --points 4",
                    "radix --keys 5 --limit 9 --digit-bits 2",
                    "radix --keys 1 --limit 1",
                    "water-nsq --molecules 8 --steps 1",
                    "water-nsq --molecules 27 --steps 0",
                    "water-sp --molecules 8 --steps 1",
                    "water-sp --molecules 30 --steps 0",
                    "ocean --size 6 --steps 2",
                    "ocean --size 10 --steps 0");

    private static final int[] NODES = {1, 2, 4, 8};
    private static final int[] THREADS = {1, 2, 4};

    static Stream<String> programs() {
        return PROGRAMS.stream();
    }

    static Stream<String> tinyPrograms() {
        return TINY.stream();
    }

    /** Whether the verdict names bits that are the same in every version. */
    private static boolean hasSameBits(AppResult result) {
        return result.verdict().detail().contains("as the sequential one");
    }

    private static void assertSameBits(List<AppResult> results) {
        if (hasSameBits(results.getFirst())) {
            List<String> details =
                    results.stream().map(result -> result.verdict().detail()).toList();
            assertEquals(1, new LinkedHashSet<>(details).size(), details::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programOnClustersOfEverySize_isRight(String words) {
        List<AppResult> results = new ArrayList<>();
        for (int nodes : NODES) {
            results.add(run(words, nodes, 1));
        }
        results.add(run(words, 2, 4));
        results.add(run(words, 3, 2));

        assertSameBits(results);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void programUnderEveryProtocol_isRight(String words) {
        List<AppResult> results = new ArrayList<>();
        for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
            results.add(run(words, 3, 2, Optional.of(protocol)));
        }

        assertSameBits(results);
    }

    /** Whether prefetched pages have been accessed, after or before they arrived. */
    private static boolean isUsed(AppResult result) {
        return result.total(NodeCounter.PREFETCH_HITS) + result.total(NodeCounter.PREFETCHES_LATE)
                > 0;
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void programWithPrefetches_prefetchesAndIsRight(String words) {
        String with = words + " --prefetch on";
        List<AppResult> results = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.LAZY, Protocol.HOME_BASED)) {
            AppResult plain = run(words, 4, 1, Optional.of(protocol));
            AppResult ahead = run(with, 4, 1, Optional.of(protocol));
            assertEquals(0, plain.total(NodeCounter.PREFETCHES));
            assertTrue(isUsed(ahead), ahead::toString);
            results.addAll(List.of(plain, ahead));
        }
        results.add(run(with + " --distance 1", 2, 4));
        results.add(run(with, 1, 2));

        assertSameBits(results);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void versionsWithoutSharedMemory_areRight(String words) {
        List<AppResult> results = new ArrayList<>();
        for (int nodes : NODES) {
            results.add(run(words + " --version mp", nodes, 1));
        }
        results.add(run(words + " --version mp", 3, 2));
        results.add(run(words + " --version seq", 2, 2));
        results.forEach(result -> assertEquals(0, result.total(NodeCounter.READ_FAULTS)));
        results.add(run(words, 4, 1));

        assertSameBits(results);
    }

    @ParameterizedTest
    @MethodSource("tinyPrograms")
    void programsWithFewerPartsThanThreads_areRight(String words) {
        for (String options : List.of("", " --prefetch on", " --version mp", " --version seq")) {
            run(words + options, 1, 1);
            run(words + options, 3, 2);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("programs")
    void program_isTheSameTwice(String words) {
        AppResult first = run(words + " --prefetch on", 4, 2);
        AppResult second = run(words + " --prefetch on", 4, 2);

        assertEquals(first.traceHash(), second.traceHash());
        assertEquals(first.nodes(), second.nodes());
    }

    @Tag("slow")
    @Timeout(600)
    @ParameterizedTest
    @MethodSource("programs")
    void programOnEveryClusterUnderEveryProtocol_isRight(String words) {
        List<AppResult> results = new ArrayList<>();
        for (String options : List.of("", " --prefetch on", " --prefetch on --distance 7")) {
            for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
                for (int nodes : NODES) {
                    for (int threads : THREADS) {
                        results.add(run(words + options, nodes, threads, Optional.of(protocol)));
                    }
                }
            }
        }

        assertSameBits(results);
    }

    @Test
    void optionsOutOfRange_areRefused() {
        assertRefused("sor --size 2", "option --size is an integer from 3 to 8192, not '2'");
        assertRefused("lu --size 100", "option --block is a divisor of 100, not '32'");
        assertRefused("lu --layout columns", "option --layout is one of contiguous, rows");
        assertRefused("fft-six --points 32", "option --points is a power of four, not '32'");
        assertRefused("ocean --size 64", "option --size is two more than a power of two");
        assertRefused("water-sp --molecules 7", "option --molecules is an integer from 8 to");
        assertRefused("sor --prefetch never", "option --prefetch is one of off, on");
        assertRefused("sor --distance 2", "option --distance needs --prefetch on");
        assertRefused("sor --prefetch on --distance 0", "option --distance is an integer from 1");
        assertRefused("sor --version mp --prefetch on", "option --prefetch needs --version dsm");
    }

    private static void assertRefused(String words, String because) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> program(words)).getMessage();
        assertTrue(text.startsWith(because), text);
    }
}
