package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnnamedFileTest {
    @TempDir private Path folder;

    @Test
    void fileHasNoName() throws IOException {
        try (UnnamedFile file = UnnamedFile.create(folder, "draft-");
                Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
            assertEquals(Optional.empty(), file.text());
        }
    }

    @Test
    void otherProcess_writesByThePath() throws IOException, InterruptedException {
        try (UnnamedFile file = UnnamedFile.create(folder, "draft-")) {
            String script = "printf 'from a shell\\0' > " + file.path();
            assertEquals(0, new ProcessBuilder("sh", "-c", script).start().waitFor());

            assertEquals(Optional.of("from a shell"), file.text());
        }
    }

    @Test
    void lastText_isTheText() throws IOException {
        try (UnnamedFile file = UnnamedFile.create(folder, "draft-");
                UnnamedFile other = UnnamedFile.create(folder, "draft-")) {
            UnnamedFile.write("the first and longer one", file.path());
            ReportDrafts.write("the second", file.path());
            ReportDrafts.discard(file.path());

            assertEquals(Optional.of("the second"), file.text());
            assertEquals(Optional.empty(), other.text());
        }
    }

    /** As by a process that is killed while it writes. */
    @Test
    void textThatIsNotComplete_isNone() throws IOException {
        try (UnnamedFile file = UnnamedFile.create(folder, "draft-")) {
            UnnamedFile.write("all of it", file.path());
            Files.writeString(file.path(), "part of");

            assertEquals(Optional.empty(), file.text());
        }
    }
}
