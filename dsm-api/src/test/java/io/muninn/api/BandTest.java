package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BandTest {
    @Test
    void bands_coverEveryRowOnceAndEvenly() {
        for (int total : new int[] {0, 1, 3, 7, 400, 512, Integer.MAX_VALUE}) {
            for (int positions : new int[] {1, 2, 3, 7, 16, 64}) {
                int next = 0;
                for (int position = 0; position < positions; position++) {
                    Band band = Band.of(total, position, positions);
                    assertEquals(next, band.from());
                    int least = total / positions;
                    assertTrue(band.length() == least || band.length() == least + 1);
                    next = band.to();
                }
                assertEquals(total, next);
            }
        }
    }

    @Test
    void moreSharesThanRows_leavesSomeEmpty() {
        assertTrue(Band.of(1, 0, 3).isEmpty());
        assertEquals(new Band(0, 1), Band.of(1, 2, 3));
    }

    @Test
    void contains_isHalfOpen() {
        Band band = new Band(2, 4);

        assertTrue(band.contains(2) && band.contains(3));
        assertTrue(!band.contains(1) && !band.contains(4));
    }

    @Test
    void sharesOutOfRange_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> Band.of(4, 2, 2));
        assertThrows(IllegalArgumentException.class, () -> Band.of(4, -1, 2));
        assertThrows(IllegalArgumentException.class, () -> Band.of(-1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Band(3, 2));
    }
}
