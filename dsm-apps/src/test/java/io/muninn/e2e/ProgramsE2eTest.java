package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.programs.Endless;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Built-in programs, run as a user runs them, verify their results on several nodes.
 *
 * <p>By default some programs of every kind run (bands and tasks; memory, messages and shipped
 * objects), on two or three nodes. All programs, and more nodes, threads and protocols of each, are
 * tagged slow; the simulator has them by default, in {@code SimulatedProgramsTest} and {@code
 * ProtocolCountsTest}. Lazy and home-based pages have a live run in {@code SemanticsE2eTest} and
 * {@code SimulationE2eTest}, prefetches in {@code HintsE2eTest}.
 *
 * <p>By default applications have the quick compiler and collector, a sixth of the processor time
 * of a short run; what is tagged slow has a user's.
 */
@Tag("e2e")
class ProgramsE2eTest {
    private static final String SMALL_DIFF = "diff --rows 128 --columns 256 --sweeps 20";

    @ParameterizedTest
    @CsvSource({
        "2, --protocol migratory --idle spin, counter --increments 500",
        "2, --threads 2, qsort --version ship --size 20000 --threshold 500",
        "2, --protocol hybrid, gauss --size 64"
    })
    void programOverSharedMemory_verifiesAndHasFaultedAndSent(
            int nodes, String options, String program) throws InterruptedException {
        assertVerifiesAndHasFaultedAndSent(report(nodes, quick(options), program));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("io.muninn.e2e.EnginesE2eTest#invalidatedAtAcquires")
    void programWithStaleCopies_verifiesAndHasFaultedAndSent(String override)
            throws InterruptedException {
        assertVerifiesAndHasFaultedAndSent(report(2, quick(override), "gauss --size 64"));
    }

    /** Here, messages within the agent are compared with their encodings, too. */
    private static String quick(String options) {
        String checked = DsmRun.QUICK + "-Dmuninn.handover=off ";
        return options == null ? checked : checked + options;
    }

    private static void assertVerifiesAndHasFaultedAndSent(JsonObject report) {
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertTrue(total(report, "messages") > 0, report::toString);
        assertTrue(
                total(report, "readFaults") + total(report, "writeFaults") > 0, report::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "2, , hello",
        "4, , diff --rows 128 --columns 256 --sweeps 20",
        "2, --threads 3, mult --size 120",
        "2, , fft --points 4096",
        "2, --protocol write-shared, tsp-f --cities 12 --threshold 8",
        "2, --threads 2, tomcatv --size 64 --steps 4 --schedule dynamic --chunk 4",
        "3, --protocol pipelined, falseshare --rounds 5",
        "3, --threads 2, radix --keys 50000 --prefetch on",
        "3, , mult --size 200",
        "3, , contend --stores 1000",
        "3, , gauss --size 64",
        "2, , tsp-c --cities 12 --threshold 8",
        "2, --threads 2, tsp-f --version ship --cities 12 --threshold 8",
        "3, , qsort --size 20000",
        "4, , jacobi --size 200 --steps 6",
        "4, , sor --size 200 --steps 6 --prefetch on",
        "2, , cg --iterations 20",
        "4, , water-nsq --molecules 64 --steps 3 --prefetch on",
        "4, , mult --size 200",
        "4, , contend --stores 1000",
        "4, , gauss --size 64",
        "4, , qsort --size 20000",
        "4, --protocol pipelined, falseshare --rounds 5",
        "4, , diff",
        "3, , counter",
        "2, --idle spin, counter --increments 500",
        "4, --idle spin --threads 2, diff --rows 128 --columns 256 --sweeps 5",
        "4, , falseshare",
        "8, , diff --rows 256 --columns 256 --sweeps 20",
        "4, --threads 3, diff --rows 128 --columns 256 --sweeps 20",
        "4, --threads 4, counter --increments 500",
        "4, --protocol conventional, diff --rows 128 --columns 256 --sweeps 5",
        "4, --protocol conventional, mult --size 120",
        "3, --protocol conventional, counter --increments 500",
        "4, --protocol conventional, falseshare --rounds 5",
        "4, --protocol conventional, contend --stores 1000",
        "4, --protocol write-shared, mult --size 120",
        "4, , fft",
        "2, --threads 2, fft --points 4096",
        "4, --protocol conventional, fft --points 1024",
        "4, , gauss --size 96",
        "3, --threads 2, cg",
        "4, --protocol lazy, cg",
        "3, --threads 2, gauss --size 64",
        "4, --protocol conventional, gauss --size 48",
        "4, --protocol pipelined, diff --rows 128 --columns 256 --sweeps 5",
        "4, --protocol pipelined, mult --size 120",
        "3, --protocol pipelined --threads 2, counter --increments 500",
        "4, --protocol pipelined, contend --stores 1000",
        "4, , tsp-c --cities 14 --threshold 10",
        "3, --threads 2, tsp-f --cities 13 --threshold 8",
        "4, --protocol conventional, tsp-f --cities 12 --threshold 8",
        "4, --protocol write-shared, tsp-f --cities 12 --threshold 8",
        "3, --threads 2, tsp-f --version ship --cities 13 --threshold 8",
        "4, , qsort --size 60000",
        "3, --threads 2, qsort --size 20000 --threshold 500",
        "4, --protocol conventional, qsort --size 10000",
        "4, --protocol write-shared, qsort --size 20000",
        "3, --threads 2, qsort --version ship --size 20000 --threshold 500",
        "4, , adi --size 8000",
        "4, , dot --size 50000 --steps 10",
        "4, , expl --size 128",
        "4, , irreg --size 100000",
        "4, , jacobi",
        "4, , mult --version loops --size 200",
        "4, , rb --size 256",
        "4, , swm --size 128",
        "4, , tomcatv --size 128",
        "3, --threads 3, adi --size 8000 --schedule chunked --chunk 100",
        "3, --threads 3, irreg --size 100000 --schedule guided",
        "3, --threads 2, jacobi --size 256 --schedule cyclic",
        "3, --threads 2, mult --version loops --size 120 --schedule dynamic --chunk 4",
        "3, --protocol write-shared, rb --size 256 --schedule guided",
        "3, --protocol home-based, swm --size 128",
        "3, --protocol conventional, expl --size 64 --steps 4",
        "4, , lu --size 128 --layout rows --block 16",
        "4, , water-sp --molecules 216 --steps 3 --prefetch on",
        "4, , ocean --size 34 --steps 2 --prefetch on",
        "4, --protocol home-based, sor --size 500 --prefetch on",
        "4, , lu --size 512 --prefetch on",
        "3, --threads 2, lu --size 256 --layout rows --block 32 --prefetch on",
        "4, --threads 2, fft-six --points 65536 --prefetch on",
        "4, --protocol write-shared, radix --keys 100000 --prefetch on",
        "4, --threads 2, water-nsq --molecules 216 --prefetch on",
        "4, --threads 2, water-sp --molecules 1000 --prefetch on",
        "4, --threads 2, ocean --size 130 --prefetch on",
        "4, --protocol lazy, barnes-rebuild --bodies 1000 --steps 2",
        "4, --threads 2, barnes-space --bodies 2000 --steps 2",
        "3, --threads 2, raytrace --image 128 --primitives 1000",
        "4, --protocol home-based, volrend --voxels 48 --image 64",
        "4, --protocol weak, water-sp --molecules 216 --steps 3",
        "4, --protocol weak --weak-transition immediate, sor --size 500",
        "4, --protocol weak --weak-lists centralized, qsort --size 20000 --threshold 500",
        "3, --protocol weak --weak-notices publish, ocean --size 34 --steps 2",
        "3, --threads 2 --protocol weak --weak-unsafe-after 0 --weak-safe-after 1, fft-six"
    })
    void programUnderMoreProtocolsAndThreads_verifiesAndHasFaultedAndSent(
            int nodes, String options, String program) throws InterruptedException {
        assertVerifiesAndHasFaultedAndSent(report(nodes, options, program));
    }

    @ParameterizedTest
    @CsvSource({"2, --threads 2, gauss --version mp --size 64"})
    void messagePassing_verifiesWithoutSharedPages(int nodes, String options, String program)
            throws InterruptedException {
        assertVerifiesWithoutSharedPages(report(nodes, quick(options), program));
    }

    private static void assertVerifiesWithoutSharedPages(JsonObject report) {
        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertEquals("mp", report.get("version").getAsString());
        assertTrue(total(report, "messages") > 0, report::toString);
        assertEquals(0, total(report, "pagesFetched"), report::toString);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "3, --threads 2, diff --version mp --rows 128 --columns 256 --sweeps 20",
        "2, , tsp-f --version mp --cities 13 --threshold 9",
        "4, , diff --version mp --rows 128 --columns 256 --sweeps 20",
        "2, , mult --version mp --size 120",
        "2, , fft --version mp --exchange all --points 4096",
        "2, --threads 2, cg --version mp --iterations 20",
        "2, --threads 2, qsort --version mp --size 20000 --threshold 500",
        "2, --threads 2, swm --version mp --size 64 --steps 4",
        "2, --threads 2, water-sp --version mp --molecules 216 --steps 3",
        "4, , fft --version mp --exchange all --points 4096",
        "4, --threads 3, diff --version mp --rows 128 --columns 256 --sweeps 20",
        "4, , mult --version mp --size 120",
        "4, --threads 2, fft --version mp --points 4096",
        "3, --threads 2, gauss --version mp --size 64",
        "4, , tsp-f --version mp --cities 14 --threshold 9",
        "3, --threads 2, qsort --version mp --size 20000 --threshold 500",
        "4, , adi --version mp --size 8000",
        "4, , dot --version mp --size 50000 --steps 10",
        "4, , expl --version mp --size 128",
        "4, , irreg --version mp --size 100000",
        "4, , jacobi --version mp --size 256",
        "3, --threads 2, rb --version mp --size 256",
        "4, , tomcatv --version mp --size 128",
        "4, , sor --version mp --size 500",
        "3, --threads 2, lu --version mp --size 256",
        "4, , fft-six --version mp --points 65536",
        "4, , radix --version mp --keys 100000",
        "3, --threads 2, water-nsq --version mp --molecules 216",
        "4, , water-sp --version mp --molecules 1000",
        "4, , ocean --version mp --size 130",
        "3, --threads 2, barnes-space --version mp --bodies 2000 --steps 2",
        "3, --threads 2, raytrace --version mp --image 128 --primitives 1000",
        "3, --threads 2, volrend --version mp --voxels 48 --image 64"
    })
    void messagePassingOnMoreNodes_verifiesWithoutSharedPages(
            int nodes, String options, String program) throws InterruptedException {
        assertVerifiesWithoutSharedPages(report(nodes, options, program));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "2, diff --version seq",
        "2, qsort --version seq --size 20000",
        "3, mult --version seq --size 120",
        "3, fft --version seq",
        "2, tsp-c --version seq --cities 13"
    })
    void sequentialVersion_verifies(int nodes, String program) throws InterruptedException {
        JsonObject report = report(nodes, "", program);

        assertTrue(report.get("verified").getAsBoolean(), report::toString);
        assertEquals("seq", report.get("version").getAsString());
    }

    @Test
    void report_saysHowItWasRun() throws InterruptedException {
        JsonObject report = report(3, quick("--threads 2 --protocol write-shared"), SMALL_DIFF);

        assertEquals("diff", report.get("program").getAsString());
        assertEquals("dsm", report.get("version").getAsString());
        assertEquals("write-shared", report.get("protocol").getAsString());
        assertEquals(3, report.get("nodes").getAsInt());
        assertEquals(2, report.get("threads").getAsInt());
        assertEquals("uffd+signal", report.get("engine").getAsString());
        assertTrue(report.get("readySeconds").getAsDouble() > 0);
        assertTrue(report.get("seconds").getAsDouble() > 0);
        assertEquals(3, report.getAsJsonArray("perNode").size());
        for (String counter : new String[] {"messages", "bytes", "pagesFetched", "diffsApplied"}) {
            long sum = 0;
            for (JsonElement node : report.getAsJsonArray("perNode")) {
                sum += node.getAsJsonObject().get(counter).getAsLong();
            }
            assertEquals(total(report, counter), sum, counter);
            assertTrue(sum > 0, counter);
        }
        assertEquals(total(report, "pagesFetched"), total(report, "pagesSent"));
    }

    /** Without an update timeout: on a busy machine it ends copies that are fetched again. */
    @Tag("slow")
    @Test
    void falselySharedPages_areFetchedTenTimesLessOftenWhenWriteShared()
            throws InterruptedException {
        String program = "falseshare --rounds 25";
        String options = quick("--update-timeout off");
        JsonObject writeShared = report(4, options, program);
        JsonObject conventional = report(4, options + " --protocol conventional", program);

        long few = total(writeShared, "pagesFetched");
        long many = total(conventional, "pagesFetched");

        assertTrue(few * 10 <= many, few + " pages against " + many);
    }

    @Tag("slow")
    @Test
    void counter_losesNoneOfManyIncrements() throws InterruptedException {
        assertIncrementsAreCounted(2000, "32000");
    }

    private static void assertIncrementsAreCounted(int each, String sum)
            throws InterruptedException {
        JsonObject report = report(4, "--threads 4", "counter --increments " + each);

        String detail = report.get("detail").getAsString();
        assertTrue(detail.contains(sum), detail);
    }

    @Test
    void build_hasMadeTheCachesThatJvmsStartFrom() {
        for (String cache : List.of("launchers.aot", "agents.aot", "applications.aot")) {
            Path file = Path.of(System.getProperty("muninn.packaged"), "start", cache);
            assertTrue(Files.isReadable(file), () -> "no " + file + "; what did the build print?");
        }
    }

    @Test
    void cacheOfAgents_hasTheClassesThatWriteAPage() throws IOException {
        Path cache = Path.of(System.getProperty("muninn.packaged"), "start", "agents.aot");

        String bytes = Files.readString(cache, StandardCharsets.ISO_8859_1);

        assertTrue(bytes.contains("io/muninn/report/CriticalPath$Walk"), cache::toString);
    }

    @Test
    void classPathOfARun_hasTheProductAndTheProgram() throws IOException {
        List<String> agent =
                List.of("dsm-api", "dsm-cli", "dsm-kernel", "dsm-native", "dsm-runtime");
        List<String> launcher = new ArrayList<>(agent);
        launcher.addAll(List.of("dsm-papers", "dsm-programs"));
        try (DsmRun run = DsmRun.startProgram("-n 2 ", "Endless")) {
            run.awaitOutput(Endless.UNDER_WAY, 2);

            for (Member member : run.processes().all()) {
                Set<String> ours = modules(member);
                switch (member.role()) {
                    case LAUNCHER -> assertEquals(new TreeSet<>(launcher), ours);
                    case AGENT -> assertEquals(new TreeSet<>(agent), ours);
                    case APPLICATION -> {
                        assertTrue(ours.contains("dsm-programs"), ours::toString);
                        assertFalse(ours.contains("dsm-papers"), ours::toString);
                        assertFalse(ours.contains("dsm-cli"), ours::toString);
                    }
                }
            }
        }
    }

    /** Our modules on a process's class path. */
    private static Set<String> modules(Member member) throws IOException {
        List<String> command = member.command();
        Set<String> modules = new TreeSet<>();
        for (String entry : command.get(command.indexOf("-cp") + 1).split(":")) {
            Path path = Path.of(entry);
            List<Path> jars = new ArrayList<>(List.of(path));
            if (entry.endsWith("/*")) {
                try (Stream<Path> all = Files.list(path.getParent())) {
                    jars.addAll(all.toList());
                }
            }
            jars.stream()
                    .map(jar -> jar.getFileName().toString())
                    .filter(name -> name.startsWith("dsm-"))
                    .map(name -> name.replaceFirst("(-[0-9].*)?[.]jar$", ""))
                    .forEach(modules::add);
        }
        return modules;
    }

    @Tag("slow")
    @Test
    void lockTakenAgainByItsLastHolder_sendsNothing() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 3", "Relock")).assertStatus(0).assertOut("messages 0");
    }

    @Test
    void sweepsOfDiffAfterTheSecond_haveNoReadFaultAndNoTwinInside() throws InterruptedException {
        String out =
                DsmRun.run(
                                "run "
                                        + DsmRun.QUICK
                                        + "-n 4 --update-timeout off --adaptive-twins off -Dmuninn.mailboxes=off"
                                        + " diff --rows 130 --columns 512 --sweeps 10 --trace")
                        .assertStatus(0)
                        .out();

        long sweeps = 0;
        for (String line : out.lines().toList()) {
            String[] cells = line.strip().split(" +");
            if (cells.length == 7 && cells[0].matches("[0-9]+") && Integer.parseInt(cells[0]) > 2) {
                sweeps++;
                assertEquals("0", cells[1], () -> "read faults in\n" + out);
                assertEquals("0", cells[5], () -> "pages fetched in\n" + out);
                int twins = Integer.parseInt(cells[3]);
                assertTrue(twins > 0 && twins <= 6 * 2, () -> "edge rows only in\n" + out);
                assertTrue(Integer.parseInt(cells[4]) <= twins, () -> "diffs in\n" + out);
            }
        }
        assertTrue(sweeps >= 6, out);
    }

    @Test
    void outputOfTheProgram_isNotPrefixedAndTheTableFollows() throws InterruptedException {
        DsmRun.Result result = DsmRun.run("run " + DsmRun.QUICK + "-n 2 hello").assertStatus(0);

        assertTrue(result.out().lines().anyMatch("node 0  wrote 42"::equals), result::toString);
        assertTrue(
                result.out().lines().anyMatch(line -> line.startsWith("all ")), result::toString);
        assertEquals("", result.err());
    }

    @Test
    void oneNodeWithoutTheTable_runsAloneAndPrintsNone() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run("run -n 1 --no-table " + SMALL_DIFF)
                        .assertStatus(0)
                        .assertOut("verified");

        assertTrue(
                result.out().lines().noneMatch(line -> line.startsWith("all ")), result::toString);
    }

    @Tag("slow")
    @Test
    void storeOfGarbage_doesNotStallFaults() throws InterruptedException {
        assertStormIsRight("G1", "dsm", 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"ZGC, dsm", "G1, ship"})
    void storeOfGarbage_doesNotStallFaultsOf(String collector, String version)
            throws InterruptedException {
        assertStormIsRight(collector, version, 2);
    }

    private static void assertStormIsRight(String collector, String version, int seconds)
            throws InterruptedException {
        String program = "gcstorm --seconds " + seconds + " --version " + version;
        JsonObject report = report(2, "--gc " + collector, program);

        assertTrue(report.get("verified").getAsBoolean());
        // it is verified round by round; how many rounds there are in a time is the machine's
        // affair
        assertTrue(total(report, "readFaults") > 0 && total(report, "writeFaults") > 0);
    }

    private static JsonObject report(int nodes, String options, String program)
            throws InterruptedException {
        String given = options == null ? "" : options;
        return DsmRun.report("-n " + nodes + " " + given, program);
    }

    private static long total(JsonObject report, String counter) {
        return report.getAsJsonObject("totals").get(counter).getAsLong();
    }
}
