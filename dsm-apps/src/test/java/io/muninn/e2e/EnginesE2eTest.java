package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.agent.memory.Engines;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.StoppedOwner;
import io.muninn.spi.ProtocolTraits.Trait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs on every engine, and nodes with different ones.
 *
 * <p>All other tests of whole runs take the engine that is preferred, so by default it is left out
 * here and each of the others runs a few programs. More programs, on every engine, and long storms
 * of garbage are tagged slow.
 */
@Tag("e2e")
class EnginesE2eTest {
    private static final List<String> FEW_PROGRAMS =
            List.of("-n 2 --threads 2, Neighbours, 25 rounds");

    private static final List<String> MORE_PROGRAMS =
            List.of(
                    "-n 3, LockedStores, 150 rounds",
                    "-n 2 --threads 2, Reduces, 60 rounds of reductions",
                    "-n 3, LockChain, 30 laps",
                    "-n 3 --threads 2, MessageChain, 40 laps",
                    "-n 3 --threads 2, Straddle, everyone got through",
                    "-n 3 --threads 2, Neighbours, 25 rounds",
                    "-n 3 --threads 2, ShippedCallPromises, 10 rounds",
                    "-n 3, FileTransfers, 9 turns");

    /** Their nodes synchronize, so that other protocols may take the place of the annotated. */
    private static final List<String> SYNCHRONIZED_PROGRAMS =
            List.of(
                    "-n 3, LockedStores, 150 rounds",
                    "-n 3, LockChain, 30 laps",
                    "-n 3 --threads 2, MessageChain, 40 laps",
                    "-n 3 --threads 2, Neighbours, 25 rounds",
                    "-n 3 --threads 2, ShippedCallPromises, 10 rounds",
                    "-n 3 --threads 2, BoundedBuffer, 180 items were taken",
                    "-n 3, FileTransfers, 9 turns");

    private static final String SINGLE_WRITER = "--protocol lazy --lazy-writers single";

    private static final List<String> COLLECTORS = List.of("G1", "ZGC");

    /** Every engine, the preferred one first. */
    static Stream<String> engines() {
        return Engines.words().stream().filter(word -> !word.equals(Engines.AUTO));
    }

    /** Those that no other test takes. */
    static Stream<String> otherEngines() {
        return engines().skip(1);
    }

    /** An option of a run for each protocol whose acquires make copies stale. */
    static Stream<String> invalidatedAtAcquires() {
        return ProtocolKind.with(Trait.ACQUIRES_INVALIDATE).stream()
                .map(protocol -> "--protocol " + protocol.word());
    }

    static Stream<Arguments> fewProgramsOnOtherEngines() {
        return otherEngines().flatMap(engine -> on(engine, FEW_PROGRAMS));
    }

    static Stream<Arguments> moreProgramsOnEngines() {
        return engines().flatMap(engine -> on(engine, MORE_PROGRAMS));
    }

    private static Stream<Arguments> on(String engine, List<String> programs) {
        return programs.stream()
                .map(program -> program.split(", "))
                .map(words -> Arguments.of(engine, words[0], words[1], words[2]));
    }

    private static Stream<Arguments> on(String engine, String override) {
        List<String> overridden =
                SYNCHRONIZED_PROGRAMS.stream().map(program -> override + " " + program).toList();
        return on(engine, overridden);
    }

    static Stream<Arguments> synchronizedProgramsOnEngines() {
        return Stream.concat(invalidatedAtAcquires(), Stream.of(SINGLE_WRITER))
                .flatMap(override -> engines().flatMap(engine -> on(engine, override)));
    }

    static Stream<Arguments> collectorsOnEngines() {
        return engines()
                .flatMap(engine -> COLLECTORS.stream().map(each -> Arguments.of(engine, each)));
    }

    @ParameterizedTest
    @MethodSource("fewProgramsOnOtherEngines")
    void program_isRightOnOtherEngines(String engine, String options, String program, String detail)
            throws InterruptedException {
        String all = options + " --engine " + engine;
        DsmRun.run(DsmRun.programLine(all, program))
                .assertStatus(0)
                .assertOut("verified: " + detail)
                .assertOut("engine " + engine + " (asked for, by ");
    }

    /** A hold of a second for each page that is passed on would take some minutes. */
    @Tag("slow")
    @Test
    void hold_endsWhenTheThreadsHaveLeftTheSection() throws InterruptedException {
        assertHoldEnds(Engines.AUTO);
    }

    @ParameterizedTest
    @MethodSource("otherEngines")
    @Tag("slow")
    void hold_endsOnOtherEngines(String engine) throws InterruptedException {
        assertHoldEnds(engine);
    }

    private static void assertHoldEnds(String engine) throws InterruptedException {
        String options = "run -n 2 --threads 2 --protocol conventional --hold-micros 1000000";
        DsmRun.run(options + " --engine " + engine + " counter --increments 150")
                .assertStatus(0)
                .assertOut("verified: counter is 600");
    }

    @ParameterizedTest
    @MethodSource({"moreProgramsOnEngines", "synchronizedProgramsOnEngines"})
    @Tag("slow")
    void program_isRightOnEveryEngine(String engine, String options, String program, String detail)
            throws InterruptedException {
        program_isRightOnOtherEngines(engine, options, program, detail);
    }

    @ParameterizedTest
    @MethodSource("otherEngines")
    @Tag("slow")
    void stormOfGarbage_doesNotStallFaultsOnOtherEngines(String engine)
            throws InterruptedException {
        assertStormIsRight(engine, 1, COLLECTORS.getFirst(), "--seconds 1");
    }

