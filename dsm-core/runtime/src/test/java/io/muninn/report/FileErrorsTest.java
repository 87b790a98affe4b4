package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileErrorsTest {
    @TempDir private Path folder;

    @Test
    void folderThatIsGone_isNamedWithTheReason() {
        Path gone = folder.resolve("gone");

        IOException cannot =
                assertThrows(
                        IOException.class, () -> ReportFile.write("{}", gone.resolve("report")));

        assertEquals("there is no file or folder " + gone, FileErrors.reason(cannot));
    }

    @Test
    void fileInTheWay_isNamedWithTheReason() throws IOException {
        Path taken = Files.createFile(folder.resolve("taken"));

        IOException cannot = assertThrows(IOException.class, () -> Files.createDirectory(taken));

        assertEquals("there is already a file " + taken, FileErrors.reason(cannot));
    }

    @Test
    void reasonOfTheSystem_isKept() {
        FileSystemException full = new FileSystemException("/full", null, "No space left");

        assertEquals("/full: No space left", FileErrors.reason(full));
        assertEquals("Broken pipe", FileErrors.reason(new IOException("Broken pipe")));
    }
}
