package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The versions that the example project names, for Maven and for Gradle. */
@Tag("e2e")
class ConsumerVersionsTest {
    private static final Path CONSUMER = SourceCopy.CHECKOUT.resolve("examples/consumer");

    private static String version(Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        assertTrue(matcher.find(), () -> pattern + " is not in " + file);
        return matcher.group(1);
    }

    @Test
    void example_namesTheVersionsOfThisBuild() throws IOException {
        Path root = SourceCopy.CHECKOUT.resolve("pom.xml");
        String ours = version(root, "<version>([^<]*)</version>");
        String junit = version(root, "<junit.version>([^<]*)</junit.version>");
        String ofArtifact = "</artifactId>\\s*<version>([^<]*)</version>";

        assertEquals(ours, version(CONSUMER.resolve("pom.xml"), "muninn-bom" + ofArtifact));
        assertEquals(junit, version(CONSUMER.resolve("pom.xml"), "junit-bom" + ofArtifact));
        Path gradle = CONSUMER.resolve("build.gradle");
        assertEquals(ours, version(gradle, "'io.muninn:muninn-bom:([^']*)'"));
        assertEquals(junit, version(gradle, "'org.junit:junit-bom:([^']*)'"));
    }
}
