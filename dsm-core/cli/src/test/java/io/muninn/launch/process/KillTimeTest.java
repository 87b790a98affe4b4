package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The times are data. */
class KillTimeTest {
    private static final long NOW = 1_000;
    private static final Duration GRACE = Duration.ofNanos(300);

    private final KillTime time = new KillTime();

    @Test
    void earliestTimeSet_counts() {
        assertFalse(time.hasCome(Long.MAX_VALUE));
        assertEquals(NOW, time.orEarlier(NOW));

        time.within(GRACE, NOW);
        time.within(GRACE.multipliedBy(2), NOW);

        assertFalse(time.hasCome(NOW + 299));
        assertTrue(time.hasCome(NOW + 300));
        assertEquals(NOW + 300, time.orEarlier(NOW + 400));
        time.clear();
        assertFalse(time.hasCome(NOW + 300));
    }

    @Test
    void launcherThatWasStopped_givesTheRestOfTheTimeWhenItGoesOn() {
        time.within(GRACE, NOW);

        time.postpone(5_000); // it ran for 100 of the 300, and should have woken then

        assertFalse(time.hasCome(NOW + 100 + 5_000));
        assertFalse(time.hasCome(NOW + 5_299));
        assertTrue(time.hasCome(NOW + 5_300));
    }
}
