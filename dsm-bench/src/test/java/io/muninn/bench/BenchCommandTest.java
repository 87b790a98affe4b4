package io.muninn.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs {@code dsm bench} in a separate process. Asserts nothing about times. */
@Execution(ExecutionMode.CONCURRENT)
class BenchCommandTest {
    private static final String MARK = "MUNINN_BENCH_TEST";
    private static final int ENVIRONMENT_BYTES = 1 << 15;
    private static final long NO_ENVIRONMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int USAGE = 2;
    private static final double EXACT = 1e-9;

    @TempDir private Path temporary;

    private record Said(int status, String out, String err) {}

    private Said bench(String... words) throws IOException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        Process process = start(mark, words);
        assertTrue(process.waitFor(10, TimeUnit.MINUTES), () -> "still running");
        return ended(process, mark);
    }

    private Said ended(Process process, String mark) throws IOException {
        assertEquals(List.of(), marked(mark), "processes left behind");
        try (Stream<Path> files = Files.list(folder("tmp"))) {
            assertEquals(List.of(), files.toList(), "files left behind");
        }
        return new Said(
                process.exitValue(),
                Files.readString(temporary.resolve("out")),
                Files.readString(temporary.resolve("err")));
    }

    private Process start(String mark, String... words) throws IOException {
        Path out = temporary.resolve("out");
        Path err = temporary.resolve("err");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:-UsePerfData",
                                "-Djava.io.tmpdir=" + folder("tmp"),
                                "-Dmuninn.native=" + System.getProperty("muninn.native"),
                                "-Djava.library.path=" + System.getProperty("muninn.native"),
                                "-Djna.boot.library.path=" + System.getProperty("muninn.native"),
                                "-Djna.nounpack=true",
                                "-cp",
                                classPath(),
                                "io.muninn.launch.Main",
                                "bench"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(MARK, mark);
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        return builder.directory(temporary.toFile()).start();
    }

    /** As in a distribution: Maven has the classes of this module before those that they use. */
    private static String classPath() {
        List<String> others = new ArrayList<>();
        List<String> own = new ArrayList<>();
        String built = BuildFolder.path().toString();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            (entry.startsWith(built) ? own : others).add(entry);
        }
        others.addAll(own);
        return String.join(File.pathSeparator, others);
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(temporary.resolve(name));
    }

    private Said quickly(String group, Path json, Path folder)
            throws IOException, InterruptedException {
        return bench(
                "--quick", "--only", group, "--json", json.toString(), "--out", folder.toString());
    }

    /** Processes that have inherited a mark. */
    private static List<Long> marked(String mark) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> environment(pid).contains(MARK + "=" + mark))
                .toList();
    }

    /**
     * Reads the environment of a process; retries while it is empty, because it is empty for a
     * moment during {@code exec}. The environment of a kernel thread is always empty, and so it has
     * no executable.
     */
    private static String environment(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        long deadlineNanos = System.nanoTime() + NO_ENVIRONMENT_NANOS;
        try {
            String environment = inOneRead(process.resolve("environ"));
            while (environment.isEmpty() && deadlineNanos - System.nanoTime() > 0) {
                Files.readSymbolicLink(process.resolve("exe"));
                Thread.onSpinWait();
                environment = inOneRead(process.resolve("environ"));
            }
            return environment;
        } catch (IOException goneOrForeignOrKernels) {
            return "";
        }
    }

    /** Reads the whole file with one call: between two reads the process id could be reused. */
    private static String inOneRead(Path file) throws IOException {
        for (int length = ENVIRONMENT_BYTES; ; length *= 2) {
            byte[] bytes = new byte[length];
            try (InputStream in = Files.newInputStream(file)) {
                int count = Math.max(0, in.read(bytes));
                if (count < length) {
                    return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
                }
            }
        }
    }

    @Tag("slow")
    @Test
    void acquiresThatMakeCopiesStale_areMeasuredBesideTheirFloors()
            throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("acquires", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        List<Protocol> pushing = ProtocolKind.with(Trait.PUSHES);
        for (Protocol protocol : ProtocolKind.with(Trait.ACQUIRES_INVALIDATE)) {
            if (pushing.contains(protocol)) {
                continue; // such an acquire makes no copy stale
            }
            for (int pages : new int[] {0, 16, 256}) {
                JsonObject acquire = rows.get("pinned acquire-" + pages + "-" + protocol.word());
                assertRatio(acquire);
                assertWarmUp(acquire);
            }
        }
        String page = Files.readString(folder.resolve("README.md"));
        assertTrue(page.contains("## Acquires"), page);
        assertFalse(page.contains("Not measured"), page);
    }

    @Tag("slow")
    @Test
    void locks_areMeasuredBesideTheirFloors() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("locks", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        JsonObject passed = rows.get("pinned lock-passed");
        double expected =
                2 * median(rows, "pinned unix-64") + median(rows, "pinned netty-unix-64-64");
        assertEquals(expected, passed.get("floorMicros").getAsDouble(), EXACT * expected);
        assertRatio(passed);
        assertWarmUp(passed);
        assertWarmUp(rows.get("pinned netty-unix-64-64"));
        assertTrue(rows.get("pinned unix-64").get("warmUp").isJsonNull());
        assertTrue(rows.containsKey("pinned lock-contended-4"));
        JsonObject again = rows.get("pinned lock-again");
        assertRatio(again);
        assertWarmUp(again);
        assertEquals(0, again.get("messages").getAsDouble());
        assertEquals(3, again.get("bound").getAsDouble());
        assertTrue(said.out().contains("lock-passed"), said.out());
        assertPage(folder, "lock-again");
    }

    @Tag("slow")
    @Test
    void processesOfANode_areMeasuredBesideNodes() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("processes", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        for (String operation :
                List.of("fault", "fault-16", "lock", "lock-notice", "release-2", "barrier-2x2")) {
            assertRatio(rows.get("pinned sibling-" + operation));
        }
        assertEquals(
                median(rows, "pinned sibling-barrier-4x1"),
                rows.get("pinned sibling-barrier-1x4").get("floorMicros").getAsDouble());
        assertEquals(15, rows.get("pinned sibling-lock-notice").get("boundMicros").getAsDouble());
        assertPage(folder, "sibling-lock");
    }

    @Tag("slow")
    @Test
    void remoteWords_areMeasuredBesideAFault() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("remotes", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        for (String operation : List.of("get", "aggregated")) {
            assertRatio(rows.get("pinned remote-" + operation));
        }
        assertFalse(rows.containsKey("pinned remote-add-2"), "nothing overlaps there");
        if (Runtime.getRuntime().availableProcessors() > 1) {
            JsonObject both = rows.get("unpinned remote-add-2");
            assertRatio(both);
            assertEquals(0.4, both.get("boundMicros").getAsDouble(), EXACT);
        }
        assertEquals(
                median(rows, "pinned remote-fault"),
                rows.get("pinned remote-get").get("floorMicros").getAsDouble());
        assertPage(folder, "remote-add-own");
    }

    @Tag("slow")
    @Test
    void faultsOverAPool_areMeasuredBesideATwin() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("pool", json, folder);

        assertEquals(0, said.status(), said::toString);
        JsonObject read = rows(json).get("pinned pool-read");
        assertRatio(read);
        assertEquals(
                median(rows(json), "pinned pool-write"), read.get("floorMicros").getAsDouble());
        assertEquals(1.8, read.get("bound").getAsDouble());
        assertPage(folder, "pool-read");
    }

    @Tag("slow")
    @Test
    void pageOfAnotherNode_takesTurnsWithItsFloors() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("faults", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        JsonObject page = rows.get("pinned fault-read-remote");
        double expected =
                median(rows, "pinned uffd-missing") + median(rows, "pinned netty-unix-64-4096");
        assertEquals(expected, page.get("floorMicros").getAsDouble(), EXACT * expected);
        assertRatio(page);
        assertWarmUp(page);
        assertEquals(1.5, page.get("bound").getAsDouble());
        assertRatio(rows.get("pinned fault-migratory"));
        assertPage(folder, "fault-read-remote");
    }

    @Tag("slow")
    @Test
    void links_areMeasuredBetweenTwoHostsAndWithinOne() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("links", json, folder);

        assertNamespaces(said);
        Map<String, JsonObject> rows = rows(json);
        for (String name : List.of("fault-read-remote", "lock-passed", "barrier-2", "diff", "cg")) {
            JsonObject tls = rows.get("pinned link-" + name + "-tls");
            assertRatio(tls);
            assertEquals(1.25, tls.get("bound").getAsDouble());
            assertEquals(
                    median(rows, "pinned link-" + name + "-checksums"),
                    tls.get("floorMicros").getAsDouble());
            assertRatio(rows.get("pinned link-" + name + "-checksums"));
        }
        assertRatio(rows.get("pinned link-one-host-lock-passed-checksums"));
        String page = Files.readString(folder.resolve("links.md"));
        assertTrue(page.contains("## Between two hosts"), page);
        assertTrue(page.contains("## Within one host"), page);
    }

    /** Skips the test where the system does not let this process make network namespaces. */
    private static void assertNamespaces(Said said) {
        boolean isRefused = said.err().contains("needs root") || said.err().contains("of its own");
        assumeFalse(isRefused, said.err());
        assertEquals(0, said.status(), said::toString);
    }

    /** The namespaces last as long as a process is in them. */
    @Tag("slow")
    @Test
    void interruptedLinks_leaveNoProcessInANamespace() throws IOException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        Process process = start(mark, "--quick", "--only", "links");
        boolean isOver = false;
        while (!isOver && !isNodeUp(mark)) {
            isOver = process.waitFor(10, TimeUnit.MILLISECONDS);
        }
        if (isOver) {
            assertNamespaces(ended(process, mark));
        }
        assertFalse(isOver, "ended before a node was there");

        process.destroy();

        assertTrue(process.waitFor(1, TimeUnit.MINUTES), () -> "still running");
        ended(process, mark);
    }

    private static boolean isNodeUp(String mark) {
        return marked(mark).stream().anyMatch(pid -> commandLine(pid).contains("192.0.2.1:7000"));
    }

    private static String commandLine(long pid) {
        try {
            return inOneRead(Path.of("/proc", Long.toString(pid), "cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    @Tag("slow")
    @Test
    void starts_areMeasuredBesideAsManyJvms() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("starts", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        JsonObject started = rows.get("unpinned start-4-nodes");
        assertRatio(started);
        assertEquals(median(rows, "unpinned jvms-5"), started.get("floorMicros").getAsDouble());
        assertEquals(1.5, started.get("bound").getAsDouble());
        String page = Files.readString(folder.resolve("README.md"));
        assertTrue(page.contains("## Starts"), page);
        assertTrue(page.contains("| start-4-nodes |"), page);
    }

    @Tag("slow")
    @Test
    void loops_areMeasuredBesideThoseOverArrays() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");

        Said said = quickly("access", json, temporary.resolve("page"));

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        JsonObject view = rows.get("pinned access-stencil-view");
        assertRatio(view);
        assertEquals(
                median(rows, "pinned access-stencil-array"), view.get("floorMicros").getAsDouble());
        assertRatio(rows.get("pinned access-stencil-segment"));
    }

    @Tag("slow")
    @Test
    void shapes_areMeasuredBesideThoseOverArrays() throws IOException, InterruptedException {
        Path json = temporary.resolve("rows.json");
        Path folder = temporary.resolve("page");

        Said said = quickly("shapes", json, folder);

        assertEquals(0, said.status(), said::toString);
        Map<String, JsonObject> rows = rows(json);
        JsonObject view = rows.get("unpinned shape-in-run-view");
        assertRatio(view);
        assertEquals(
                median(rows, "unpinned shape-in-run-array"), view.get("floorMicros").getAsDouble());
        assertEquals(1.35, view.get("bound").getAsDouble());
        assertRatio(rows.get("unpinned shape-in-run-again-view"));
        assertPage(folder, "shape-in-run-view");
    }

    /** The results of the first group are saved before the second begins. */
    @Tag("slow")
    @Test
    void interruptedBench_keepsWhatItHasMeasured() throws IOException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        Process process = start(mark, "--quick", "--only", "starts,switches");
        Path page = temporary.resolve("results/bench/README.md");
        boolean isOver = false;
        while (!isOver && !(Files.exists(page) && isMeasured(page, "start-4-nodes"))) {
            isOver = process.waitFor(10, TimeUnit.MILLISECONDS);
        }

        process.destroy();

        assertTrue(process.waitFor(1, TimeUnit.MINUTES), () -> "still running");
        Said said = ended(process, mark);
        assertTrue(
                said.err().contains("what was measured is in results/bench/README.md"),
                said::toString);
        String kept = Files.readString(page);
        assertTrue(kept.contains("**Not finished:"), kept);
        assertTrue(kept.contains("| start-4-nodes |"), kept);
        assertEquals(1, said.err().lines().count(), said::toString); // no progress in a pipe
    }

    private static boolean isMeasured(Path page, String row) throws IOException {
        return Files.readString(page).contains("| " + row + " |");
    }

    /** JMH creates temporary files and does not remove them when it is killed. */
    @Tag("slow")
    @Test
    void interruptedAccess_leavesNoFile() throws IOException, InterruptedException {
        String mark = UUID.randomUUID().toString();
        Process process = start(mark, "--quick", "--only", "access");
        boolean isOver = false;
        while (!isOver && !isMeasuring()) {
            isOver = process.waitFor(10, TimeUnit.MILLISECONDS);
        }
        assertFalse(isOver, () -> "ended before JMH had a file");

        process.destroy();

        assertTrue(process.waitFor(1, TimeUnit.MINUTES), () -> "still running");
        ended(process, mark);
    }

    private boolean isMeasuring() throws IOException {
        try (Stream<Path> files = Files.walk(folder("tmp"))) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("jmh"));
        } catch (UncheckedIOException removed) {
            return false; // during the walk
        }
    }

    @Test
    void documents_areReplacedByWholeResultsOnly() throws IOException, InterruptedException {
        Said said = bench("--update-docs", "--quick");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().contains("not with --quick or --only"), said.err());
    }

    /** Checks that a row says how many repetitions the warm-up had and whether they settled. */
    private static void assertWarmUp(JsonObject row) {
        assertTrue(row.get("warmUp").getAsInt() > 0, row::toString);
        assertTrue(row.get("settled").isJsonPrimitive(), row::toString);
    }

    private static void assertPage(Path folder, String operation) throws IOException {
        String page = Files.readString(folder.resolve("README.md"));
        assertTrue(page.contains("| " + operation + " |"), page);
        assertTrue(page.contains("## Limits"), page);
        assertFalse(page.contains("Not measured"), page);
    }

    private static void assertRatio(JsonObject row) {
        double floor = row.get("floorMicros").getAsDouble();
        double ratio = row.get("ratio").getAsDouble();
        assertTrue(floor > 0, row::toString);
        assertEquals(row.get("medianMicros").getAsDouble() / floor, ratio, EXACT * ratio);
        assertTrue(
                row.get("p99Micros").getAsDouble() >= row.get("medianMicros").getAsDouble(),
                row::toString);
    }

    private static double median(Map<String, JsonObject> rows, String name) {
        return rows.get(name).get("medianMicros").getAsDouble();
    }

    private static Map<String, JsonObject> rows(Path json) throws IOException {
        JsonArray all = JsonParser.parseString(Files.readString(json)).getAsJsonArray();
        Map<String, JsonObject> rows = new HashMap<>();
        for (JsonElement each : all) {
            JsonObject row = each.getAsJsonObject();
            String place = row.get("pinned").getAsBoolean() ? "pinned " : "unpinned ";
            rows.put(place + row.get("name").getAsString(), row);
        }
        assertEquals(all.size(), rows.size(), "rows of the same name");
        return rows;
    }

    @Test
    void unknownBenchmark_isRefusedWithTheKnownOnes() throws IOException, InterruptedException {
        Said said = bench("--only", "lock");

        assertEquals(USAGE, said.status());
        assertTrue(
                said.err().contains("unknown benchmark 'lock'; did you mean locks?"), said.err());
        assertTrue(said.err().contains("shipping"), said.err());
    }

    @Test
    void jsonThatCannotBeWritten_isRefusedAtOnce() throws IOException, InterruptedException {
        Said said = bench("--json", temporary.resolve("no/folder/rows.json").toString());

        assertEquals(USAGE, said.status());
        assertTrue(said.err().contains("cannot write --json"), said.err());
    }

    @Test
    void engineThatIsNone_isRefused() throws IOException, InterruptedException {
        Said said = bench("--engine", "steam");

        assertEquals(USAGE, said.status());
        assertTrue(said.err().contains("steam"), said.err());
    }

    @Test
    void everyGroup_isSaidToBeThere() throws IOException, InterruptedException {
        try (Stream<String> lines = bench("--only", "?").err().lines()) {
            String known = lines.findFirst().orElse("");
            Group.words().forEach(word -> assertTrue(known.contains(word), known));
        }
    }
}
