package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Dsm;
import io.muninn.api.DsmProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The programs of the page about migration compile as they stand there, and print what they say.
 */
@Timeout(60)
@Isolated("captures what is printed")
class MigrationTest {
    private static final Path PAGE = Path.of("..", "docs", "MIGRATION.md");

    /** The sum of the roots of 0 to 999999, half of 1 in thousandths, and pi in millionths. */
    private static final Map<String, String> PRINTED =
            Map.of(
                    "RootsOfStreams", "666666166",
                    "Roots", "666666166",
                    "Rod", "500",
                    "Pi", "3141593");

    @TempDir private Path folder;

    @Test
    void programs_printTheSameBeforeAndAfter() throws Exception {
        List<String> samples = CompiledSources.samples(Files.readString(PAGE));
        Map<String, String> printed = new LinkedHashMap<>();
        Map<String, String> onClusters = new LinkedHashMap<>();
        try (CompiledSources compiled = new CompiledSources(folder, samples)) {
            for (String sample : samples) {
                String name = CompiledSources.name(sample);
                Class<?> type = compiled.load(name);
                if (DsmProgram.class.isAssignableFrom(type)) {
                    printed.put(name, Printed.by(() -> Dsm.run(compiled.newProgram(name))));
                    onClusters.put(
                            name,
                            Printed.by(() ->
                                    PretendCluster.run(
                                            3, 2, null, () -> compiled.newProgram(name))));
                } else {
                    String[] none = {};
                    printed.put(
                            name,
                            Printed.by(() ->
                                    type.getMethod("main", String[].class)
                                            .invoke(null, (Object) none)));
                    onClusters.put(name, printed.get(name));
                }
            }
        }

        assertEquals(PRINTED, printed);
        assertEquals(PRINTED, onClusters);
    }
}
