package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code --report}: of a run, of a simulated run, and in a browser. */
@Tag("e2e")
class ReportE2eTest {
    private static final int ROUNDS = 20;
    private static final String PROGRAM = "falseshare --rounds " + ROUNDS;
    private static final List<String> WAITS =
            List.of("lock", "barrier", "condition", "message", "call");
    private static final List<String> COUNTERS =
            List.of("lockNanos", "barrierNanos", "conditionNanos", "receiveNanos", "callNanos");

    private static final Path SOURCE =
            Path.of("programs/src/main/java/io/muninn/apps/falseshare/FalseShareProgram.java");

    @TempDir private Path folder;

    private Path page() {
        return folder.resolve("run.html");
    }

    private static JsonObject data(Path page) throws IOException {
        String text = Files.readString(page);
        String begin = "<script type=\"application/json\" id=\"data\">";
        int from = text.indexOf(begin) + begin.length();
        return JsonParser.parseString(text.substring(from, text.indexOf("</script>", from)))
                .getAsJsonObject();
    }

    @Test
    void run_isThatOfTheJson_andItsWaitsAddUp() throws Exception {
        JsonObject json =
                DsmRun.report(
                        DsmRun.QUICK + "-n 2 --no-table --report " + page() + " --jfr " + folder,
                        "tsp-c --cities 9");

        JsonObject data = data(page());

        assertEquals(json, data.get("run"));
        assertWaitsAddUp(json, data);
        assertEquals(2, threads(data));
        assertTrue(Files.size(page()) < 2 << 20, () -> "too large");
        JsonObject path = data.getAsJsonObject("path");
        assertTrue(path.get("isComplete").getAsBoolean());
        assertTrue(path.getAsJsonArray("steps").size() > 0, path::toString);
        long sums = 0;
        for (var part : path.getAsJsonObject("sums").entrySet()) {
            sums += part.getValue().getAsLong();
        }
        assertEquals(path.get("nanos").getAsLong(), sums);
        assertEventsAddUp(json);
    }

