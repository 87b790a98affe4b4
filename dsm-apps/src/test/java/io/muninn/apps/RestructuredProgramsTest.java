package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import io.muninn.sim.ncc.NccProtocol;
import io.muninn.sim.ncc.NccResult;
import io.muninn.sim.ncc.NccRun;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of the study of machines without coherent caches: at every level of their structure
 * on several nodes of one plain memory, on the simulated cluster, and on the machine of the study.
 */
@Timeout(60)
class RestructuredProgramsTest {
    private static final List<String> GAUSS = List.of("plain", "separated", "readers", "remote");

    private static final List<String> MP3D =
            List.of("plain", "separated", "padded", "sorted", "remote");

    private static final List<String> WATER = List.of("plain", "padded", "separated", "remote");

    private static final List<String> APPBT = List.of("plain", "aligned", "remote");

    static Stream<String> programs() {
        return Stream.of(
                        GAUSS.stream().map(each -> "gauss-flags --size 31 --structure " + each),
                        MP3D.stream()
                                .map(each -> "mp3d --particles 700 --steps 3 --structure " + each),
                        WATER.stream()
                                .map(each ->
                                        "water-nsq --molecules 27 --steps 2 --structure " + each),
                        APPBT.stream().map(each -> "appbt --size 6 --steps 2 --structure " + each),
                        Stream.of("fft-1d --points 256"))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void everyLevel_isRight(String words) throws Exception {
        for (int nodes : new int[] {1, 3}) {
            Verdict verdict =
                    PretendCluster.run(nodes, 2, null, () -> ProgramsByName.program(words));
            assertTrue(verdict.right(), words + ": " + verdict.detail());
        }
        assertTrue(SimulatedRuns.run(words, 4, 1).verdict().right(), words);
        NccResult first = onMachine(words, NccProtocol.DISTRIBUTED_DELAYED);
        assertTrue(first.verdict().right(), words + ": " + first.verdict());
        assertEquals(
                first, onMachine(words, NccProtocol.DISTRIBUTED_DELAYED), "same seed, same cycles");
        NccResult hardware = onMachine(words, NccProtocol.HARDWARE_RELEASE);
        assertTrue(hardware.verdict().right(), words + ": " + hardware.verdict());
    }

    private static NccResult onMachine(String words, NccProtocol protocol) {
        return NccRun.of(() -> ProgramsByName.program(words), 7).protocol(protocol).run();
    }

    @Test
    void flowOnOneThread_isThatOfTheSequentialProgram() throws Exception {
        String words = "mp3d --particles 3000 --steps 4 --structure sorted";
        Verdict verdict = PretendCluster.run(1, 1, null, () -> ProgramsByName.program(words));
        assertTrue(verdict.right(), verdict.detail());
        assertTrue(
                verdict.detail()
                        .matches("3000 particles are those of the sequential flow .* collisions"),
                verdict.detail());
    }

    @Test
    void solverOfClassS_hasThePublishedNorms() {
        Verdict verdict = Dsm.run(ProgramsByName.program("appbt"));
        assertTrue(verdict.right(), verdict.detail());
        assertTrue(verdict.detail().startsWith("norms of class S"), verdict.detail());
    }

    @Test
    void prefetches_needTheUsualStructure() {
        assertThrows(
                IllegalArgumentException.class,
                () -> ProgramsByName.program("water-nsq --prefetch on --structure padded"));
    }

    @Test
    void unknownLevels_areRefused() {
        IllegalArgumentException unknown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ProgramsByName.program("gauss-flags --structure padded"));
        assertEquals(
                "option --structure is one of plain, separated, readers, remote, not 'padded'",
                unknown.getMessage());
    }
}
