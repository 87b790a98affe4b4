package io.muninn.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    void processThatIsNotThere_hasNone() {
        assertEquals(OptionalDouble.empty(), ProcessAge.seconds(Integer.MAX_VALUE));
    }
}