    @ParameterizedTest
    @MethodSource("collectorsOnEngines")
    @Tag("slow")
    void longStormOfGarbage_doesNotStallFaultsOnAnyEngine(String engine, String collector)
            throws InterruptedException {
        assertStormIsRight(engine, 2, collector, "--seconds 20 --version dsm");
        assertStormIsRight(engine, 1, collector, "--seconds 20 --version ship");
    }

    private static void assertStormIsRight(
            String engine, int threads, String collector, String words)
            throws InterruptedException {
        String options = "-n 2 --threads " + threads + " --gc " + collector + " --engine " + engine;
        JsonObject report = DsmRun.report(options, "gcstorm " + words);

        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertEquals(engine, report.get("engine").getAsString());
        List<String> protocols = new ArrayList<>();
        for (JsonElement region : report.getAsJsonArray("regions")) {
            protocols.add(region.getAsJsonObject().get("protocol").getAsString());
        }
        List<String> merging = ProtocolKind.with(Trait.TWINS).stream().map(Protocol::word).toList();
        assertTrue(protocols.containsAll(merging), protocols::toString);
    }

    /**
     * A shell or a debugger stops all threads of an application, but its node still gives away its
     * pages. For {@code mprotect+signal} this is the work of a process beside the application.
     */
    @Test
    void stoppedApplication_givesAwayItsPages(@TempDir Path folder)
            throws InterruptedException, IOException {
        assertGivesAwayItsPages("--engine mprotect+signal", folder);
    }

    @ParameterizedTest
    @MethodSource("engines")
    @Tag("slow")
    void stoppedApplication_givesAwayItsPagesOnEveryEngine(String engine, @TempDir Path folder)
            throws InterruptedException, IOException {
        assertGivesAwayItsPages("--engine " + engine, folder);
    }

    static Stream<String> engineOptionsOfInvalidated() {
        return invalidatedAtAcquires()
                .flatMap(override -> engines().map(engine -> override + " --engine " + engine));
    }

    @ParameterizedTest
    @MethodSource("engineOptionsOfInvalidated")
    @Tag("slow")
    void stoppedHome_givesAwayItsPagesOnEveryEngine(String options, @TempDir Path folder)
            throws InterruptedException, IOException {
        assertGivesAwayItsPages(options, folder);
    }

    private static void assertGivesAwayItsPages(String way, Path folder)
            throws InterruptedException, IOException {
        Path stopped = folder.resolve("stopped");
        String options = "-n 2 --heartbeat 600 " + way;
        try (DsmRun run = DsmRun.startProgram(options, "StoppedOwner " + stopped)) {
            run.awaitOutput(StoppedOwner.OWNED, 1);
            Member owner = run.member(Role.APPLICATION, 1);
            owner.signal("STOP");
            Files.createFile(stopped);

            run.awaitOutput(StoppedOwner.TAKEN, 1);

            owner.signal("CONT");
            run.await().assertStatus(0);
        }
    }

    private static JsonObject checkup = new JsonObject();

    @BeforeAll
    static void askTheDoctor() throws InterruptedException {
        checkup = JsonParser.parseString(DsmRun.run("doctor --json").out()).getAsJsonObject();
    }

    /** System calls on region memory behave as the documentation says. */
    @Test
    void systemCallsOnRegions_waitOnlyWhereTheDoctorSaysSo() throws InterruptedException {
        systemCallsOnEveryEngine_waitOnlyWhereTheDoctorSaysSo("uffd+event");
    }

    @ParameterizedTest
    @MethodSource("engines")
    @Tag("slow")
    void systemCallsOnEveryEngine_waitOnlyWhereTheDoctorSaysSo(String engine)
            throws InterruptedException {
        boolean wait =
                checkup.getAsJsonArray("engines").asList().stream()
                        .map(JsonElement::getAsJsonObject)
                        .filter(trial -> trial.get("engine").getAsString().equals(engine))
                        .filter(trial -> trial.get("works").getAsBoolean())
                        .findFirst()
                        .orElseThrow()
                        .get("systemCallsWait")
                        .getAsBoolean();

        DsmRun.run(DsmRun.programLine("-n 2 --engine " + engine, "SystemCalls"))
                .assertStatus(0)
                .assertOut("absent: " + (wait ? "all" : "Bad address"))
                .assertOut("partly: " + (wait ? "all" : "short"))
                .assertOut("views: all");
    }

    @Test
    void nodes_mayTakeDifferentEngines(@TempDir Path folder)
            throws InterruptedException, IOException {
        List<String> engines = engines().toList();
        Path secret = Nodes.secretFile(folder, "secret", "what all nodes of this run share");
        Path json = folder.resolve("report");
        String root = "127.0.0.1:" + Nodes.freePort();
        String program = DsmRun.program("Neighbours");
        String first = "--json " + json + " --engine " + engines.getFirst() + " " + program;
        String last = "--engine " + engines.getLast() + " " + program;
        try (DsmRun zero = Nodes.start(0, 2, root, secret, first);
                DsmRun one = Nodes.start(1, 2, root, secret, last)) {
            one.await().assertStatus(0);
            zero.await()
                    .assertStatus(0)
                    .assertOut("verified: 25 rounds")
                    .assertOut("engine of node 0 " + engines.getFirst())
                    .assertOut("engine of node 1 " + engines.getLast());
        }
        JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        Map<Integer, String> expected = Map.of(0, engines.getFirst(), 1, engines.getLast());
        expected.forEach((node, engine) ->
                assertEquals(
                        engine,
                        report.getAsJsonArray("perNode")
                                .get(node)
                                .getAsJsonObject()
                                .get("engine")
                                .getAsString()));
    }
}
