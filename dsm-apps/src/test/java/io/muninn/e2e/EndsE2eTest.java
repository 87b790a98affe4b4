package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dsm node} as a process: how applications end, and how the agent reports it. */
@Tag("e2e")
class EndsE2eTest {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int NODE_LOST = 3;

    private static final List<String> TO_FULL = List.of("sh", "-c", "exec \"$@\" >/dev/full", "sh");

    @TempDir private Path folder;
    private Path secret = Path.of("");

    @BeforeEach
    void writeSecret() throws IOException {
        secret = Nodes.secretFile(folder, "secret", "0123456789abcdef0123456789abcdef");
    }

    /** The only node of a cluster, with these options and an application of these words. */
    private DsmRun.Result node(String options, String... words) throws InterruptedException {
        return node(List.of(), options, List.of(words));
    }

    private DsmRun.Result node(List<String> prefix, String options, List<String> words)
            throws InterruptedException {
        List<String> arguments =
                new ArrayList<>(
                        List.of("node", "--id=0", "--root=unix:@muninn-test-" + UUID.randomUUID()));
        if (!options.contains("--secret-file")) {
            arguments.add("--secret-file=" + secret);
        }
        if (!options.contains("--nodes")) {
            arguments.add("--nodes=1");
        }
        arguments.addAll(DsmRun.words(options));
        arguments.addAll(words);
        try (DsmRun run = DsmRun.start(arguments, Map.of(), prefix)) {
            return run.await();
        }
    }

    private DsmRun.Result program(String options, String way) throws InterruptedException {
        List<String> words = new ArrayList<>(DsmRun.words(DsmRun.program("Ends")));
        words.add(way);
        return node(List.of(), options + " --no-table", words);
    }

    @Tag("slow")
    @Test
    void commandThatDoesNotExist_isAFailedRun() throws InterruptedException {
        node("", "--", "/no/such/command")
                .assertStatus(FAILED)
                .assertErr("node 0: the application cannot be started: ");
    }

    @Tag("slow")
    @Test
    void applicationThatEndsBeforeItJoined_isAFailedRunWhateverItsStatus()
            throws InterruptedException {
        for (int status : new int[] {0, 3}) {
            node("", "--", "/bin/sh", "-c", "exit " + status)
                    .assertStatus(FAILED)
                    .assertErr(
                            "node 0: the application ended with status "
                                    + status
                                    + " before it had joined");
        }
    }

    @Test
    void applicationThatRefusesItsOptions_isAWrongUsage() throws InterruptedException {
        DsmRun.Result result = node("", "--", "/bin/sh", "-c", "echo no such option >&2; exit 2");

        assertEquals(new DsmRun.Result(USAGE, "", "no such option\n"), result);
    }

    @Test
    void applicationKilledBeforeItJoined_isALostNode() throws InterruptedException {
        node("", "--", "/bin/sh", "-c", "kill -KILL $$")
                .assertStatus(NODE_LOST)
                .assertErr("was ended by signal 9 before it had joined");
    }

    @Tag("slow")
    @Test
    void applicationStoppedBeforeItJoined_isALostNodeAfterTheHeartbeatLimit()
            throws InterruptedException {
        node("--heartbeat=1", "--", "/bin/sh", "-c", "kill -STOP $$")
                .assertStatus(NODE_LOST)
                .assertErr("node 0: lost: its application has been stopped for 1000 ms");
    }

    @Tag("slow")
    @Test
    void applicationThatNeverJoins_isEndedAfterTheJoinTimeout() throws InterruptedException {
        node("--join-timeout=1", "--", "/bin/sleep", "1000")
                .assertStatus(FAILED)
                .assertErr("node 0: the application did not join within 1 s");
    }

    @Tag("slow")
    @Test
    void clusterThatStaysIncomplete_isRefusedToTheApplicationInOneLine()
            throws InterruptedException {
        DsmRun.Result result = program("--nodes=2 --join-timeout=3", "right");

        result.assertStatus(FAILED).assertErr("node 0: node 1 did not join");
        assertFalse(result.err().contains("node 0: node 0: "), result.err());
        assertFalse(result.err().contains("\tat "), result.err());
    }

    @Tag("slow")
    @Test
    void rightResult_isWrittenAndSaid() throws InterruptedException, IOException {
        Path json = folder.resolve("report");

        DsmRun.Result result = program("--json=" + json, "right").assertStatus(OK);

        assertEquals("verified: words are there\n", result.out());
        assertEquals("", result.err());
        assertTrue(Files.readString(json).contains("\"verified\": true"));
    }

    @Test
    void resultOnStandardOutput_isAloneThere() throws InterruptedException {
        DsmRun.Result result = program("--json=-", "right").assertStatus(OK);

        JsonObject report = JsonParser.parseString(result.out()).getAsJsonObject();
        assertTrue(report.get("verified").getAsBoolean());
        assertEquals("verified: words are there\n", result.err());
    }

    @Test
    void reportThatCannotBeWritten_isAFailedRunThatSaysSo() throws InterruptedException {
        Path full = Path.of("/dev/full");

        program("--json=" + full, "right")
                .assertStatus(FAILED)
                .assertErr("node 0: cannot write /dev/full: ");
    }

    @Test
    void wrongResult_isAFailedRunWithAReport() throws InterruptedException, IOException {
        Path json = folder.resolve("report");

        DsmRun.Result result = program("--json=" + json, "wrong").assertStatus(FAILED);

        assertEquals("WRONG RESULT: on purpose\n", result.out());
        JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertFalse(report.get("verified").getAsBoolean());
        assertEquals("wrong result: on purpose", report.get("cause").getAsString());
    }

