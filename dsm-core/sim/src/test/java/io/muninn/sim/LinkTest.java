package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.sync.SyncMessage;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final long LATENCY_NANOS = 100;

    /** A byte takes a nanosecond. */
    private static final Delays DELAYS =
            Delays.exact(new MachineModel(LATENCY_NANOS, 1000, 0, 0, 0, 0, 0, 0, 0, 0));

    private final Link link = new Link(0, 1);

    @Test
    void messageArrivesAfterLatencyAndTransfer() {
        assertEquals(1000 + LATENCY_NANOS + 50, carry(50, 1000));
    }

    @Test
    void secondMessageWaitsUntilTheLinkHasCarriedTheFirst() {
        carry(50, 0);

        assertEquals(50 + LATENCY_NANOS + 10, carry(10, 0));
    }

    @Test
    void nothingArrivesWhileTheLinkIsClogged() {
        link.clogUntil(5000);

        assertEquals(5000, carry(5, 0));
    }

    @Test
    void cutLink_losesWhatIsOnItsWay() {
        carry(5, 0);

        link.cut();

        assertTrue(link.isCut());
        assertTrue(link.frames().isEmpty());
    }

    private long carry(int bytes, long nowNanos) {
        Link.Frame frame =
                new Link.Frame(new SyncMessage.Letter(1, Cargo.NONE, Bytes.EMPTY), new byte[bytes]);
        link.accept(frame);
        return link.carry(frame.bytes().length, nowNanos, DELAYS);
    }
}
