package io.muninn.transport.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final List<String> lines = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - 5; // wraps around meanwhile
    private final Refusals refusals = new Refusals(lines::add, () -> nowNanos);

    @Test
    void many_areAllCountedAndLoggedOnceASecond() {
        for (int i = 0; i < 1_000; i++) {
            refusals.add("a socket", "reason " + i);
        }
        nowNanos += 1_000_000_000;
        refusals.add("a socket", "one more");

        assertEquals(1_001, refusals.count());
        assertEquals(
                List.of(
                        "turned away a connection to a socket: reason 0",
                        "turned away a connection to a socket: one more (and 999 more since the"
                                + " last line)"),
                lines);
    }
}
