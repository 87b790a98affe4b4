package io.muninn.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FlightRecorderTest {
    private static final WaiterId WAITER = new WaiterId(MappingId.FIRST, 3);

    private final FlightRecorder recorder = new FlightRecorder();

    @Test
    void description_hasTheCauseAndTheLastEventsOldestFirst() {
        for (int i = 0; i < 300; i++) {
            recorder.add(new Event.ReleaseCalled(MappingId.FIRST, new LockId("lock " + i)));
        }

        List<String> lines = recorder.describe(new IllegalStateException("why")).lines().toList();

        assertEquals("violation: why", lines.getFirst());
        int first = lines.indexOf("last events, oldest first:") + 1;
        assertEquals(256, lines.size() - first);
        assertTrue(lines.get(first).contains("lock 44]"), lines.get(first));
        assertTrue(lines.getLast().contains("lock 299]"), lines.getLast());
    }

    /** 256 messages of a program would not fit into an agent's memory. */
    @Test
    void lettersBytes_areNotKept() {
        assertForgotten(body -> new Event.SendCalled(WAITER, NodeId.of(1), 7, body));
        assertForgotten(body ->
                new Event.MessageArrived(
                        NodeId.of(1), new SyncMessage.Letter(7, Cargo.NONE, body), 5));
        String text = recorder.describe(new IllegalStateException("why"));
        assertTrue(text.contains("SendCalled") && text.contains("1000 bytes"), text);
    }

    private void assertForgotten(Function<Bytes, Event> event) {
        WeakReference<byte[]> content = record(event);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (content.get() != null && System.nanoTime() < deadline) {
            System.gc();
        }
        assertNull(content.get());
    }

    private WeakReference<byte[]> record(Function<Bytes, Event> event) {
        byte[] content = new byte[1000];
        recorder.add(event.apply(new Bytes(content)));
        return new WeakReference<>(content);
    }
}
