package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.launch.process.RunTag.Standing;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Detects the processes of a run, also at moments at which they show no environment. */
class RunTagTest {
    private static final int ROUNDS = 30;
    private static final long NOW_TICKS = 1L << 62;

    private final RunTag mark = RunTag.random();

    @Test
    void processBetweenTwoPrograms_mayBeOurs() {
        ProcessStat inExec = new ProcessStat('R', 0, NOW_TICKS);

        assertEquals(Standing.UNKNOWN, mark.standingOfNone(inExec));
    }

    @Test
    void othersWithoutAnEnvironment_areNotOurs() {
        ProcessStat ended = new ProcessStat('Z', 0, NOW_TICKS);
        ProcessStat kernelThread = new ProcessStat('S', 0x20_8040, NOW_TICKS);
        ProcessStat olderThanTheRun = new ProcessStat('S', 0, 0);

        for (ProcessStat stat : List.of(ended, kernelThread, olderThanTheRun)) {
            assertEquals(Standing.NOT_OURS, mark.standingOfNone(stat), stat::toString);
        }
    }

    @Test
    void line_isReadBehindAnyName() {
        String line = "7 (a ) S 1 (b) R 1 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 42 0 0\n";

        ProcessStat stat = ProcessStat.parse(line);

        assertEquals(new ProcessStat('R', 4194304, 42), stat);
    }

    @Test
    void thisProcess_isAliveAndHasAnEnvironment() {
        ProcessStat self = ProcessStat.of(ProcessHandle.current().pid());

        assertFalse(self.hasEnded());
        assertFalse(self.isKernelThread());
        assertTrue(self.startTicks() > 0);
    }

    /** A process that executes one program after another as fast as it can. */
    @Test
    void processThatStartsProgramsAllTheTime_isEnded() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            Process child = startChain();
            try {
                mark.end(0);

                assertTrue(ProcessStat.of(child.pid()).hasEnded(), "child " + i);
            } finally {
                child.destroyForcibly();
            }
        }
    }

    private Process startChain() throws IOException {
        String again = "exec sh -c \"$0\" \"$0\"";
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", again, again);
        builder.environment().put(RunTag.VARIABLE, mark.value());
        return builder.start();
    }
}
