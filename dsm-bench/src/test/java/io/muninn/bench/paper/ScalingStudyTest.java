package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.bench.paper.ScalingPoint.Program;
import io.muninn.coherence.ProtocolKind;
import io.muninn.launch.Main;
import io.muninn.launch.option.Programs;
import io.muninn.sim.Traffic.Sent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The study of many nodes: what messages of more nodes than a live cluster has contain. */
class ScalingStudyTest {
    private static final int MORE = 80;
    private static final int FRAME = 4;

    private static Map<String, BuiltInProgram> installed() {
        Map<String, BuiltInProgram> installed = new TreeMap<>();
        Programs.installed().all().forEach(program -> installed.put(program.name(), program));
        return installed;
    }

    private static ScalingRuns run(List<ScalingPoint> points) {
        ScalingRuns runs = ScalingRuns.of(points, installed(), new PrintWriter(new StringWriter()));
        assertEquals(List.of(), runs.failures());
        assertEquals(points, List.copyOf(runs.costs().keySet()));
        return runs;
    }

    private static ScalingCost cost(ProtocolKind kind, int nodes) {
        ScalingPoint point = new ScalingPoint(Program.DIFF, kind, nodes);
        return run(List.of(point)).costs().get(point);
    }

    private static double metadata(ScalingCost cost, String kind) {
        Sent sent = cost.byKind().get(kind);
        return (double) ScalingCost.metadata(sent) / sent.messages();
    }

    @Test
    void copysetsInMessages_haveAWordForEach64Nodes() {
        double few = metadata(cost(ProtocolKind.WRITE_SHARED, 4), "update-ack");
        ScalingCost more = cost(ProtocolKind.WRITE_SHARED, MORE);
        assertEquals(few + Long.BYTES, metadata(more, "update-ack"));
        assertEquals(2 * (MORE - 1), more.byKind().get("update").messages()); // to neighbours
        assertTrue(more.nanos() > 0 && more.messages() > 0 && more.bytes() > more.messages());
        assertEquals(0, more.keptBytes());
    }

    @Test
    void timestampsInMessages_haveAByteForEachNode_andDifferencesFew() {
        ScalingCost few = cost(ProtocolKind.SINGLE_WRITER, 4);
        ScalingCost more = cost(ProtocolKind.SINGLE_WRITER, MORE);
        String copy = "single-writer-copy";
        assertEquals(metadata(few, copy) + MORE - 4, metadata(more, copy));
        double departures = metadata(more, "barrier-depart");
        assertTrue(departures > MORE, departures + " bytes");
        assertTrue(departures < 12 * MORE, departures + " bytes: no timestamp for each notice");
        assertTrue(more.keptBytes() > few.keptBytes());
    }

    @Test
    void missingProgram_isAFailure() {
        ScalingPoint point = new ScalingPoint(Program.JACOBI, ProtocolKind.LAZY, 4);
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        ScalingRuns runs = ScalingRuns.of(List.of(point), Map.of(), nowhere);
        assertTrue(runs.failures().getFirst().contains("program jacobi is missing"));
        assertTrue(new ScalingTables(Program.JACOBI, runs).page().contains("| nodes |"));
        assertEquals(2, runs.plus(runs).failures().size());
    }

    @Test
    void headersOfFrames_areMetadata() {
        Sent sent = new Sent(1, 100 + FRAME, 100);
        assertEquals(FRAME, ScalingCost.metadata(sent));
    }

    @Tag("slow")
    @Test
    void everyProtocol_runsOnManyNodes() {
        run(ScalingRuns.points(Program.DIFF, 256));
    }

    @Tag("slow")
    @Test
    void command_writesTheSamePagesTwice(@TempDir Path folder) throws IOException {
        for (String out : List.of("one", "other")) {
            PrintWriter nowhere = new PrintWriter(new StringWriter());
            List<String> words =
                    List.of("paper", "scaling", "--quick", "--out", folder.resolve(out).toString());
            assertEquals(ExitStatus.OK, Main.execute(words, nowhere, nowhere));
        }
        try (Stream<Path> files = Files.list(folder.resolve("one"))) {
            for (Path file : files.toList()) {
                Path same = folder.resolve("other").resolve(file.getFileName());
                assertEquals(Files.readString(file), Files.readString(same), file::toString);
            }
        }
    }
}
