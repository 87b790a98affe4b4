package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of a program of the user, compiled as a user does. */
class OwnProgramTest {
    private static final String SOURCE =
            """
            public class Counts implements io.muninn.api.DsmProgram {
                static int created;
                final int number = ++created;
                @Override public void run(io.muninn.api.DsmNode node) {}
                @Override public String toString() {
                    try {
                        Class.forName("picocli.CommandLine");
                        return number + " with picocli";
                    } catch (ClassNotFoundException absent) {
                        return number + " alone";
                    }
                }
                public static class Tool {
                    public static void main(String[] words) {}
                }
            }
            """;

    @TempDir private Path folder;

    @BeforeEach
    void compile() throws IOException {
        Path source = Files.writeString(folder.resolve("Counts.java"), SOURCE);
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                folder.toString(),
                                source.toString());
        assertEquals(0, status);
    }

    @Test
    void programs_shareNoStaticFieldsAndSeeNoLibraryOfOurs() {
        OwnProgram own = Programs.own("Counts", List.of(folder));

        DsmProgram first = own.create(List.of());
        DsmProgram second = own.create(List.of());

        assertEquals("1 alone", first.toString());
        assertEquals("1 alone", second.toString());
        assertNotSame(first.getClass(), second.getClass());
        assertEquals(
                second.getClass().getClassLoader(), Thread.currentThread().getContextClassLoader());
    }

    @Test
    void classWithAMain_isNoProgram() {
        assertTrue(new OwnProgram("Counts.Tool", List.of(folder)).isMain());
        assertEquals(
                "class Counts.Tool does not implement DsmProgram; its main can join a live run, of"
                        + " 'dsm run' or 'dsm node'",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> Programs.own("Counts.Tool", List.of(folder)))
                        .getMessage());
    }
}
