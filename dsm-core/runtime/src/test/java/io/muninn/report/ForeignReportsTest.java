package io.muninn.report;

import io.muninn.ForeignBytes;
import io.muninn.wire.MalformedMessageException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reports of other nodes, with bytes that no node sends: they are read or refused. */
class ForeignReportsTest {
    @Test
    void reports_areReadOrRefused() {
        feed(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionReports_areReadOrRefused() {
        feed(ForeignBytes.MANY);
    }

    private static void feed(int inputs) {
        byte[] first = Reports.node(0).encode();
        byte[] second = Reports.node(1).encode();
        ForeignBytes.feed(
                inputs,
                random -> random.nextBoolean() ? first : second,
                MalformedMessageException.class,
                NodeReport::decode);
    }
}
