package io.muninn.launch.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
    private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

    @Test
    void tooFewOpenFiles_areToldWithWhatIsNeeded() {
        ProcessLimits.requireOpenFiles(106, 4, 4, 1, 1);

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ProcessLimits.requireOpenFiles(105, 4, 4, 1, 1));

        assertEquals(
                "a process may open 105 files, and an agent of this run needs 106: 'ulimit -n 106'",
                refused.getMessage());
        ProcessLimits.requireOpenFiles(76, 4, 1, 1, 1);
        assertThrows(
                IllegalArgumentException.class,
                () -> ProcessLimits.requireOpenFiles(75, 4, 1, 1, 1));
    }

    /** Otherwise the script would accept a limit that is too low for any run. */
    @Test
    void scriptRequires_whatTheSmallestRunNeeds() throws IOException {
        String script = Files.readString(MODULE.resolve("../../dsm"));
        Matcher required = Pattern.compile("(?m)^files_min=(\\d+)\\b").matcher(script);
        assertTrue(required.find());
        int filesMin = Integer.parseInt(required.group(1));

        ProcessLimits.requireOpenFiles(filesMin, 1, 1, 1, 1);
        assertThrows(
                IllegalArgumentException.class,
                () -> ProcessLimits.requireOpenFiles(filesMin - 1, 1, 1, 1, 1));
    }

    @Test
    void limitedFileSize_isToldWithTheRemedy() {
        ProcessLimits.requireFileSize(64L << 30);

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ProcessLimits.requireFileSize(100 << 10));

        assertEquals(
                "a process may make files of 100 KiB, and the shared memory of a node is a sparse"
                        + " one of 64.0 GiB or more: 'ulimit -f unlimited'",
                refused.getMessage());
    }

    @Test
    void limit_isTheSoftOneIfThereIsOne() {
        String line = "Max open files            48                   20000                files";

        assertEquals(48, ProcessLimits.openFiles(List.of("Limit", line)));
        assertEquals(Long.MAX_VALUE, ProcessLimits.openFiles(List.of()));
        assertEquals(
                Long.MAX_VALUE, ProcessLimits.openFiles(List.of("Max open files  unlimited  x")));
    }
}
