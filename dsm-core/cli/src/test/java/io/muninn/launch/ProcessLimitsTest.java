package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
    @Test
    void tooFewOpenFiles_areToldWithWhatIsNeeded() {
        ProcessLimits.requireOpenFiles(82, 4, 1);

        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ProcessLimits.requireOpenFiles(81, 4, 1));

        assertEquals(
                "a process may open 81 files, and a node of this run needs 82: 'ulimit -n 82'",
                refused.getMessage());
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
