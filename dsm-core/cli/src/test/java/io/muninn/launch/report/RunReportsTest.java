package io.muninn.launch.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.Grace;
import io.muninn.launch.process.Launcher;
import io.muninn.launch.process.StartException;
import io.muninn.launch.process.Streams;
import io.muninn.model.NodeThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A launcher's reports of nodes that are shells instead of agents. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RunReportsTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final RunReports.Known KNOWN =
            new RunReports.Known("diff", "annotated", 2, new NodeThreads(1, 1));
    private static final String GOOD = "{\"program\": \"diff\", \"status\": 0, \"cause\": null}";

    @TempDir private Path folder;

    @Test
    void nodesThatWroteNothing_areReportedAsTheyEnded() throws Exception {
        JsonObject report = run(ExitStatus.NODE_LOST, "exit 1", "kill -KILL $$");

        assertEquals("diff", report.get("program").getAsString());
        assertEquals(ExitStatus.NODE_LOST, report.get("status").getAsInt());
        assertEquals("its agent was killed by signal 9", report.get("cause").getAsString());
        assertEquals(1, report.get("node").getAsInt());
        assertEquals(0, report.getAsJsonObject("totals").get("messages").getAsInt());
    }

    @Test
    void draftOfTheRoot_isTheReport() throws Exception {
        JsonObject report = run(ExitStatus.OK, write(GOOD), write("other") + "; exit 0");

        assertEquals(JsonParser.parseString(GOOD), report);
    }

    @Test
    void draftOfAnotherNode_isTakenWhereTheRootIsLost() throws Exception {
        String draft =
                "{\"program\": \"\", \"status\": 3, \"cause\": \"node 0 is lost: gone\", \"node\": 0}";

        JsonObject report =
                run(
                        ExitStatus.NODE_LOST,
                        AFTER_NODE_1 + "kill -KILL $$",
                        write(draft) + "; exit 3");

        assertEquals("node 0 is lost: gone", report.get("cause").getAsString());
        assertEquals("diff", report.get("program").getAsString());
    }

    @Test
    void nodeThatEndsBadlyAfterTheRoot_isInTheReport() throws Exception {
        JsonObject report = run(ExitStatus.FAILED, write(GOOD), "exit 1");

        assertEquals(ExitStatus.FAILED, report.get("status").getAsInt());
        assertEquals(1, report.get("node").getAsInt());
        assertTrue(report.get("cause").getAsString().startsWith("its agent ended with status 1"));
    }

    @Test
    void runThatCannotStart_hasAReport() throws Exception {
        Path file = folder.resolve("report");
        RunReports reports = RunReports.of(Optional.of(file), Optional.empty()).orElseThrow();
        Launcher launcher =
                launcher(
                        1,
                        (_, _, _) -> new Launcher.AgentStart(List.of("no\0command"), new byte[0]));

        StartException cannot =
                assertThrows(StartException.class, () -> reports.run(launcher, KNOWN));

        JsonObject report = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        assertEquals(cannot.getMessage(), report.get("cause").getAsString());
        assertEquals(ExitStatus.FAILED, report.get("status").getAsInt());
    }

    /** Waits until node 1 has written its draft. */
    private static final String AFTER_NODE_1 = "until [ -s \"$2\" ]; do sleep 0.01; done; ";

    /** Writes the draft of the node, at once. */
    private static String write(String text) {
        return "printf '%s\\0' '" + text + "' > \"$1\"";
    }

    private JsonObject run(int status, String... scripts) throws IOException, InterruptedException {
        Path file = folder.resolve("report");
        RunReports reports = RunReports.of(Optional.of(file), Optional.empty()).orElseThrow();
        Path first = reports.draft(0).orElseThrow();
        Launcher launcher =
                launcher(
                        scripts.length,
                        (nodes, _, _) ->
                                new Launcher.AgentStart(
                                        List.of(
                                                "sh",
                                                "-c",
                                                scripts[nodes.first()],
                                                "sh",
                                                draft(reports, nodes.first()),
                                                draft(reports, 1)),
                                        new byte[0]));

        assertEquals(status, reports.run(launcher, KNOWN));

        assertFalse(isDraft(first), "the drafts are left over");
        return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    }

    /** The number of the descriptor may be that of another file now. */
    private static boolean isDraft(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("muninn-report-");
        } catch (NoSuchFileException closed) {
            return false;
        }
    }

    private static String draft(RunReports reports, int node) {
        return reports.draft(node).orElseThrow().toString();
    }

    private static Launcher launcher(int nodes, Launcher.Agents agents) {
        return new Launcher(
                new Launcher.Plan(
                        Launcher.Place.here(nodes, nodes),
                        SHORT,
                        new Grace(SHORT, SHORT, SHORT),
                        agents),
                new Streams(
                        true,
                        ProcessBuilder.Redirect.INHERIT,
                        new PrintStream(new ByteArrayOutputStream()),
                        false,
                        false));
    }
}
