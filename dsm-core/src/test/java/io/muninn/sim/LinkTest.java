package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.protocol.Bytes;
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
        assertEquals(1000 + LATENCY_NANOS + 50, link.accept(frame(50), 1000, DELAYS));
    }

    @Test
    void secondMessageWaitsUntilTheLinkHasCarriedTheFirst() {
        link.accept(frame(50), 0, DELAYS);

        assertEquals(50 + LATENCY_NANOS + 10, link.accept(frame(10), 0, DELAYS));
    }

    @Test
    void nothingArrivesWhileTheLinkIsClogged() {
        link.clogUntil(5000);

        assertEquals(5000, link.accept(frame(5), 0, DELAYS));
    }

    @Test
    void cutLink_losesWhatIsOnItsWay() {
        link.accept(frame(5), 0, DELAYS);

        link.cut();

        assertTrue(link.isCut());
        assertTrue(link.frames().isEmpty());
    }

    private static Link.Frame frame(int bytes) {
        return new Link.Frame(new SyncMessage.Letter(1, Bytes.EMPTY), new byte[bytes]);
    }
}
