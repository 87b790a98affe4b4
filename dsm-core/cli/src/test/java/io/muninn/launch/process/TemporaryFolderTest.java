package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {
    private static final String PROPERTY = "java.io.tmpdir";

    private final String before = System.getProperty(PROPERTY);

    @AfterEach
    void restore() {
        System.setProperty(PROPERTY, before);
    }

    @Test
    void folderThatCannotBeWrittenTo_isRefusedWithTheRemedy() {
        TemporaryFolder.requireWritable("compare");
        System.setProperty(PROPERTY, "/none");

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TemporaryFolder.requireWritable("compare"));

        assertEquals(
                "compare needs a temporary folder, and /none cannot be written to; set TMPDIR to"
                        + " another",
                refused.getMessage());
    }

    /** The file system of processes has no space at all. */
    @Test
    void folderWithoutRoom_isNoticed() throws IOException {
        TemporaryFolder.requireSpace();
        System.setProperty(PROPERTY, "/proc");

        assertThrows(IOException.class, TemporaryFolder::requireSpace);
        assertEquals(Path.of("/proc"), TemporaryFolder.path());
    }
}
