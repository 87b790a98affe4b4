package io.muninn.launch;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dsm node} as a process: how applications end, and what the agent makes of it. */
class AgentProcessTest {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir private Path folder;
    private Path secret;

    /** How an agent ended. */
    private record Result(int status, String out, String err) {
        Result assertStatus(int expected) {
            assertEquals(expected, status, this::toString);
            return this;
        }

        Result assertErr(String part) {
            assertTrue(err.contains(part), () -> "'" + part + "' is missing in " + this);
            return this;
        }
    }

    @BeforeEach
    void writeSecret() throws IOException {
        secret = folder.resolve("secret");
        Files.createFile(
                secret, PosixFilePermissions.asFileAttribute(Set.of(OWNER_READ, OWNER_WRITE)));
        Files.writeString(secret, "0123456789abcdef0123456789abcdef\n");
    }

    /** The only node of a cluster, with these options and these words behind them. */
    private Result node(String options, String... words) throws Exception {
        return await(start(nodeArguments(options, words), true));
    }

    private List<String> nodeArguments(String options, String... words) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--id=0",
                                "--root=unix:@muninn-test-"
                                        + ProcessHandle.current().pid()
                                        + "-"
                                        + System.nanoTime(),
                                "--secret-file=" + secret));
        if (!options.contains("--nodes")) {
            arguments.add("--nodes=1");
        }
        Arrays.stream(options.split(" ")).filter(word -> !word.isEmpty()).forEach(arguments::add);
        arguments.addAll(List.of(words));
        return arguments;
    }

    private Result program(String options, String way) throws Exception {
        Path classes =
                Path.of(
                        EndingProgram.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        return node(
                options + " --no-table --class-path " + classes,
                EndingProgram.class.getName(),
                way);
    }

    private Process start(List<String> arguments, boolean emptyInput) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        command.addAll(JvmFlags.agentFlags());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        if (emptyInput) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        builder.redirectOutput(folder.resolve("out").toFile());
        builder.redirectError(folder.resolve("err").toFile());
        return builder.start();
    }

    private Result await(Process agent) throws Exception {
        boolean ended = agent.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        List<ProcessHandle> children = agent.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        agent.destroyForcibly().waitFor();
        Result result =
                new Result(
                        agent.exitValue(),
                        Files.readString(folder.resolve("out")),
                        Files.readString(folder.resolve("err")));
        assertTrue(ended, () -> "it did not end: " + result);
        assertEquals(List.of(), children, "processes are left");
        return result;
    }

    @Test
    void commandThatDoesNotExist_isAFailedRun() throws Exception {
        node("", "--", "/no/such/command")
                .assertStatus(ExitStatus.FAILED)
                .assertErr("node 0: the application cannot be started: ");
    }

    @Test
    void applicationThatEndsBeforeItJoined_isAFailedRunWhateverItsStatus() throws Exception {
        for (int status : new int[] {0, 1, 3, 42}) {
            node("", "--", "/bin/sh", "-c", "exit " + status)
                    .assertStatus(ExitStatus.FAILED)
                    .assertErr(
                            "node 0: the application ended with status "
                                    + status
                                    + " before it had joined");
        }
    }

    @Test
    void applicationThatRefusesItsOptions_isAWrongUsage() throws Exception {
        Result result = node("", "--", "/bin/sh", "-c", "echo no such option >&2; exit 2");

        assertEquals(new Result(ExitStatus.USAGE, "", "no such option\n"), result);
    }

    @Test
    void applicationKilledBeforeItJoined_isALostNode() throws Exception {
        node("", "--", "/bin/sh", "-c", "kill -KILL $$")
                .assertStatus(ExitStatus.NODE_LOST)
                .assertErr("was ended by signal 9 before it had joined");
    }

    @Test
    void applicationStoppedBeforeItJoined_isALostNodeAfterTheHeartbeatLimit() throws Exception {
        node("--heartbeat=1", "--", "/bin/sh", "-c", "kill -STOP $$")
                .assertStatus(ExitStatus.NODE_LOST)
                .assertErr("node 0: lost: its application has been stopped for 1000 ms");
    }

    @Test
    void applicationThatNeverJoins_isEndedAfterTheJoinTimeout() throws Exception {
        node("--join-timeout=1", "--", "/bin/sleep", "1000")
                .assertStatus(ExitStatus.FAILED)
                .assertErr("node 0: the application did not join within 1 s");
    }

    @Test
    void clusterThatStaysIncomplete_isRefusedToTheApplicationInOneLine() throws Exception {
        Result result = program("--nodes=2 --join-timeout=3", "right");

        result.assertStatus(ExitStatus.FAILED).assertErr("node 0: ");
        assertFalse(result.err().contains("\tat "), result.err());
    }

    @Test
    void rightResult_isWrittenAndSaid() throws Exception {
        Path json = folder.resolve("report");

        Result result = program("--json=" + json, "right").assertStatus(ExitStatus.OK);

        assertEquals("verified: words are there\n", result.out());
        assertEquals("", result.err());
        assertTrue(Files.readString(json).contains("\"verified\": true"));
    }

    @Test
    void reportThatCannotBeWritten_isAFailedRunThatSaysSo() throws Exception {
        Path full = Path.of("/dev/full");

        program("--json=" + full, "right")
                .assertStatus(ExitStatus.FAILED)
                .assertErr("node 0: cannot write /dev/full: ");
    }

    @Test
    void wrongResult_isAFailedRunWithAReport() throws Exception {
        Path json = folder.resolve("report");

        Result result = program("--json=" + json, "wrong").assertStatus(ExitStatus.FAILED);

        assertEquals("WRONG RESULT: on purpose\n", result.out());
        assertTrue(Files.readString(json).contains("\"verified\": false"));
    }

    @Test
    void layoutThatDoesNotFit_isRefusedInOneLineWithTheVariable() throws Exception {
        Result result = program("--memory=1m", "right").assertStatus(ExitStatus.FAILED);

        assertEquals(
                "node 0: variable 'words' of 8388608 bytes does not fit: shared memory would reach"
                        + " 8388608 bytes, and this node has 1048576 (option --memory)\n",
                result.err());
    }

    /** The thread that prints the trace stood in a barrier when the other failed. */
    @Test
    void failureOfAnyThread_printsItsTraceAndEndsTheOthers() throws Exception {
        Result result = program("--threads=3", "throw").assertStatus(ExitStatus.FAILED);

        result.assertErr("node 0: java.lang.IllegalStateException: on purpose\n\tat ");
    }

    @Test
    void failureBesideAThreadThatNobodyCanWake_isToldByTheAgent() throws Exception {
        Result result =
                program("--threads=2", "throw, and another computes on")
                        .assertStatus(ExitStatus.FAILED);

        result.assertErr(
                "node 0: its application does not end after its program failed:"
                        + " java.lang.IllegalStateException: on purpose\n\tat ");
    }

    @Test
    void applicationThatExitsBeforeTheEnd_isALostNode() throws Exception {
        program("", "exit")
                .assertStatus(ExitStatus.NODE_LOST)
                .assertErr(
                        "node 0: lost: its application ended with status 0 before the run was"
                                + " over");
    }

    /** Standard input belongs to whoever runs the node by hand, and may stay silent for ever. */
    @Test
    void nodeByHand_neitherReadsNorWatchesItsInput() throws Exception {
        List<String> arguments =
                nodeArguments("--heartbeat=1", "--", "/bin/sh", "-c", "sleep 3; exit 7");
        Process agent = start(arguments, false);
        agent.getOutputStream().write(new byte[] {'x', '\n'});
        agent.getOutputStream().close();

        await(agent).assertErr("node 0: the application ended with status 7");
    }
}
