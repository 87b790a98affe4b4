package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.kernel.RegionCounts;
import io.muninn.wire.MalformedMessageException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NodeReportTest {
    @Test
    void decoded_isWhatWasEncoded() {
        NodeReport report = Reports.node(1);

        NodeReport back = NodeReport.decode(report.encode());

        assertEquals(report.node(), back.node());
        assertArrayEquals(report.counters(), back.counters());
        assertEquals(report.byKind(), back.byKind());
        RegionCounts sent = report.regions().getFirst();
        RegionCounts got = back.regions().getFirst();
        assertEquals(1, back.regions().size());
        assertArrayEquals(sent.totals(), got.totals());
        assertEquals(sent.byKind(), got.byKind());
        assertEquals(2, got.pages().size());
        assertEquals(1, got.pages().getFirst().page());
        assertArrayEquals(sent.pages().getFirst().counts(), got.pages().getFirst().counts());
    }

    @Test
    void bytesThatEndEarly_areNoReport() {
        byte[] bytes = Reports.node(0).encode();

        assertThrows(
                MalformedMessageException.class,
                () -> NodeReport.decode(Arrays.copyOf(bytes, bytes.length - 1)));
    }
}
