package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.launch.process.LiveRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The programs of {@code dsm doctor --all}. */
@Tag("e2e")
@Tag("slow")
class DoctorE2eTest {
    private static List<JsonObject> runs(DsmRun.Result result) {
        return JsonParser.parseString(result.out())
                .getAsJsonObject()
                .getAsJsonArray("runs")
                .asList()
                .stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    @Test
    void all_runsProgramsOnEveryEngineAndInTheSimulator() throws InterruptedException {
        DsmRun.Result result;
        try (DsmRun run = DsmRun.start("doctor --all")) {
            result = run.await(Duration.ofSeconds(600)).assertStatus(0);
        }

        List<String> runs =
                result.out()
                        .lines()
                        .filter(line -> line.matches("(ok|failed|skipped) +dsm .*"))
                        .toList();
        assertEquals(5, runs.size(), result::toString);
        assertTrue(runs.getFirst().startsWith("ok       dsm run -n 2 hello "), runs::toString);
        assertTrue(runs.get(1).contains("--engine uffd+signal diff "), runs::toString);
        assertTrue(runs.get(2).contains("--engine uffd+event diff "), runs::toString);
        assertTrue(runs.get(3).contains("--engine mprotect+signal diff "), runs::toString);
        assertTrue(runs.getLast().startsWith("ok       dsm sim -n 4 diff "), runs::toString);
    }

    @Test
    void applicationsThatCannotStart_areReportedAndEndWithStatusOne() throws InterruptedException {
        try (DsmRun run =
                DsmRun.start(
                        List.of("doctor", "--all", "--json"),
                        Map.of("MUNINN_JAVA_TOOL_OPTIONS", "-XX:+NoSuchFlag"),
                        List.of())) {
            DsmRun.Result result = run.await(Duration.ofSeconds(600)).assertStatus(1);

            List<JsonObject> runs = runs(result);
            assertEquals("failed", runs.getFirst().get("result").getAsString());
            String why = runs.getFirst().get("why").getAsString();
            assertTrue(why.matches("node \\d: the application ended with status 1 .*"), why);
            assertEquals("ok", runs.getLast().get("result").getAsString(), result::toString);
        }
    }

    @Test
    void runThatDoesNotEnd_isEndedAfterItsTime() throws InterruptedException {
        long start = System.nanoTime();
        LiveRun run =
                LiveRun.within(
                        Duration.ofMillis(1), List.of("run", "-n", "1", "sor", "--size", "4000"));

        assertFalse(run.isGood(), run::toString);
        assertTrue(Duration.ofNanos(System.nanoTime() - start).toSeconds() < 60);
    }
}
