package io.muninn.sim.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ServerTest {
    private static final long WINDOW = 1_000;

    private final Server server = new Server(WINDOW, 4);

    @Test
    void requests_areServedOneAfterAnother() {
        assertEquals(110, server.book(100, 10));
        assertEquals(130, server.book(105, 20));
        assertEquals(205, server.book(200, 5));

        assertEquals(35, server.busyPicos());
        assertEquals(5, server.waitedPicos());
        assertEquals(0, server.backlogPicos(300));
        assertEquals(4, server.backlogPicos(201));
    }

    @Test
    void quantumOfOneProcessor_isDelayedOnlyByItsExcess() {
        assertEquals(0, server.bookSpread(0, 0, 1_000, 900));
        assertEquals(100, server.bookSpread(0, 1_000, 1_000, 100));
    }

    @Test
    void quantaOfOneWindow_waitForThoseBookedEarlier() {
        assertEquals(0, server.bookSpread(0, 0, 1_000, 200));
        assertEquals(50, server.bookSpread(1, 0, 1_000, 200)); // a fifth is taken: 200 * 0.2 / 0.8
        long third = server.bookSpread(2, 0, 1_000, 200);

        assertEquals(133, third);
        assertEquals(0, server.bookSpread(3, 5_000, 6_000, 200)); // another window
    }

    @Test
    void moreThanTheServerCanServe_delaysWithoutBound() {
        long last = 0;
        for (int i = 0; i < 10; i++) {
            long from = i * WINDOW;
            server.bookSpread(0, from, from + WINDOW, 800);
            long delay = server.bookSpread(1, from, from + WINDOW, 800);
            assertTrue(delay >= last, "delay " + delay + " after " + last);
            last = delay;
        }

        assertEquals(10 * 600, last, 1_000.0 * 8);
        assertTrue(last >= 10 * 600, "delay " + last);
    }
}
