package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that an agent has started, with a class path that has the API alone. */
class MissingRuntimeTest {
    private static final String MAIN =
            """
            class Joins {
                public static void main(String[] words) {
                    io.muninn.api.Dsm.join();
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void join_namesTheClassPathInsteadOfBeingAlone() throws Exception {
        assertEquals(1, status("node 0"));
        assertTrue(said().contains("the class path has no runtime by which to reach it"), said());
        assertTrue(said().contains("add all jars of dsm-apps/target/lib"), said());
    }

    private int status(String agent) throws Exception {
        Path source = Files.writeString(folder.resolve("Joins.java"), MAIN);
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes(),
                        source.toString());
        builder.environment().put("MUNINN_AGENT", agent);
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile());
        return builder.start().waitFor();
    }

    private static String classes() throws URISyntaxException {
        return Path.of(Dsm.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private String said() throws java.io.IOException {
        return Files.readString(folder.resolve("said"), StandardCharsets.UTF_8);
    }
}
