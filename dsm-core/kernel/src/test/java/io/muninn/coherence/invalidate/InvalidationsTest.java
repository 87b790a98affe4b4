package io.muninn.coherence.invalidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.BarrierId;
import io.muninn.spi.GatedRelease;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rounds of invalidations for which each release waits. */
class InvalidationsTest {
    private static final GatedRelease FIRST =
            new GatedRelease.Arrival(new BarrierId("first"), 1, 0);
    private static final GatedRelease SECOND =
            new GatedRelease.Arrival(new BarrierId("second"), 1, 0);

    private final Invalidations invalidations = new Invalidations();

    @Test
    void node_isIdleUntilARoundBeginsAndAgainWhenAllAreOver() {
        assertTrue(invalidations.isIdle());
        long one = invalidations.begin();
        long other = invalidations.begin();
        invalidations.end(one);
        assertFalse(invalidations.isIdle());

        invalidations.end(other);

        assertTrue(invalidations.isIdle());
    }

    @Test
    void release_waitsForAllRoundsBegunBeforeIt() {
        long one = invalidations.begin();
        long other = invalidations.begin();
        invalidations.await(FIRST);

        assertEquals(List.of(), invalidations.end(other));
        assertEquals(List.of(FIRST), invalidations.end(one));
    }

    @Test
    void release_doesNotWaitForRoundsBegunAfterIt() {
        long before = invalidations.begin();
        invalidations.await(FIRST);
        long after = invalidations.begin();
        invalidations.await(SECOND);

        assertEquals(List.of(FIRST), invalidations.end(before));
        assertEquals(List.of(SECOND), invalidations.end(after));
    }

    @Test
    void releases_arePerformedInTheirOrder() {
        long before = invalidations.begin();
        invalidations.await(FIRST);
        long after = invalidations.begin();
        invalidations.await(SECOND);

        assertEquals(List.of(), invalidations.end(after));
        assertEquals(List.of(FIRST, SECOND), invalidations.end(before));
    }
}
