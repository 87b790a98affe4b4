package io.muninn.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchTest {
    @Test
    void series_forgetsTheWarmUpAndIsFullThen() {
        Series series = new Series("x", 10);
        series.add(1_000_000);
        for (int i = 10; i >= 1; i--) {
            assertFalse(series.isFull());
            series.add(i);
        }
        assertTrue(series.isFull());
        series.add(1_000_000);
        series.sent(2, 34);

        assertEquals(new Measured("x", 6, 10, 10, 2, 34), series.measured());
    }

    @Test
    void seriesOfWarmUpAlone_saysSo() {
        Series series = new Series("x", 10);
        series.add(1);

        assertThrows(IllegalStateException.class, series::measured);
    }

    @Test
    void pages_comeEachOnceAndInNoSequence() {
        PageOrder order = new PageOrder(64);
        boolean[] seen = new boolean[64];
        int neighbours = 0;
        for (int i = 0; i < order.count(); i++) {
            seen[order.element(i) / PageOrder.PAGE_ELEMENTS] = true;
            if (i > 0 && order.element(i) - order.element(i - 1) == PageOrder.PAGE_ELEMENTS) {
                neighbours++;
            }
        }
        for (boolean page : seen) {
            assertTrue(page);
        }
        assertTrue(neighbours < 5, neighbours + " pages follow their neighbour");
    }

    @Test
    void badOptions_areRefused() {
        Bench bench = new Bench();

        assertThrows(IllegalArgumentException.class, () -> bench.create(List.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> bench.create(List.of("--results", "x", "--sections", "locks,doors")));
        assertThrows(
                IllegalArgumentException.class,
                () -> bench.create(List.of("--results", "x", "--samples", "1")));
    }
}
