package io.muninn.verify.search;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.RunEndedException;
import io.muninn.verify.program.SeededRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limit ends the runs that it observes, which is no violation. */
class TimeLimitTest {
    private static final SeededRun RUN = SeededRun.of(1, SeededRun.Options.ALL);

    @Test
    void runWhoseTimeIsOver_isEndedWithoutAViolation() {
        TimeLimit none = new TimeLimit(0);

        assertThrows(RunEndedException.class, () -> RUN.run(List.of(none)));
        assertTrue(none.isOver());
    }

    @Test
    void runWithoutALimit_runsToItsEnd() {
        assertTrue(RUN.run(List.of(new TimeLimit(Long.MAX_VALUE))).steps() > 0);
    }
}
