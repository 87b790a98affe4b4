package io.muninn.report;

import io.muninn.ForeignBytes;
import io.muninn.model.PageId;
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
        WaitRecorder recorder = new WaitRecorder(new WaitRecorder.Limits(8, 4, 4), 0);
        recorder.accept(Wait.atPage(0, new PageId(0, 1), true, 10_000, 90_000));
        recorder.accept(Wait.atPage(1, new PageId(0, 2), false, 20_000, 50_000));
        byte[] second = Reports.node(1).with(recorder.timeLine(100_000)).encode();
        ForeignBytes.feed(
                inputs,
                random -> random.nextBoolean() ? first : second,
                MalformedMessageException.class,
                NodeReport::decode);
    }
}
