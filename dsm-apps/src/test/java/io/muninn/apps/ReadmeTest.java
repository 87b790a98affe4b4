package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first programs of the README and the guide compile as they stand there, and are right. */
@Timeout(60)
class ReadmeTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/GUIDE.md"})
    void sample_isRightWithAndWithoutCluster(String document) throws Exception {
        String text = Files.readString(Path.of("..").resolve(document));
        List<String> samples = CompiledSources.samples(text);
        assertTrue(!samples.isEmpty(), () -> document + " has no sample");
        String name = CompiledSources.name(samples.getFirst());
        try (CompiledSources compiled = new CompiledSources(folder, samples.subList(0, 1))) {
            checkSample(text, Dsm.run(compiled.newProgram(name)));
            checkSample(text, PretendCluster.run(4, 2, null, () -> compiled.newProgram(name)));
        }
    }

    /** The document shows the very line that the run prints. */
    private static void checkSample(String text, Verdict verdict) {
        assertTrue(verdict.right(), verdict.detail());
        assertTrue(text.contains("\n    verified: " + verdict.detail() + "\n"), verdict.detail());
    }
}
