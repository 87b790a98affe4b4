package io.muninn.bench.live;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchTest {
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
