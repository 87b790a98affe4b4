package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
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
    }

    @Test
    void invertedBand_isEmptyAsARangeOfAStream() {
        for (int[] ends : new int[][] {{5, 4}, {0, -1}, {-1, -5}, {-3, -3}, {7, 7}}) {
            Band band = new Band(ends[0], ends[1]);

            assertEquals(IntStream.range(ends[0], ends[1]).count(), band.length());
            assertTrue(band.isEmpty(), band::toString);
        }
        assertEquals(new Band(5, 5), new Band(5, 4));
        assertEquals(new Band(0, 0), new Band(-1, -5));
        assertEquals(new Band(9, 9), new Band(9, Integer.MIN_VALUE));
    }

    @Test
    void negativeRow_isRefusedWithBothEnds() {
        for (int[] ends : new int[][] {{-3, 3}, {-1, 0}, {-3, -2}, {Integer.MIN_VALUE, 1}}) {
            assertEquals(
                    "band from " + ends[0] + " to " + ends[1] + ": rows and indices count from 0",
                    assertThrows(IllegalArgumentException.class, () -> new Band(ends[0], ends[1]))
                            .getMessage());
        }
    }
}
