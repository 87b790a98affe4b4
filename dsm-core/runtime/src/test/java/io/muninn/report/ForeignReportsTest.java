package io.muninn.report;

import io.muninn.ForeignBytes;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.waits.Hold;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.ThreadWait;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.List;
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
        recorder.storedAt(new PageId(0, 2), "Queue.add(Queue.java:12)", 1);
        byte[] second = Reports.node(1).with(recorder.timeLine(100_000)).encode();
        ForeignBytes.feed(
                inputs,
                random -> random.nextBoolean() ? first : second,
                MalformedMessageException.class,
                NodeReport::decode);
    }

    @Test
    void waits_areReadOrRefused() {
        feedWaits(ForeignBytes.FEW);
    }

    @Test
    @Tag("slow")
    void aMillionWaits_areReadOrRefused() {
        feedWaits(ForeignBytes.MANY);
    }

    private static void feedWaits(int inputs) {
        Hold hold = new Hold(Hold.Mode.WRITE, "table");
        io.muninn.waits.Awaited wait =
                new io.muninn.waits.Awaited(
                        io.muninn.waits.Awaited.Kind.BARRIER, "phase", 3, 0, true);
        ByteWriter bytes = new ByteWriter();
        new NodeWaits(
                        NodeId.of(1),
                        new NodeThreads(2, 2),
                        3,
                        100,
                        99,
                        true,
                        List.of(new ThreadWait(2, 17, wait, List.of(hold), "P.run(P.java:3)")),
                        List.of("watchdog"))
                .write(bytes);
        byte[] whole = bytes.toArray();
        ForeignBytes.feed(
                inputs,
                _ -> whole,
                MalformedMessageException.class,
                input -> NodeWaits.read(new ByteReader(input)));
    }
}
