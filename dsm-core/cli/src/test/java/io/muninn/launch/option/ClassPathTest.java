package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
    @TempDir private Path folder;

    @Test
    void wildcard_standsForTheJarsOfItsFolder() throws IOException {
        Path first = Files.createFile(folder.resolve("a.jar"));
        Path second = Files.createFile(folder.resolve("b.JAR"));
        Files.createFile(folder.resolve("notes.txt"));
        Path nested = Files.createDirectory(folder.resolve("nested"));
        Files.createFile(nested.resolve("c.jar"));
        Path classes = Path.of("classes");

        assertEquals(
                List.of(classes, first, second),
                ClassPath.expanded(List.of(classes, folder.resolve("*"))));
    }

    @Test
    void wildcardWithoutJars_isNamed() {
        Path wildcard = folder.resolve("*");

        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ClassPath.expanded(List.of(wildcard)))
                        .getMessage();

        assertEquals("class path entry " + wildcard + ": there is no jar", text);
    }
}
