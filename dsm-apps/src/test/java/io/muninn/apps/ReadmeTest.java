package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README compiles as it stands there, and is right. */
@Timeout(60)
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Pattern SAMPLE = Pattern.compile("(?s)```java\\n(.*?)```");
    private static final Pattern NAME = Pattern.compile("public final class (\\w+)");

    @TempDir private Path folder;
    private String text = "";
    private URLClassLoader loader = new URLClassLoader(new URL[0]);
    private Class<? extends DsmProgram> program = DsmProgram.class;

    @BeforeEach
    void compileSample() throws IOException, ClassNotFoundException {
        text = Files.readString(README);
        Matcher sample = SAMPLE.matcher(text);
        assertTrue(sample.find(), "the README has no sample");
        Matcher name = NAME.matcher(sample.group(1));
        assertTrue(name.find(), "the sample is no class");
        Path source = folder.resolve(name.group(1) + ".java");
        Files.writeString(source, sample.group(1));

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int failed =
                compiler.run(
                        null,
                        null,
                        null,
                        List.of(
                                        "-Xlint:all",
                                        "-Werror",
                                        "-proc:none",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "-d",
                                        folder.toString(),
                                        source.toString())
                                .toArray(String[]::new));
        assertEquals(0, failed, "the sample does not compile");
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        program = loader.loadClass(name.group(1)).asSubclass(DsmProgram.class);
    }

    @AfterEach
    void closeLoader() throws IOException {
        loader.close();
    }

    @Test
    void sample_isRightWithAndWithoutCluster() throws Exception {
        checkSample(Dsm.run(newProgram()));
        checkSample(PretendCluster.run(4, 2, null, this::newProgram));
    }

    private DsmProgram newProgram() {
        try {
            return program.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException cause) {
            throw new AssertionError("the sample cannot be constructed", cause);
        }
    }

    /** The README shows the very line that the run prints. */
    private void checkSample(Verdict verdict) {
        assertTrue(verdict.right(), verdict.detail());
        assertTrue(text.contains("\n    verified: " + verdict.detail() + "\n"), verdict.detail());
    }
}
