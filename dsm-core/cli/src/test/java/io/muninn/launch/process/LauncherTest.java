package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.Grace;
import io.muninn.agent.lifecycle.ServedNodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher over processes that are shells instead of agents. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LauncherTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Remaining agents are killed soon, for any reason. */
    private static final Grace GRACE = new Grace(SHORT, SHORT, SHORT);

    private static final Duration HEARTBEAT_LIMIT = Duration.ofMillis(250);

    /** An agent without a reason to end: it listens to its launcher. */
    private static final String LISTEN = "exec cat >/dev/null";

    @TempDir private Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void allNodesEndWell_isOkAndQuiet() throws InterruptedException {
        assertEquals(ExitStatus.OK, run("exit 0", "exit 0", "exit 0"));
        assertEquals("", messages());
    }

    @Test
    void failureOfTheRoot_isTheStatus() throws InterruptedException {
        assertEquals(ExitStatus.FAILED, run("exit 1", "exit 0"));
    }

    @Test
    void nodeKilledBySignal_isNamedAndEndsTheOthers() throws InterruptedException {
        assertEquals(ExitStatus.NODE_LOST, run(LISTEN, "kill -KILL $$", LISTEN));

        assertTrue(messages().contains("node 1 is lost: its agent was killed by signal 9"));
        assertTrue(messages().contains("node 0 did not end with the run; its agent is killed"));
        assertTrue(messages().contains("node 2 did not end with the run; its agent is killed"));
    }

    /** As while it joins: only the launcher can notify it. */
    @Test
    void nodeThatWaitsForOneThatFailed_endsByItselfWhenItIsTold() throws InterruptedException {
        Grace patient = new Grace(SHORT, LONG, LONG);
        String waits = "read -r secret; until [ \"$(head -c 1)\" = ! ]; do :; done; exit 1";

        assertEquals(ExitStatus.FAILED, run(patient, waits, "exit 2", waits));

        assertEquals("", messages());
    }

    /** The messages of a node that fails otherwise come first, and take a moment. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void nodeThatWaitsForOneThatIsLost_isToldAtOnce(String signal) throws InterruptedException {
        Grace patient = new Grace(LONG, LONG, LONG);
        String waits = "read -r secret; until [ \"$(head -c 1)\" = ! ]; do :; done; exit 1";

        assertEquals(ExitStatus.NODE_LOST, run(patient, waits, "kill -" + signal + " $$", waits));

        assertTrue(messages().startsWith("dsm run: node 1 is lost: its agent "), messages());
        assertEquals(1, messages().lines().count(), messages());
    }

    @Test
    void nodeThatGoesOn_isKilledOnceTheOthersHaveEnded() throws InterruptedException {
        assertEquals(ExitStatus.NODE_LOST, run("exit 0", LISTEN));

        assertTrue(messages().contains("node 1 did not end with the run"), messages());
    }

    /** The others have ended, and nobody else looks after it. */
    @Test
    void nodeStoppedWhenTheRunIsOver_isNamedWithinTheLimit() throws InterruptedException {
        Grace patient = new Grace(SHORT, SHORT, LONG);

        assertEquals(ExitStatus.NODE_LOST, run(patient, "exit 0", "kill -STOP $$"));

        String named = "node 1 is lost: its agent has been stopped for 250 ms";
        assertTrue(messages().startsWith("dsm run: " + named), messages());
    }

    /** None of these nodes begins to join, so no further one may start. */
    @Test
    void moreNodesThanProcessorsCanStart_waitForEarlierOnes() throws InterruptedException {
        int atOnce = Agent.startingMax();
        String[] nodes = new String[atOnce + 2];
        Arrays.fill(nodes, "echo > " + folder + "/$0; " + LISTEN);
        Path last = folder.resolve(Integer.toString(atOnce - 1));
        nodes[0] = "until [ -e " + last + " ]; do head -c 1 >/dev/null; done; exit 1";

        assertEquals(ExitStatus.FAILED, run(nodes));

        assertTrue(Files.exists(last));
        assertFalse(Files.exists(folder.resolve(Integer.toString(atOnce))));
    }

    /** As while it joins: the others wait for it and cannot detect the stop. */
    @Test
    void nodeStoppedBeforeTheOthersKnowIt_isNamedWithinTheLimit() throws InterruptedException {
        assertEquals(ExitStatus.NODE_LOST, run(LISTEN, "kill -STOP $$", LISTEN));

        String named = "node 1 is lost: its agent has been stopped for 250 ms";
        assertTrue(messages().startsWith("dsm run: " + named), messages());
    }

    @Test
    void lastNodeAfterAFailure_isKilledSooner() throws InterruptedException {
        Grace patient = new Grace(LONG, SHORT, LONG);

        assertEquals(ExitStatus.NODE_LOST, run(patient, "exit 3", "kill -STOP $$", "exit 3"));
        assertTrue(messages().contains("node 1 did not end with the run"), messages());
    }

    @Test
    void nodesThatEndLongAfterTheRoot_areLeftAloneIfAllIsWell() throws InterruptedException {
        Grace hasty = new Grace(SHORT, SHORT, LONG);

        assertEquals(ExitStatus.OK, run(hasty, "exit 0", "exec head -c 80 >/dev/null"));
        assertEquals("", messages());
    }

    @Test
    void othersMayEndWell_whileTheRootStillVerifies() throws InterruptedException {
        Path ended = folder.resolve("ended");
        String root = "until [ -e " + ended + " ]; do head -c 1 >/dev/null; done";

        assertEquals(ExitStatus.OK, run(root, "echo > " + ended));
    }

    @Test
    void secret_isTheFirstLineAndTheSameForAll() throws InterruptedException, IOException {
        String tell = "read -r secret; echo \"$secret\" > " + folder + "/$0";

        assertEquals(ExitStatus.OK, run(tell, tell));

        String secret = Files.readString(folder.resolve("0"));
        assertEquals(65, secret.length());
        assertEquals(secret, Files.readString(folder.resolve("1")));
    }

    @Test
    void heartbeats_followTheSecret() throws InterruptedException {
        String threeBytes = "read -r secret; [ \"$(head -c 3)\" = ... ]";

        assertEquals(ExitStatus.OK, run(threeBytes));
    }

    @Test
    void processesOfAnAgentThatIsGone_areFoundAndKilled() throws InterruptedException, IOException {
        Path pid = folder.resolve("pid");
        String leaveOneBehind =
                "setsid sh -c 'kill -STOP $$' </dev/null >/dev/null 2>&1 & echo $! > " + pid;

        assertEquals(ExitStatus.OK, run(leaveOneBehind));

        assertFalse(isRunning(pid));
    }

    @Test
    void nodeThatCannotBeStarted_isToldAndTheOthersEnd() throws IOException {
        Path pid = folder.resolve("pid");
        Launcher launcher =
                launcher(
                        2,
                        (served, _, secret) ->
                                served.hasRoot()
                                        ? shell(0, "echo $$ > " + pid + "; " + LISTEN, secret)
                                        : start(secret, "no\0command"));

        StartException refused = assertThrows(StartException.class, launcher::run);

        assertTrue(refused.getMessage().startsWith("cannot start node 1: "));
        if (Files.exists(pid)) { // otherwise the shell was ended before its first command
            assertFalse(isRunning(pid));
        }
    }

    /** A client of ssh reads what is for its agent from standard input, and its status is 255. */
    @Test
    void clientOfSshWithoutAConnection_isALostNodeOnANamedHost() throws InterruptedException {
        String cut = "read -r secret && [ ${#secret} = 64 ] && exit 255";

        assertEquals(ExitStatus.NODE_LOST, runOnHosts("exec cat >/dev/null", cut));

        String named = "node 1 is lost: its agent on host h1 was killed, or the connection of ssh";
        assertTrue(messages().startsWith("dsm run: " + named), messages());
    }

    @Test
    void hostThatStartsNoNode_isNamed() throws InterruptedException {
        assertEquals(ExitStatus.FAILED, runOnHosts("exec cat >/dev/null", "exit 127"));
        assertTrue(messages().contains("dsm run: host h1 cannot start node 1\n"), messages());

        assertEquals(ExitStatus.USAGE, runOnHosts("exit 2", "exec cat >/dev/null"));
        assertTrue(messages().contains("dsm run: host h0 refuses to start node 0\n"), messages());
    }

    /** Each has processors of its own, so none waits for another. */
    @Test
    void nodesOfOtherHosts_startTogether() throws InterruptedException {
        int many = Agent.startingMax() + 2;
        String[] scripts = new String[many];
        for (int node = 0; node < many; node++) {
            Path last = folder.resolve(Integer.toString(many - 1));
            String wait = "until [ -e " + last + " ]; do head -c 1 >/dev/null; done";
            scripts[node] = "echo > " + folder.resolve(Integer.toString(node)) + "; " + wait;
        }

        assertEquals(ExitStatus.OK, runOnHosts(scripts));
    }

    private int runOnHosts(String... clients) throws InterruptedException {
        List<Launcher.Place> places =
                IntStream.range(0, clients.length)
                        .mapToObj(node ->
                                new Launcher.Place(ServedNodes.of(node), Optional.of("h" + node)))
                        .toList();
        Launcher.Agents agents =
                (served, _, secret) -> start(secret, "sh", "-c", clients[served.first()]);
        return new Launcher(new Launcher.Plan(places, HEARTBEAT_LIMIT, GRACE, agents), streams())
                .run();
    }

    @Test
    void nodes_meetAtAnAddressOfTheRunsOwn() throws InterruptedException {
        StringBuilder meetings = new StringBuilder();
        Launcher.Agents note =
                (_, meeting, secret) -> {
                    meetings.append(meeting).append('\n');
                    return start(secret, "true");
                };

        launcher(2, note).run();
        launcher(1, note).run();

        List<String> lines = meetings.toString().lines().toList();
        assertTrue(lines.getFirst().startsWith("unix:@muninn-"));
        assertEquals(lines.get(0), lines.get(1));
        assertNotEquals(lines.get(0), lines.get(2));
    }

    /** A shell per node, whose $0 is the node's number. */
    private int run(String... scripts) throws InterruptedException {
        return run(GRACE, scripts);
    }

    private int run(Grace grace, String... scripts) throws InterruptedException {
        return launcher(
                        grace,
                        scripts.length,
                        (served, _, secret) ->
                                shell(served.first(), scripts[served.first()], secret))
                .run();
    }

    private static Launcher.AgentStart shell(int node, String script, String secret) {
        return start(secret, "sh", "-c", "exec <&3; " + script, Integer.toString(node));
    }

    /** A command that reads the secret and a newline in place of an agent's configuration. */
    private static Launcher.AgentStart start(String secret, String... command) {
        return new Launcher.AgentStart(
                List.of(command), (secret + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private Launcher launcher(int nodes, Launcher.Agents agents) {
        return launcher(GRACE, nodes, agents);
    }

    private Launcher launcher(Grace grace, int nodes, Launcher.Agents agents) {
        return new Launcher(
                new Launcher.Plan(
                        Launcher.Place.here(nodes, nodes), HEARTBEAT_LIMIT, grace, agents),
                streams());
    }

    private Streams streams() {
        return new Streams(
                true,
                ProcessBuilder.Redirect.INHERIT,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false);
    }

    /** False also for a process that has ended and whose parent has not read its status. */
    private static boolean isRunning(Path pidFile) throws IOException {
        Path status = Path.of("/proc", Files.readString(pidFile).strip(), "status");
        return Files.exists(status) && !Files.readString(status).contains("State:\tZ");
    }

    private String messages() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
