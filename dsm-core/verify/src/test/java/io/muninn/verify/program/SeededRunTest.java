package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeededRunTest {
    private static final int SEEDS = Seeds.some(25);
    private static final long STRANGE = 77;

    /** First seed; a seed with a load of the value follows soon. */
    private static final long FIRST = 210;

    /** Reports a violation when a thread loads one value with a given width. */
    private record StrangeLoad(int bytes) implements Observer {
        @Override
        public void onLoad(SimThread thread, PageId page, int offset, int width, long value) {
            if (width == bytes && value == STRANGE) {
                throw new Violation("strange", thread + " loads " + value);
            }
        }
    }

    @Test
    void sameSeed_hasTheSameTraceHash() {
        long[] hashes = new long[SEEDS];
        long[] again = new long[SEEDS];

        for (int seed = 0; seed < SEEDS; seed++) {
            hashes[seed] = SeededRun.of(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
        }
        for (int seed = SEEDS - 1; seed >= 0; seed--) {
            again[seed] = SeededRun.of(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
        }

        assertArrayEquals(hashes, again);
        assertEquals(SEEDS, Arrays.stream(hashes).distinct().count());
    }

    @Test
    void manySeeds_endInTime() {
        int completed = 0;
        for (int seed = 0; seed < 4 * SEEDS; seed++) {
            completed +=
                    SeededRun.of(seed, SeededRun.Options.ALL).run(List.of()).completed() ? 1 : 0;
        }

        assertTrue(completed > 2 * SEEDS && completed < 4 * SEEDS, "completed: " + completed);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void options_restrictWhatASeedDecides(Protocol protocol) {
        SeededRun.Options options =
                new SeededRun.Options(List.of(Protocol.values()), 2, true, false, false)
                        .only(protocol);
        for (int seed = 0; seed < SEEDS; seed++) {
            SeededRun trial = SeededRun.of(seed, options);

            assertTrue(trial.run(List.of()).completed());
            assertEquals(2, trial.program().nodes());
            assertTrue(
                    trial.program().regions().stream()
                            .allMatch(region -> region.protocol() == protocol));
        }
    }

    @Test
    void aFailure_namesViolationSeedAndShrunkProgram() {
        long seed = FIRST - 1;
        Optional<SeededRun.Failure> found = Optional.empty();
        while (found.isEmpty()) {
            seed++;
            found =
                    SeededRun.of(seed, SeededRun.Options.ALL)
                            .failure(() -> List.of(new StrangeLoad(Short.BYTES)));
        }
        SeededRun.Failure failure = found.get();

        assertEquals("strange", failure.violation().checker());
        assertEquals(seed, failure.seed());
        assertEquals(2, failure.shrunk().sharedOperations() + failure.shrunk().initial().size());
        assertTrue(failure.text().contains("seed 0x%x:".formatted(seed)), failure.text());
        assertTrue(failure.text().contains("loads 77"), failure.text());
        assertTrue(failure.text().contains("store 77 to"), failure.text());
    }
}