    /** Both nodes are served by one agent, which has one recording. */
    private void assertEventsAddUp(JsonObject json) throws IOException {
        long stoppedNanos = 0;
        Set<String> about = new TreeSet<>();
        Set<Integer> nodes = new TreeSet<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(folder.resolve("node-0.jfr"))) {
            if (event.getEventType().getName().equals("muninn.Wait")) {
                boolean isPage = event.getInt("page") >= 0;
                stoppedNanos += isPage ? event.getLong("waited") : 0;
                about.add(event.getString("about"));
                nodes.add(event.getInt("node"));
            }
        }
        assertEquals(value(json.getAsJsonObject("totals"), "faultNanos"), stoppedNanos);
        assertEquals(Set.of(0, 1), nodes);
        assertTrue(about.contains("tours"), about::toString);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> applications =
                    files.filter(each -> each.getFileName().toString().startsWith("application-"))
                            .toList();
            assertEquals(2, applications.size(), applications::toString);
            for (Path application : applications) {
                assertHasCalls(application);
            }
        }
    }

    /** The waits of an application for locks have the line of the program that made them. */
    private static void assertHasCalls(Path recording) throws IOException {
        List<RecordedEvent> locks =
                RecordingFile.readAllEvents(recording).stream()
                        .filter(event -> event.getEventType().getName().equals("muninn.Call"))
                        .filter(event -> event.getString("cause").equals("lock"))
                        .toList();
        assertFalse(locks.isEmpty(), recording::toString);
        assertTrue(
                locks.getFirst().getStackTrace().getFrames().stream()
                        .anyMatch(frame ->
                                frame.getMethod()
                                        .getType()
                                        .getName()
                                        .startsWith("io.muninn.apps.tsp")),
                locks::toString);
    }

    @Test
    void simulatedRun_hasThePageInVirtualTime() throws Exception {
        Path file = folder.resolve("sim.json");
        DsmRun.run("sim -n 4 --report " + page() + " --json " + file + " " + PROGRAM)
                .assertStatus(0);

        JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        JsonObject data = data(page());

        assertWaitsAddUp(json, data);
        assertEquals(4, threads(data));
        assertEquals(json.get("totals"), data.getAsJsonObject("run").get("totals"));
        assertFalse(data.getAsJsonArray("heat").isEmpty());
        assertLinesAreNamed(data.getAsJsonObject("run"), Set.of(0, 1, 2, 3), 1);
    }

    @Test
    void run_thatLooksForRaces_namesTheLineThatStores() throws Exception {
        JsonObject json =
                DsmRun.report(
                        DsmRun.QUICK + "-n 2 --no-table --check-races --report " + page(), PROGRAM);

        assertEquals(json, data(page()).get("run"));
        assertLinesAreNamed(json, Set.of(0, 1), ROUNDS);
    }

    /**
     * The program has one line that stores, and each node stores to each page in each round.
     *
     * @param leastTimes of each page and node
     */
    private static void assertLinesAreNamed(JsonObject run, Set<Integer> all, int leastTimes)
            throws IOException {
        String line = place("add", "set(i, ") + " from " + place("run", "add(mine, positions);");
        for (JsonObject page : suspectedPages(run)) {
            Set<Integer> nodes = new TreeSet<>();
            for (JsonElement each : page.getAsJsonArray("storedAt")) {
                JsonObject stores = each.getAsJsonObject();
                nodes.add(stores.get("node").getAsInt());
                assertEquals(line, stores.get("line").getAsString());
                assertTrue(value(stores, "times") >= leastTimes, stores::toString);
                assertTrue(value(stores, "times") <= ROUNDS, stores::toString); // not each store
            }
            assertEquals(all, nodes, page::toString);
        }
    }

    /** The falsely shared pages of the only variable of the program. */
    private static List<JsonObject> suspectedPages(JsonObject run) {
        JsonArray pages =
                run.getAsJsonArray("regions")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("suspectedPages");
        assertFalse(pages.isEmpty(), "no page is falsely shared");
        return pages.asList().stream().map(JsonElement::getAsJsonObject).toList();
    }

    /** The place in a method of the program of the line with this text. */
    private static String place(String method, String text) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE);
        int line = 1;
        while (!lines.get(line - 1).contains(text)) {
            line++;
        }
        return "FalseShareProgram." + method + "(FalseShareProgram.java:" + line + ")";
    }

    /** Counters and recorded waits are of the same stops. */
    private static void assertWaitsAddUp(JsonObject json, JsonObject data) {
        JsonObject blocked = json.getAsJsonObject("blocked").getAsJsonObject("totals");
        assertEquals(blocked.get("loadNanos").getAsLong(), nanos(data, "load"));
        assertEquals(blocked.get("storeNanos").getAsLong(), nanos(data, "store"));
        for (int i = 0; i < WAITS.size(); i++) {
            assertEquals(
                    blocked.get(COUNTERS.get(i)).getAsLong(),
                    nanos(data, WAITS.get(i)),
                    WAITS.get(i));
        }
        assertTrue(nanos(data, "load") + nanos(data, "barrier") > 0);
    }

    private static long nanos(JsonObject data, String word) {
        JsonArray kinds = data.getAsJsonArray("kinds");
        int kind = 0;
        while (!kinds.get(kind).getAsString().equals(word)) {
            kind++;
        }
        long sum = 0;
        for (JsonElement thread : data.getAsJsonArray("threads")) {
            sum += thread.getAsJsonObject().getAsJsonArray("nanos").get(kind).getAsLong();
        }
        return sum;
    }

    /** Number of threads that are known and not those of objects. */
    private static long threads(JsonObject data) {
        return data.getAsJsonArray("threads").asList().stream()
                .filter(each -> each.getAsJsonObject().get("thread").getAsInt() == 0)
                .count();
    }

    @Tag("slow")
    @Test
    void browser_showsTheFiguresOfTheJson() throws Exception {
        Optional<Path> browser = browser();
        assumeTrue(
                browser.isPresent(),
                "no chromium on the path; apt-get install --no-install-recommends chromium");
        JsonObject json =
                DsmRun.report(
                        DsmRun.QUICK + "-n 4 --no-table --check-races --report " + page(), PROGRAM);

        String shown = open(browser.orElseThrow(), page());

        assertTrue(shown.contains("data-ready=\"true\""), "the script has not reached its end");
        JsonObject totals = json.getAsJsonObject("totals");
        for (var kind : totals.getAsJsonObject("byKind").entrySet()) {
            JsonObject sent = kind.getValue().getAsJsonObject();
            String row = element(shown, "tr", "data-kind", kind.getKey());
            assertEquals(value(sent, "messages"), value(row, "messages"));
            assertEquals(value(sent, "bytes"), value(row, "bytes"));
        }
        for (String counter : List.of("readFaults", "barrierNanos", "faultNanos", "bytes")) {
            String row = element(shown, "tr", "data-counter", counter);
            assertEquals(value(totals, counter), lastValue(row, counter));
        }
        for (JsonElement each : json.getAsJsonArray("regions")) {
            JsonObject region = each.getAsJsonObject();
            String row = element(shown, "tr", "data-region", region.get("region").getAsString());
            for (String key : List.of("readFaults", "writeFaultNanos", "falselyShared")) {
                assertEquals(value(region, key), value(row, key));
            }
        }
        assertEquals(
                suspectedPages(json).stream()
                        .flatMap(each -> each.getAsJsonArray("storedAt").asList().stream())
                        .map(each -> value(each.getAsJsonObject(), "times"))
                        .sorted()
                        .toList(),
                values(element(shown, "table", "id", "false"), "times").sorted().toList());
    }

    private static long value(JsonObject of, String key) {
        return of.get(key).getAsLong();
    }

    private static String element(String page, String tag, String attribute, String value) {
        String begin = "<" + tag + " " + attribute + "=\"" + value + "\">";
        int from = page.indexOf(begin);
        assertTrue(from >= 0, () -> begin + " is not shown");
        return page.substring(from, page.indexOf("</" + tag + ">", from));
    }

    private static long value(String row, String key) {
        return values(row, key).findFirst().orElseThrow();
    }

    private static long lastValue(String row, String key) {
        return values(row, key).reduce((_, last) -> last).orElseThrow();
    }

    private static Stream<Long> values(String row, String key) {
        Matcher cells =
                Pattern.compile("data-key=\"" + key + "\" data-value=\"(\\d+)\"").matcher(row);
        return cells.results().map(cell -> Long.valueOf(cell.group(1)));
    }

    private static Optional<Path> browser() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(each ->
                        Stream.of("chromium", "chromium-browser", "google-chrome")
                                .map(name -> Path.of(each, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page without a window, and returns its elements; nothing may be on the console. */
    private String open(Path browser, Path page) throws IOException, InterruptedException {
        Path shown = folder.resolve("shown");
        Path console = folder.resolve("console");
        Process process =
                new ProcessBuilder(
                                browser.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--enable-logging=stderr",
                                "--user-data-dir=" + folder.resolve("browser"),
                                "--dump-dom",
                                page.toUri().toString())
                        .redirectOutput(shown.toFile())
                        .redirectError(console.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the browser does not end");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<String> said =
                Files.readAllLines(console).stream()
                        .filter(line -> line.contains("CONSOLE"))
                        .toList();
        assertEquals(List.of(), said);
        return Files.readString(shown);
    }
}
