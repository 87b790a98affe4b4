package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples are short, compile as they are, and are right. */
@Timeout(60)
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final int LINES_MAX = 59;

    @TempDir private Path folder;

    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(EXAMPLES, "*.java")) {
            for (Path file : files) {
                sources.add(Files.readString(file));
            }
        }
        assertTrue(sources.size() >= 2, () -> sources.size() + " examples");
        return sources;
    }

    @Test
    void examples_areShort() throws IOException {
        List<String> longOnes =
                sources().stream()
                        .filter(source -> source.lines().count() > LINES_MAX)
                        .map(CompiledSources::name)
                        .toList();

        assertEquals(List.of(), longOnes);
    }

    @Test
    void examples_areRightWithAndWithoutCluster() throws Exception {
        List<String> sources = sources();
        try (CompiledSources compiled = new CompiledSources(folder, sources)) {
            for (String source : sources) {
                String name = CompiledSources.name(source);
                check(name, Dsm.run(compiled.newProgram(name)));
                check(name, PretendCluster.run(3, 2, null, () -> compiled.newProgram(name)));
            }
        }
    }

    private static void check(String name, Verdict verdict) {
        assertTrue(verdict.checked(), name);
        assertTrue(verdict.right(), () -> name + ": " + verdict.detail());
    }
}
