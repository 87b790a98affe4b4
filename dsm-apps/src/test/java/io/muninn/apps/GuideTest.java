package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The two programs that the guide shows beside each other are those of the sources. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "GUIDE.md");
    private static final Path SOURCES = Path.of("src/main/java/io/muninn/apps/jacobi");
    private static final String TITLE = "### The sequential program beside the parallel one\n";

    /** What the guide leaves out. */
    private static final String OMITTED = "…";

    private static List<String> samples() throws IOException {
        String guide = Files.readString(GUIDE);
        int from = guide.indexOf(TITLE);
        assertTrue(from >= 0, "the guide has no " + TITLE);
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
        List<String> samples = samples();

        assertEquals(2, samples.size());
        assertEquals(List.of(), missing(samples.get(0), "JacobiSequential.java"));
        assertEquals(List.of(), missing(samples.get(1), "JacobiLoops.java"));
    }
}
