package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitRecorderTest {
    private static final long MICRO = 1_000;
    private static final PageId PAGE = new PageId(3, 17);
    private static final WaitRecorder.Limits SMALL = new WaitRecorder.Limits(8, 4, 3);

    private static Wait load(int thread, long beginMicros, long endMicros) {
        return Wait.atPage(thread, PAGE, false, beginMicros * MICRO, endMicros * MICRO);
    }

    private static Wait lock(String name, long beginMicros, long endMicros) {
        WaiterId waiter = new WaiterId(MappingId.FIRST, 1);
        return Wait.inCall(
                new Event.AcquireCalled(waiter, new LockId(name), -1),
                beginMicros * MICRO,
                endMicros * MICRO);
    }

    @Test
    void waits_areKeptWithTheirTimesSinceTheStart() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        recorder.start(100 * MICRO);
        recorder.accept(load(0, 110, 113));
        recorder.accept(load(1, 112, 116));
        recorder.accept(lock("queue", 120, 125));

        TimeLine line = recorder.timeLine(200 * MICRO);

        assertEquals(100 * MICRO, line.endNanos());
        assertEquals(
                List.of(
                        new TimeLine.Kept(0, WaitKind.LOAD, 3, 17, 10_000, 3_000, 0, 0),
                        new TimeLine.Kept(1, WaitKind.LOAD, 3, 17, 12_000, 4_000, 0, 0)),
                line.longest());
        assertEquals(
                List.of(new TimeLine.Kept(1, WaitKind.LOCK, -1, 0, 20_000, 5_000, 4_000, 0)),
                line.synchronizations());
        assertEquals(List.of("queue"), line.names());
        assertEquals(7_000, line.nanos(WaitKind.LOAD));
        assertEquals(5_000, line.nanos(WaitKind.LOCK));
        assertEquals(line.endNanos(), line.completeNanos());
        assertEquals(0, line.dropped());
    }

    @Test
    void whatWasBeforeTheStart_isNotCounted() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 100 * MICRO);
        recorder.accept(load(0, 90, 103));

        assertEquals(3_000, recorder.timeLine(200 * MICRO).nanos(WaitKind.LOAD));
    }

    /** However long the run is, no time is lost, and nothing grows. */
    @Test
    void slots_widenAndKeepTheirSums() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        SplittableRandom random = new SplittableRandom(1);
        long at = 0;
        long waited = 0;
        for (int i = 0; i < 20_000; i++) {
            at += random.nextLong(1, 200);
            long end = at + random.nextLong(1, 300);
            recorder.accept(load(0, at, end));
            waited += end - at;
            at = end;
        }

        TimeLine line = recorder.timeLine(at * MICRO);

        TimeLine.Lane lane = line.lane(0).orElseThrow();
        long[] slots = lane.slots().get(WaitKind.LOAD.ordinal());
        assertEquals(waited * MICRO, LongStream.of(slots).sum());
        assertEquals(waited * MICRO, lane.nanos()[WaitKind.LOAD.ordinal()]);
        assertEquals(20_000, lane.counts()[WaitKind.LOAD.ordinal()]);
        assertTrue(slots.length <= 8, () -> slots.length + " slots");
        assertTrue(slots.length > 3, () -> slots.length + " slots");
        assertTrue(LongStream.of(slots).allMatch(nanos -> nanos <= line.slotNanos()));
        assertEquals(4, line.longest().size());
        assertEquals(20_000 - 4, line.dropped());
    }

    @Test
    void theLongestWaits_areKeptInOrderOfTheirBegin() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        for (int i = 0; i < 100; i++) {
            recorder.accept(load(0, 1000L * i, 1000L * i + 1 + (i * 37) % 100));
        }

        List<TimeLine.Kept> kept = recorder.timeLine(200_000 * MICRO).longest();

        assertEquals(
                List.of(100_000L, 99_000L, 98_000L, 97_000L),
                kept.stream().map(TimeLine.Kept::nanos).sorted(Comparator.reverseOrder()).toList());
        assertEquals(
                kept.stream().map(TimeLine.Kept::beginNanos).sorted().toList(),
                kept.stream().map(TimeLine.Kept::beginNanos).toList());
    }

    @Test
    void synchronizationsBeyondTheLimit_endTheCompletePeriod() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        for (int i = 0; i < 5; i++) {
            recorder.accept(lock("queue", 10L * i, 10L * i + 1));
        }

        TimeLine line = recorder.timeLine(60 * MICRO);

        assertEquals(3, line.synchronizations().size());
        assertEquals(30 * MICRO, line.completeNanos());
        assertEquals(5_000, line.nanos(WaitKind.LOCK));
        assertEquals(2, line.dropped());
    }

    @Test
    void stores_areCountedByPageAndLine() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        recorder.storedAt(PAGE, "seldom", 1);
        recorder.storedAt(PAGE, "often", 1);
        recorder.storedAt(PAGE, "often", 2);
        recorder.storedAt(new PageId(3, 16), "seldom", 1);

        TimeLine line = recorder.timeLine(MICRO);

        assertEquals(List.of("seldom", "often"), line.names());
        assertEquals(
                List.of(
                        new TimeLine.Stores(3, 16, 0, 1),
                        new TimeLine.Stores(3, 17, 1, 3),
                        new TimeLine.Stores(3, 17, 0, 1)),
                line.stores());
        assertEquals(0, line.storesDropped());
    }

    /** However many pages a program stores to, the lines of the first ones are kept. */
    @Test
    void storesBeyondTheLimit_areCounted() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        for (int round = 0; round < 2; round++) {
            for (int page = 0; page < 20_000; page++) {
                recorder.storedAt(new PageId(0, page), "line", 1);
            }
        }

        TimeLine line = recorder.timeLine(MICRO);

        assertEquals(
                40_000,
                line.storesDropped()
                        + line.stores().stream().mapToLong(TimeLine.Stores::times).sum());
        assertEquals(2, line.stores().getFirst().times());
        assertTrue(line.storesDropped() > 0);
    }

    @Test
    void timeLine_isDecodedAsItWasEncoded() {
        WaitRecorder recorder = new WaitRecorder(SMALL, 0);
        recorder.accept(load(Wait.UNKNOWN, 10, 13));
        recorder.accept(lock("queue", 120, 125));
        recorder.storedAt(PAGE, "Queue.add(Queue.java:12)", 1);
        TimeLine line = recorder.timeLine(200 * MICRO);

        NodeReport report = NodeReport.decode(Reports.node(1).with(line).encode());

        TimeLine back = report.timeLine().orElseThrow();
        assertEquals(line.longest(), back.longest());
        assertEquals(line.synchronizations(), back.synchronizations());
        assertEquals(line.names(), back.names());
        assertEquals(List.of(new TimeLine.Stores(3, 17, 1, 1)), back.stores());
        assertEquals(line.endNanos(), back.endNanos());
        assertEquals(line.slotNanos(), back.slotNanos());
        assertEquals(2, back.lanes().size());
        for (int i = 0; i < 2; i++) {
            TimeLine.Lane sent = line.lanes().get(i);
            TimeLine.Lane got = back.lanes().get(i);
            assertEquals(sent.thread(), got.thread());
            assertArrayEquals(sent.nanos(), got.nanos());
            assertArrayEquals(sent.counts(), got.counts());
            for (int kind = 0; kind < WaitKind.COUNT; kind++) {
                assertArrayEquals(sent.slots().get(kind), got.slots().get(kind));
            }
        }
    }
}
