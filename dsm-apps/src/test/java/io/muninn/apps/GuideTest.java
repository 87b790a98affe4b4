package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The two programs that the guide shows beside each other are those of the sources; its programs of
 * parallel loops and of remote words compile as they stand there, and print what the guide says.
 */
@Timeout(60)
@Isolated("captures what is printed")
class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "GUIDE.md");
    private static final Path SOURCES = Path.of("papers/src/main/java/io/muninn/apps/jacobi");
    private static final String LOOPS_TITLE = "## Parallel loops\n";
    private static final String REMOTES_TITLE = "## Remote counters and tables\n";
    private static final String TITLE = "### The sequential program beside the parallel one\n";

    /** The lines that the guide omits. */
    private static final String OMITTED = "…";

    @TempDir private Path folder;

    private static List<String> samples(String title) throws IOException {
        String guide = Files.readString(GUIDE);
        int from = guide.indexOf(title);
        assertTrue(from >= 0, "the guide has no " + title);
        String section = guide.substring(from, guide.indexOf("\n## ", from));
        return CompiledSources.samples(section);
    }

    /** Lines of a sample that do not stand in the source, in the same order. */
    private static List<String> missing(String sample, String source) throws IOException {
        Iterator<String> lines = Files.readAllLines(SOURCES.resolve(source)).iterator();
        List<String> missing = new ArrayList<>();
        for (String wanted : sample.lines().toList()) {
            boolean isThere = wanted.strip().equals(OMITTED);
            while (!isThere && lines.hasNext()) {
                isThere = lines.next().equals(wanted);
            }
            if (!isThere) {
                missing.add(wanted);
            }
        }
        return missing;
    }

    @Test
    void programs_areThoseOfTheSources() throws IOException {
        List<String> samples = samples(TITLE);

        assertEquals(2, samples.size());
        assertEquals(List.of(), missing(samples.get(0), "JacobiSequential.java"));
        assertEquals(List.of(), missing(samples.get(1), "JacobiLoops.java"));
    }

    @Test
    void programOfRemoteWords_printsWhatTheGuideSays() throws Exception {
        List<String> samples = samples(REMOTES_TITLE).subList(1, 2);
        try (CompiledSources compiled = new CompiledSources(folder, samples)) {
            String name = CompiledSources.name(samples.getFirst());

            String printed = Printed.by(() -> Dsm.run(compiled.newProgram(name)));

            assertEquals(List.of("true", "8 9"), printed.lines().toList());
        }
    }

    @Test
    void programOfLoops_printsWhatTheGuideSays() throws Exception {
        List<String> samples = samples(LOOPS_TITLE).subList(0, 1);
        try (CompiledSources compiled = new CompiledSources(folder, samples)) {
            String name = CompiledSources.name(samples.getFirst());

            assertEquals("1000", Printed.by(() -> Dsm.run(compiled.newProgram(name))));
            assertEquals(
                    "1000",
                    Printed.by(
                            () -> PretendCluster.run(3, 2, null, () -> compiled.newProgram(name))));
        }
    }
}
