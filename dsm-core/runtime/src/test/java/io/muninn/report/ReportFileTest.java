package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFileTest {
    @Test
    void file_isReplacedAndNothingIsLeftBeside(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("run.json"), "before");

        ReportFile.write("after", file);

        assertEquals("after", Files.readString(file));
        assertEquals(List.of(file), list(folder));
    }

    @Test
    void link_isFollowed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("run.json"), "before");
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);

        ReportFile.write("after", link);

        assertTrue(Files.isSymbolicLink(link));
        assertEquals("after", Files.readString(file));
    }

    @Test
    void device_isWrittenToAndStays() throws IOException {
        Path device = Path.of("/dev/null");

        ReportFile.write("after", device);

        assertTrue(Files.exists(device) && !Files.isRegularFile(device));
    }

    @Test
    void folderThatIsMissing_isAnError(@TempDir Path folder) {
        Path file = folder.resolve("none").resolve("run.json");

        assertThrows(IOException.class, () -> ReportFile.write("after", file));
    }

    @Test
    void pipe_isWrittenToAndStays(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();

        ReportFile.requireWritable(pipe);
        ReportFile.write("after", pipe);

        try (InputStream out = reader.getInputStream()) {
            assertEquals("after", new String(out.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertEquals(List.of(pipe), list(folder));
    }

    /** As for {@code >(command)}: the name is a link to an object without a path. */
    @Test
    void descriptorOfAPipe_isWrittenTo() throws Exception {
        Process reader = new ProcessBuilder("cat").start();
        try (InputStream out = reader.getInputStream()) {
            Path descriptor = descriptorOf(reader);

            ReportFile.requireWritable(descriptor);
            ReportFile.write("after", descriptor);
            reader.getOutputStream().close();

            assertEquals("after", new String(out.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * A descriptor of this process, for the input of a child: the end that the child does not have.
     */
    private static Path descriptorOf(Process child) throws IOException {
        Path pipe = Files.readSymbolicLink(Path.of("/proc/" + child.pid() + "/fd/0"));
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : all.toList()) {
                if (Files.isSymbolicLink(each) && Files.readSymbolicLink(each).equals(pipe)) {
                    return Path.of("/dev/fd").resolve(each.getFileName());
                }
            }
        }
        throw new IOException("no descriptor of " + pipe);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "./-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    void standardOutput_hasSeveralNamesAndStaysItself(String name) {
        assertTrue(ReportFile.isStandardOutput(Path.of(name)));
        assertEquals(Path.of("-"), ReportFile.absolute(Path.of(name)));
        ReportFile.requireWritable(Path.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/no/such/folder/x"})
    void whatCannotBeWritten_isRefusedBeforeARun(String name) {
        Path file = Path.of(name);

        assertThrows(IllegalArgumentException.class, () -> ReportFile.requireWritable(file));
        assertFalse(ReportFile.isStandardOutput(file));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
