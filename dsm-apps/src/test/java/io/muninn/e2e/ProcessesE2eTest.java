package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.Endless;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes of several application processes: to a program each process is a node, and processes of one
 * node share its pages without messages. All protocols on all engines are tagged slow.
 */
@Tag("e2e")
class ProcessesE2eTest {
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);
    private static final int NODE_LOST = 3;
    private static final String PROCESSES = "--processes ";

    /** Nodes, processes and threads. */
    private static final List<String> SHAPES =
            List.of("-n 2 --processes 2", "-n 1 --processes 4", "-n 2 --processes 2 --threads 2");

    /**
     * Barriers, letters, locks, conditions, reductions, shipped objects and allocations; %d is the
     * number of processes per node.
     */
    private static final List<String> PROGRAMS =
            List.of(
                    "Neighbours, 25 rounds",
                    "MessageChain, 40 laps",
                    "LockedStores, 150 rounds",
                    "ReadMostly, readers saw whole tables",
                    "BoundedBuffer, items were taken",
                    "Reduces %d, 60 rounds of reductions",
                    "ShippedCallPromises, 10 rounds");

    static Stream<Arguments> programsOnEngines() {
        return EnginesE2eTest.engines()
                .flatMap(engine ->
                        SHAPES.stream().flatMap(shape -> programs(shape + " --engine " + engine)));
    }

    /** A signal, and the node and the process that get it. */
    static Stream<Arguments> losses() {
        return EnginesE2eTest.engines()
                .flatMap(engine ->
                        Stream.of("KILL", "STOP")
                                .flatMap(signal ->
                                        Stream.of(0, 1)
                                                .map(place ->
                                                        Arguments.of(
                                                                signal, place, 1 - place,
                                                                engine))));
    }

    static Stream<Arguments> programsUnderProtocols() {
        return Arrays.stream(ProtocolKind.values())
                .map(ProtocolKind::protocol)
                .distinct()
                .filter(protocol -> !protocol.isSealed())
                .map(Protocol::word)
                .flatMap(word -> programs(SHAPES.getFirst() + " --protocol " + word));
    }

    private static Stream<Arguments> programs(String options) {
        return PROGRAMS.stream()
                .map(program -> program.split(", "))
                .map(words ->
                        Arguments.of(options, words[0].formatted(processes(options)), words[1]));
    }

    private static int processes(String options) {
        return new Scanner(options.substring(options.indexOf(PROCESSES) + PROCESSES.length()))
                .nextInt();
    }

    @ParameterizedTest
    @CsvSource({
        "-n 2 --processes 2 --protocol home-based, LockedStores, 150 rounds",
        "-n 2 --processes 2 --engine mprotect+signal, ReadMostly, readers saw whole tables"
    })
    void program_isRightWithSeveralProcesses(String options, String program, String detail)
            throws InterruptedException {
        DsmRun.run(DsmRun.programLine(options, program))
                .assertStatus(0)
                .assertOut("verified: ")
                .assertOut(detail);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource({"programsOnEngines", "programsUnderProtocols"})
    void program_isRightOnEveryEngineAndUnderEveryProtocol(
            String options, String program, String detail) throws InterruptedException {
        program_isRightWithSeveralProcesses(options, program, detail);
    }

    /** A page is fetched once for all processes of a node. */
    @Tag("slow")
    @Test
    void processesOfANode_shareItsPages() throws InterruptedException {
        JsonObject alone = DsmRun.report("-n 4 --protocol home-based", "diff");
        JsonObject shared = DsmRun.report("-n 2 --processes 2 --protocol home-based", "diff");

        assertTrue(shared.get("verified").getAsBoolean(), shared::toString);
        long fetchedAlone = fetched(alone);
        assertTrue(
                fetched(shared) <= 0.6 * fetchedAlone,
                () -> fetched(shared) + " pages fetched, and " + fetchedAlone + " by four nodes");
    }

    private static long fetched(JsonObject report) {
        return report.getAsJsonObject("totals").get("pagesFetched").getAsLong();
    }

    @Test
    void killedProcess_endsTheRunAndIsNamed() throws InterruptedException {
        lostProcess_endsTheRunAndIsNamed("KILL", 1, 1, "uffd+signal");
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("losses")
    void lostProcess_endsTheRunAndIsNamed(String signal, int node, int process, String engine)
            throws InterruptedException {
        String options = "-n 2 --processes 2 --heartbeat 2 --engine " + engine;
        try (DsmRun run = DsmRun.startProgram(options, "Endless")) {
            run.awaitOutput(Endless.UNDER_WAY, 4);
            Optional<Member> victim =
                    run.processes().all().stream()
                            .filter(member -> member.role() == Role.APPLICATION)
                            .filter(member -> member.node() == node)
                            .filter(member -> member.process() == process)
                            .findFirst();
            victim.orElseThrow().signal(signal);

            run.await()
                    .assertStatus(NODE_LOST)
                    .assertErr(
                            "node " + node + " is lost: process " + process + " of node " + node);
            assertEquals(List.of(), run.processes().awaitNone(AFTER_KILL));
        }
    }

    @Test
    void processThatExits_isALoss() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 1 --processes 2", "Ends exit"))
                .assertStatus(NODE_LOST)
                .assertErr(" of node 0 ended with status 0 before the run was over");
    }

    @Test
    void programThatThrows_failsTheRunOfAllProcesses() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 1 --processes 2", "Ends throw"))
                .assertStatus(1)
                .assertErr("IllegalStateException: on purpose");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"0", "x"})
    void numberOfProcesses_isChecked(String processes) throws InterruptedException {
        DsmRun.run("run -n 1 --processes " + processes + " hello")
                .assertStatus(2)
                .assertErr("--processes");
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "-n 8 --processes 16, 8 nodes of 16 processes are more than the 64",
        "-n 1 --processes 4 --threads 512, 4 processes of 512 threads are more than the 1024"
    })
    void tooManyProcesses_areRefused(String options, String reason) throws InterruptedException {
        DsmRun.run("run " + options + " hello").assertStatus(2).assertErr(reason);
    }
}
