package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.Endless;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any process of a run may be killed or stopped at any time: the others end soon, say which node is
 * lost, and nothing is left. The same on every engine, and kills at random moments, are tagged
 * slow.
 */
@Tag("e2e")
class LossE2eTest {
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);
    private static final Duration HEARTBEAT_LIMIT = Duration.ofSeconds(2);
    private static final Duration AFTER_STOP = HEARTBEAT_LIMIT.plus(AFTER_KILL);
    private static final int NODES = 3;
    private static final int NODE_LOST = 3;

    /** Signal 2 in a mask of /proc. */
    private static final long SIGINT_BIT = 1L << 1;

    /**
     * A program and its options.
     *
     * @param options of the run
     */
    private record Way(String program, String options) {
        @Override
        public String toString() {
            return program + options;
        }
    }

    /** A process of a run. */
    private record Victim(Way way, Role role, int node) {
        @Override
        public String toString() {
            return way + " " + role + " of node " + node;
        }
    }

    /** As annotated, without shared memory, and under each protocol whose acquires invalidate. */
    private static Stream<Way> ways() {
        return Stream.concat(
                Stream.of(new Way("Endless", ""), new Way("EndlessCalls", "")),
                EnginesE2eTest.invalidatedAtAcquires()
                        .map(override -> new Way("Endless", " " + override)));
    }

    /**
     * Every role on the first and on the last node, on every engine, with one agent and with one
     * for each node; the program and its protocol change by turns.
     */
    static List<Arguments> victimsOnEngines() {
        List<Way> ways = ways().toList();
        List<Arguments> victims = new ArrayList<>();
        for (String engine : EnginesE2eTest.engines().toList()) {
            for (String agents : List.of("host", "node")) {
                String options = " --engine " + engine + " --agents " + agents;
                for (Role role : List.of(Role.AGENT, Role.APPLICATION)) {
                    for (int node : List.of(0, NODES - 1)) {
                        int turn = victims.size() + victims.size() / 4; // others for each victim
                        Way way = ways.get(turn % ways.size());
                        victims.add(Arguments.of(options, new Victim(way, role, node)));
                    }
                }
            }
        }
        return victims;
    }

    /** {@link ShippedE2eTest} kills an agent. */
    @Test
    void killedApplication_endsTheRunAndItsNodeIsNamed() throws InterruptedException {
        assertEndsByAKill("", new Victim(new Way("Endless", ""), Role.APPLICATION, 0));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("victimsOnEngines")
    void killedProcess_endsTheRunOnEveryEngine(String options, Victim victim)
            throws InterruptedException {
        assertEndsByAKill(options, victim);
    }

    @Test
    void stoppedAgent_endsTheRunAndItsNodesAreNamed() throws InterruptedException {
        assertEndsByAStop("", new Victim(new Way("Endless", ""), Role.AGENT, 0));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("victimsOnEngines")
    void stoppedProcess_endsTheRunOnEveryEngine(String options, Victim victim)
            throws InterruptedException {
        assertEndsByAStop(options, victim);
    }

    /**
     * As at a breakpoint: its threads of Java stand still, and the process answers all the same.
     */
    @Tag("slow")
    @Test
    void applicationThatADebuggerSuspends_isNotLost() throws Exception {
        String debugged =
                " --jvm-option"
                        + " -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
        String heartbeat = " --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run = underWay("-n " + NODES + heartbeat + debugged)) {
            int count = run.processes().all().size();
            VirtualMachine application = attach(run.out());

            application.suspend();

            assertFalse(
                    MarkedProcesses.awaitUntil(
                            HEARTBEAT_LIMIT.multipliedBy(3),
                            () -> run.processes().all().size() < count),
                    run::err);
            application.dispose();
        }
    }

    /** To the first application that says where it can be debugged. */
    private static VirtualMachine attach(String out) throws Exception {
        Matcher address = Pattern.compile("dt_socket at address: (\\d+)").matcher(out);
        assertTrue(address.find(), out);
        AttachingConnector sockets =
                Bootstrap.virtualMachineManager().attachingConnectors().stream()
                        .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Connector.Argument> arguments = sockets.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(address.group(1));
        return sockets.attach(arguments);
    }

    private static void assertEndsByAKill(String options, Victim victim)
            throws InterruptedException {
        try (DsmRun run = underWay("-n " + NODES + options, victim.way)) {
            Member member = run.member(victim.role, victim.node);
            member.signal("KILL");

            assertLost(run, member, AFTER_KILL);
        }
    }

    private static void assertEndsByAStop(String options, Victim victim)
            throws InterruptedException {
        String heartbeat = " --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run = underWay("-n " + NODES + heartbeat + options, victim.way)) {
            Member member = run.member(victim.role, victim.node);
            member.signal("STOP");

            assertLost(run, member, AFTER_STOP);
        }
    }

    /** As by Ctrl-Z and fg, docker pause, or the lid of a laptop. */
    @Tag("slow")
    @Test
    void suspendedRun_goesOn(@TempDir Path folder) throws InterruptedException, IOException {
        Path end = folder.resolve("end");
        String heartbeat = "-n 2 --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run = underWay(heartbeat, new Way("Endless " + end, ""), 2)) {
            suspend(run, HEARTBEAT_LIMIT.multipliedBy(2)).forEach(member -> member.signal("CONT"));

            Files.createFile(end);

            run.await().assertStatus(0);
        }
    }

    /** Within the heartbeat limit, and launcher and root last. */
    @Tag("slow")
    @Test
    void suspendedRunWhoseNodesGoOnOneAfterAnother_goesOn(@TempDir Path folder)
            throws InterruptedException, IOException {
        Path end = folder.resolve("end");
        String heartbeat =
                "--agents node -n " + NODES + " --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run = underWay(heartbeat, new Way("Endless " + end, ""))) {
            List<Member> all = suspend(run, HEARTBEAT_LIMIT.multipliedBy(3));
            for (int node = NODES - 1; node >= -1; node--) {
                int next = node;
                all.stream()
                        .filter(member -> member.node() == next)
                        .forEach(member -> member.signal("CONT"));
                LockSupport.parkNanos(
                        HEARTBEAT_LIMIT.toNanos() / (NODES + 2)); // the pause under test
            }

            Files.createFile(end);

            run.await().assertStatus(0);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"AGENT, 0", "APPLICATION, 2"})
    void processKilledInASuspendedRun_isNamedWhenTheRunGoesOn(Role role, int node)
            throws InterruptedException {
        String heartbeat = "-n " + NODES + " --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run = underWay(heartbeat)) {
            Member victim = run.member(role, node);
            List<Member> all = suspend(run, HEARTBEAT_LIMIT.multipliedBy(2));
            victim.signal("KILL");
            all.forEach(member -> member.signal("CONT"));

            assertLost(run, victim, AFTER_KILL);
        }
    }

    @Tag("slow")
    @Test
    void suspensionWhileNodesAreStillJoining_endsNothing(@TempDir Path folder)
            throws InterruptedException, IOException {
        Path end = Files.createFile(folder.resolve("end"));
        String line =
                DsmRun.programLine("--join-timeout 8 --heartbeat 2 -n " + NODES, "Endless " + end);
        try (DsmRun run = DsmRun.start(line)) {
            assertTrue(
                    MarkedProcesses.awaitUntil(
                            DsmRun.LIMIT,
                            () -> run.processes().find(Role.APPLICATION, 1).isPresent()));
            suspend(run, Duration.ofSeconds(10)).forEach(member -> member.signal("CONT"));

            run.await().assertStatus(0);
        }
    }

    /** Stops every process of a run for so long. */
    private static List<Member> suspend(DsmRun run, Duration time) {
        List<Member> all = run.processes().all();
        all.forEach(member -> member.signal("STOP"));
        LockSupport.parkNanos(time.toNanos());
        return all;
    }

    @Test
    void killedLauncher_takesTheRunWithIt() throws InterruptedException {
        try (DsmRun run = underWay("-n 2", new Way("Endless", ""), 2)) {
            run.member(Role.LAUNCHER, -1).signal("KILL");

            assertEquals(List.of(), run.processes().awaitNone(AFTER_KILL), run::err);
        }
    }

    @Tag("slow")
    @Test
    void stoppedLauncher_isGivenUpByTheNodes() {
        try (DsmRun run = underWay("-n " + NODES + " --heartbeat " + HEARTBEAT_LIMIT.toSeconds())) {
            Member launcher = run.member(Role.LAUNCHER, -1);
            launcher.signal("STOP");

            assertTrue(
                    MarkedProcesses.awaitUntil(
                            AFTER_STOP, () -> run.processes().all().equals(List.of(launcher))),
                    () -> run.processes().all() + "\n" + run.err());
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    void launcherToldToEnd_endsTheNodes(String signal, int status)
            throws InterruptedException, IOException {
        assumeFalse(
                signal.equals("INT") && ignoresInterrupts(),
                "whoever started this test ignores SIGINT, and so do its children");
        try (DsmRun run = underWay("-n 2", new Way("Endless", ""), 2)) {
            run.member(Role.LAUNCHER, -1).signal(signal);

            assertEquals(status, run.await(AFTER_KILL).status());
        }
    }

    /** A shell starts background commands with SIGINT ignored, and children inherit this. */
    private static boolean ignoresInterrupts() throws IOException {
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            String mask =
                    status.filter(line -> line.startsWith("SigIgn:"))
                            .map(line -> line.substring("SigIgn:".length()).strip())
                            .findFirst()
                            .orElseThrow();
            return (Long.parseUnsignedLong(mask, 16) & SIGINT_BIT) != 0;
        }
    }

    @Tag("slow")
    @Test
    void killWhileNodesAreStillJoining_endsTheRun() throws InterruptedException {
        try (DsmRun run =
                DsmRun.start(DsmRun.programLine("--agents node -n " + NODES, "Endless"))) {
            assertTrue(
                    MarkedProcesses.awaitUntil(
                            DsmRun.LIMIT,
                            () -> run.processes().find(Role.AGENT, NODES - 1).isPresent()));
            run.member(Role.AGENT, 1).signal("KILL");

            DsmRun.Result result = run.await(AFTER_KILL.plus(AFTER_KILL));
            result.assertStatus(NODE_LOST).assertErr("node 1 is lost");
        }
    }

    /**
     * The root cannot know who it is that does not come; the launcher sees why. The application is
     * about to connect to its agent.
     */
    @Tag("slow")
    @Test
    void stopWhileNodesAreStillJoining_endsTheRunWithinTheLimit() throws InterruptedException {
        String heartbeat = " --heartbeat " + HEARTBEAT_LIMIT.toSeconds();
        try (DsmRun run =
                DsmRun.start(
                        DsmRun.programLine("--agents node -n " + NODES + heartbeat, "Endless"))) {
            assertTrue(
                    MarkedProcesses.awaitUntil(
                            DsmRun.LIMIT,
                            () -> run.processes().find(Role.APPLICATION, 1).isPresent()));
            Member stopped = run.member(Role.AGENT, 1);
            stopped.signal("STOP");

            assertLost(run, stopped, AFTER_STOP);
            assertFalse(run.err().contains("\tat "), run::err);
        }
    }

    @Test
    void killedRun_leavesNoFileAndNoSocket(@TempDir Path temporary)
            throws InterruptedException, IOException {
        assertLeavesNothing("node", temporary);
    }

    @Tag("slow")
    @Test
    void killedRunOfOneAgent_leavesNoFileAndNoSocket(@TempDir Path temporary)
            throws InterruptedException, IOException {
        assertLeavesNothing("host", temporary);
    }

    /** Only agents that must find each other listen. */
    private static void assertLeavesNothing(String agents, Path temporary)
            throws InterruptedException, IOException {
        Leftovers leftovers = new Leftovers(temporary);
        String line =
                DsmRun.programLine(
                        "--agents " + agents + " --json /dev/null -n " + NODES, "Endless");
        try (DsmRun run = DsmRun.start(DsmRun.words(line), leftovers.environment(), List.of())) {
            run.awaitOutput(Endless.UNDER_WAY, NODES);
            String root = rootAddress(run);
            leftovers.watch(run, root);
            assertEquals(agents.equals("node"), Leftovers.sockets().contains(root), root);

            run.processes().all().forEach(member -> member.signal("KILL"));

            leftovers.assertNone(run, AFTER_KILL);
        }
    }

    /** Every engine, with nodes of one process and of several, and the number of processes. */
    static Stream<Arguments> shapesOnEngines() {
        return EnginesE2eTest.engines()
                .map(engine -> " --engine " + engine)
                .flatMap(options ->
                        Stream.of(
                                Arguments.of("-n " + NODES + options, NODES),
                                Arguments.of("-n 2 --processes 2" + options, 4)));
    }

    @ParameterizedTest
    @MethodSource("shapesOnEngines")
    @Tag("slow")
    void thirtyKillsAtRandomMoments_leaveNothing(String options, int processes)
            throws InterruptedException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Way> ways = ways().toList();
        for (int i = 0; i < 30; i++) {
            try (DsmRun run = underWay(options, ways.get(i % ways.size()), processes)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500)));
                List<Member> members = run.processes().all();
                Member victim = members.get(random.nextInt(members.size()));
                victim.signal("KILL");

                String context = "kill " + i + " of seed " + seed + ", " + victim;
                if (victim.role() == Role.LAUNCHER) {
                    assertEquals(List.of(), run.processes().awaitNone(AFTER_KILL), context);
                } else {
                    assertLost(run, victim, AFTER_KILL);
                }
            }
        }
    }

    private static DsmRun underWay(String options) {
        return underWay(options, new Way("Endless", ""));
    }

    private static DsmRun underWay(String options, Way way) {
        return underWay(options, way, NODES);
    }

    private static DsmRun underWay(String options, Way way, int processes) {
        DsmRun run = DsmRun.startProgram(options + way.options, way.program);
        run.awaitOutput(Endless.UNDER_WAY, processes); // the other program says the same
        return run;
    }

    private static void assertLost(DsmRun run, Member member, Duration limit)
            throws InterruptedException {
        DsmRun.Result result = run.await(limit);

        result.assertStatus(NODE_LOST);
        assertTrue(
                result.err().lines().anyMatch(line -> line.matches(lossOf(member))),
                result::toString);
    }

    /** Said by another node or the launcher of it, or by the node of itself. */
    private static String lossOf(Member member) {
        int node = member.node();
        return node == member.last()
                ? "(.*: )?node " + node + " is lost: .*|node " + node + ": lost: .*"
                : "dsm run: nodes " + node + " to " + member.last() + " are lost: their agent .*";
    }

    private static String rootAddress(DsmRun run) throws IOException {
        long pid = run.member(Role.AGENT, 0).pid();
        String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        return Stream.of(command.split("\0"))
                .filter(word -> word.startsWith("--root=unix:"))
                .map(word -> word.substring("--root=unix:".length()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"-n 3, node 2", "-n 2 --processes 2, process 1 of node 1"})
    void readerThatIsLost_endsTheWaitsOfWriters(String options, String lost)
            throws InterruptedException {
        DsmRun.run(DsmRun.programLine(options + " --no-table", "LostReader"))
                .assertOut("the wait of node 0 has ended")
                .assertOut("the wait of node 1 has ended")
                .assertErr(lost)
                .assertStatus(NODE_LOST);
    }
}
