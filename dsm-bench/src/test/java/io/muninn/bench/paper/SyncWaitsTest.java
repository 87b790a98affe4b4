package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.BarrierId;
import org.junit.jupiter.api.Test;

/** The waiting part of barriers. */
class SyncWaitsTest {
    private static final BarrierId BARRIER = new BarrierId("b");

    private final SyncWaits waits = new SyncWaits();

    @Test
    void barrier_isWaitedForUntilTheLastThreadArrives() {
        waits.arrived(BARRIER, 3, 100);
        waits.arrived(BARRIER, 3, 250);
        assertEquals(0, waits.barrierNanos());
        waits.arrived(BARRIER, 3, 300);
        assertEquals(200 + 50, waits.barrierNanos());

        waits.arrived(BARRIER, 3, 400); // the next round
        assertEquals(250, waits.barrierNanos());
    }

    @Test
    void restart_forgetsSumsAndKeepsWhoWaits() {
        waits.arrived(BARRIER, 2, 100);
        waits.restart();
        waits.arrived(BARRIER, 2, 130);
        assertEquals(30, waits.barrierNanos());
    }
}
