package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README compiles as it stands there, and is right. */
@Timeout(60)
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");

    @TempDir private Path folder;

    @Test
    void sample_isRightWithAndWithoutCluster() throws Exception {
        String text = Files.readString(README);
        List<String> samples = CompiledSources.samples(text);
        assertTrue(!samples.isEmpty(), "the README has no sample");
        String name = CompiledSources.name(samples.getFirst());
        try (CompiledSources compiled = new CompiledSources(folder, samples.subList(0, 1))) {
            checkSample(text, Dsm.run(compiled.newProgram(name)));
            checkSample(text, PretendCluster.run(4, 2, null, () -> compiled.newProgram(name)));
        }
    }

    /** The README shows the very line that the run prints. */
    private static void checkSample(String text, Verdict verdict) {
        assertTrue(verdict.right(), verdict.detail());
        assertTrue(text.contains("\n    verified: " + verdict.detail() + "\n"), verdict.detail());
    }
}
