package io.muninn.agent.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ProcessAgeTest {
    @Test
    void ageOfThisProcess_growsWithTime() {
        long startNanos = System.nanoTime();
        double before = ProcessAge.seconds(ProcessHandle.current().pid()).orElseThrow();
        double after = before;
        while (after < before + 0.05) {
            after = ProcessAge.seconds(ProcessHandle.current().pid()).orElseThrow();
        }
        double passed = (System.nanoTime() - startNanos) / 1e9;

        assertTrue(before > 0, before + " s");
        assertTrue(after - before <= passed + 0.02, after - before + " s in " + passed + " s");
    }

    @Test
    void processOlderThanAnother_hasTheGreaterAge() {
        double first = ProcessAge.seconds(1).orElseThrow();

        assertTrue(first >= ProcessAge.seconds(ProcessHandle.current().pid()).orElseThrow());
    }

    @Test
    void whatWasBeforeATime_doesNotCount() throws IOException {
        long pid = ProcessHandle.current().pid();
        String now = Files.readString(Path.of("/proc/uptime")).split(" ")[0];
        long startNanos = System.nanoTime();

        double since = ProcessAge.seconds(pid, now).orElseThrow();

        double passed = (System.nanoTime() - startNanos) / 1e9;
        assertTrue(since <= passed + 0.02, since + " s in " + passed + " s");
        double age = ProcessAge.seconds(pid).orElseThrow();
        assertEquals(age, ProcessAge.seconds(pid, "0").orElseThrow(), 1, "it is younger");
        assertEquals(age, ProcessAge.seconds(pid, null).orElseThrow(), 1, "no time");
        assertEquals(age, ProcessAge.seconds(pid, "soon").orElseThrow(), 1, "not a time");
    }

    @Test
    void processThatIsNotThere_hasNone() {
        assertEquals(OptionalDouble.empty(), ProcessAge.seconds(Integer.MAX_VALUE));
    }
}
