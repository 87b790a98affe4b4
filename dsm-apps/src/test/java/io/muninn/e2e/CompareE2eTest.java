package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.coherence.ProtocolKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All versions of a program side by side, as a user sees them. That is a run for each protocol and
 * version, and is tagged slow, as is the median of several runs of each.
 */
@Tag("e2e")
class CompareE2eTest {
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir private Path folder;

    @Tag("slow")
    @Test
    void diff_isComparedInAllVersions() throws Exception {
        assertAllVersionsAreCompared(1, "");
    }

    @Tag("slow")
    @Test
    void diff_isComparedInAllVersionsByItsMedian() throws Exception {
        assertAllVersionsAreCompared(2, ", median of 2 runs");
    }

    private void assertAllVersionsAreCompared(int repeat, String howOften) throws Exception {
        Path json = folder.resolve("compared.json");
        String line =
                "compare --repeat "
                        + repeat
                        + " --json "
                        + json
                        + " diff -n 2 --rows 34 --columns 256 --sweeps 3";
        DsmRun.Result result;
        try (DsmRun run = DsmRun.start(line)) {
            result = run.await(LIMIT).assertStatus(0);
        }

        result.assertOut("diff --rows 34 --columns 256 --sweeps 3 on 2 nodes" + howOften + "\n")
                .assertOut("message passing")
                .assertOut("dsm, all conventional");
        ProtocolKind.ofEveryProgram()
                .forEach(protocol -> result.assertOut("dsm, all " + protocol.word()));
        JsonArray versions =
                JsonParser.parseString(Files.readString(json))
                        .getAsJsonObject()
                        .getAsJsonArray("versions");
        for (int i = 0; i < versions.size(); i++) {
            JsonObject version = versions.get(i).getAsJsonObject();
            assertTrue(version.get("good").getAsBoolean(), version::toString);
            assertEquals(repeat, version.getAsJsonArray("seconds").size());
            boolean isSequential = version.get("version").getAsString().equals("seq");
            JsonObject median = version.getAsJsonObject("median");
            assertEquals(isSequential ? 1 : 2, median.get("nodes").getAsInt());
            long messages = median.getAsJsonObject("totals").get("messages").getAsLong();
            assertEquals(!isSequential, messages > 0, version::toString);
        }
        assertEquals("seq", versions.get(0).getAsJsonObject().get("version").getAsString());
    }

    @Test
    void aVersion_cannotBeChosen() throws InterruptedException {
        DsmRun.run("compare diff --version mp")
                .assertStatus(2)
                .assertErr("compare runs all versions: no --version");
    }
}