    @Test
    void layoutThatDoesNotFit_isRefusedInOneLineWithTheVariable() throws InterruptedException {
        DsmRun.Result result = program("--memory=1m", "right").assertStatus(FAILED);

        assertEquals(
                "node 0: variable 'words' of 8388608 bytes does not fit: shared memory would reach"
                        + " 8388608 bytes, and this node has 1048576 (option --memory)\n",
                result.err());
    }

    @Test
    void storeBeyondEveryVariable_isAFailureOfTheProgram() throws InterruptedException {
        DsmRun.Result result = program("", "stray").assertStatus(FAILED);

        assertEquals(
                "node 0: a thread accesses byte 8388688 of shared memory, where no variable is, 80"
                        + " bytes behind the end of the pages of variable 'words': a MemorySegment"
                        + " was reinterpreted beyond its variable\n",
                result.err());
    }

    @Tag("slow")
    @Test
    void failureOfTheConstructor_namesTheNode() throws InterruptedException {
        program("", "construct")
                .assertStatus(FAILED)
                .assertErr("node 0: io.muninn.api.DsmException: class io.muninn.e2e.programs.Ends")
                .assertErr("IllegalStateException: on purpose");
    }

    /** The thread that prints the trace stood in a barrier when the other failed. */
    @Test
    void failureOfAnyThread_printsItsTraceAndEndsTheOthers() throws InterruptedException {
        DsmRun.Result result = program("--threads=3", "throw").assertStatus(FAILED);

        result.assertErr("node 0: java.lang.IllegalStateException: on purpose\n\tat ");
    }

    @Tag("slow")
    @Test
    void failureBesideAThreadThatNobodyCanWake_isToldByTheAgent() throws InterruptedException {
        DsmRun.Result result =
                program("--threads=2", "throw, and another computes on").assertStatus(FAILED);

        result.assertErr(
                "node 0: its application does not end after its program failed:"
                        + " java.lang.IllegalStateException: on purpose\n\tat ");
    }

    @Test
    void applicationThatExitsBeforeTheEnd_isALostNode() throws InterruptedException, IOException {
        Path json = folder.resolve("report");

        program("--json=" + json, "exit")
                .assertStatus(NODE_LOST)
                .assertErr(
                        "node 0: lost: its application ended with status 0 before the run was"
                                + " over");

        String report = Files.readString(json);
        assertTrue(report.contains("\"status\": 3"), report);
        assertTrue(report.contains("\"cause\": \"lost: its application ended with"), report);
        assertTrue(report.contains("\"node\": 0"), report);
    }

    @Test
    void applicationThatFailsAfterTheRun_isAFailedRunAlsoInTheReport()
            throws InterruptedException, IOException {
        Path json = folder.resolve("report");

        program("--json=" + json, "halt")
                .assertStatus(FAILED)
                .assertErr("node 0: its application ended with status 9 after the run was over");

        String report = Files.readString(json);
        assertTrue(report.contains("\"status\": 1"), report);
        assertTrue(report.contains("\"cause\": \"its application ended with status 9"), report);
    }

    /** The program's line is lost, and so is the table. */
    @Test
    void outputThatCannotBeWritten_isAFailedRunThatSaysSo() throws InterruptedException {
        List<String> words = new ArrayList<>(DsmRun.words(DsmRun.program("Ends")));
        words.add("right");

        DsmRun.Result result = node(TO_FULL, "", words).assertStatus(FAILED);

        String said = "node 0: cannot write standard output: No space left on device";
        assertEquals(List.of(said, said), result.err().lines().toList());
    }

    @Tag("slow")
    @Test
    void outputOfACommandThatCannotBeWritten_isAFailure() throws InterruptedException {
        try (DsmRun run = DsmRun.start(List.of("programs"), Map.of(), TO_FULL)) {
            assertEquals(
                    "dsm programs: cannot write standard output: No space left on device\n",
                    run.await().assertStatus(FAILED).err());
        }
    }

    /**
     * The input is more than a pipe holds; whether it has reached the application, the program
     * checks. Neither the launcher nor an agent takes options that the script has hidden.
     */
    @Test
    void inputAndOptionsOfJava_reachApplicationsAlone() throws InterruptedException {
        String feed = "head -c 131072 /dev/zero | \"$@\"";
        List<String> line = DsmRun.words(DsmRun.programLine("-n 2", "Ends read"));
        Map<String, String> hidden = Map.of("MUNINN_JAVA_TOOL_OPTIONS", "-Dmuninn.test=1");

        try (DsmRun run = DsmRun.start(line, hidden, List.of("sh", "-c", feed, "sh"))) {
            DsmRun.Result result = run.await().assertStatus(OK);

            String said = "Picked up JAVA_TOOL_OPTIONS: -Dmuninn.test=1";
            assertEquals(List.of(said, said), result.err().lines().toList());
        }
    }

    @Tag("slow")
    @Test
    void inputOfANodeBehindItsSecret_reachesTheApplication() throws InterruptedException {
        String feed = "(cat " + secret + "; head -c 131072 /dev/zero) | \"$@\"";
        String options = "--secret-file=- --no-table " + DsmRun.program("Ends read");

        node(List.of("sh", "-c", feed, "sh"), options, List.of()).assertStatus(OK);
    }

    /** Standard input belongs to the application, and may stay silent for ever. */
    @Tag("slow")
    @Test
    void nodeByHand_neitherReadsNorWatchesItsInput() throws InterruptedException {
        List<String> fed = List.of("sh", "-c", "printf 'x\\n' | \"$@\"", "sh");

        node(fed, "--heartbeat=1", List.of("--", "/bin/sh", "-c", "sleep 3; exit 7"))
                .assertErr("node 0: the application ended with status 7");
    }
}
