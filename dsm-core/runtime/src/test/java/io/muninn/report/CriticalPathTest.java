package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.WaiterId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Paths through small runs that are drawn by hand; times are in nanoseconds. */
class CriticalPathTest {
    private static final WaitRecorder.Limits LIMITS = new WaitRecorder.Limits(8, 64, 64);
    private static final WaiterId THREAD = new WaiterId(MappingId.FIRST, 0);

    private final Map<Integer, WaitRecorder> nodes = new TreeMap<>();
    private long endNanos;

    private void record(int node, Wait wait) {
        nodes.computeIfAbsent(node, _ -> new WaitRecorder(LIMITS, 0)).accept(wait);
        endNanos = Math.max(endNanos, wait.endNanos());
    }

    private void barrier(int node, String name, long begin, long end) {
        BarrierId barrier = new BarrierId(name);
        Bytes nothing = Bytes.EMPTY;
        record(
                node,
                Wait.inCall(new Event.BarrierReached(THREAD, barrier, 2, -1, nothing), begin, end));
    }

    private void lock(int node, long begin, long end) {
        record(node, Wait.inCall(new Event.AcquireCalled(THREAD, new LockId("L"), -1), begin, end));
    }

    private void store(int node, long begin, long end) {
        record(node, Wait.atPage(0, new PageId(0, 0), true, begin, end));
    }

    private CriticalPath path() {
        Map<Integer, TimeLine> lines = new TreeMap<>();
        nodes.forEach((node, recorder) -> lines.put(node, recorder.timeLine(endNanos)));
        return CriticalPath.of(lines);
    }

    private static String text(CriticalPath path) {
        StringBuilder text = new StringBuilder();
        for (CriticalPath.Step step : path.steps()) {
            text.append(step.kind().word())
                    .append(" n")
                    .append(step.node())
                    .append(' ')
                    .append(step.beginNanos())
                    .append("..")
                    .append(step.endNanos())
                    .append('\n');
        }
        return text.toString();
    }

    @Test
    void barrier_continuesWithTheThreadThatArrivedLast() {
        barrier(0, "B", 40, 105); // node 1 is late
        barrier(1, "B", 100, 104);
        barrier(1, "B", 150, 205);
        barrier(0, "B", 200, 206); // node 0 is

        assertEquals(
                """
                compute n1 0..100
                barrier n0 100..105
                compute n0 105..200
                barrier n0 200..206
                """,
                text(path()));
        assertEquals(206, path().nanos());
        assertTrue(path().isComplete());
    }

    @Test
    void stopsAtPages_arePartsOfComputation() {
        store(1, 10, 40);
        barrier(0, "B", 40, 105);
        store(1, 50, 60);
        barrier(1, "B", 100, 104);
        store(0, 110, 130);
        barrier(0, "C", 200, 206);
        barrier(1, "C", 150, 205);

        List<CriticalPath.Step> steps = path().steps();

        assertEquals(40, steps.get(0).pageNanos());
        assertEquals(60, steps.get(0).computeNanos());
        assertEquals(20, steps.get(2).pageNanos());
    }

    @Test
    void lock_continuesWithTheThreadThatGotItMeanwhile() {
        lock(0, 10, 30);
        lock(1, 20, 80); // node 0 had it from 30 on
        barrier(1, "B", 100, 101);
        barrier(0, "B", 90, 101);

        assertEquals(
                """
                compute n0 0..10
                lock n0 10..30
                lock n0 30..80
                compute n1 80..100
                """,
                text(path())
                        .replace("barrier n0 100..101\n", "")
                        .replace("barrier n1 100..101\n", ""));
    }

    @Test
    void lockThatNobodyElseWaitedFor_isAStep() {
        lock(1, 20, 80);
        barrier(0, "B", 90, 105);
        barrier(1, "B", 100, 104);

        assertEquals(
                """
                compute n1 0..20
                lock n1 20..80
                compute n1 80..100
                barrier n0 100..105
                """,
                text(path()));
    }

    @Test
    void runWithTooManySynchronizations_hasThePathOfItsFirstPart() {
        for (int i = 0; i < 100; i++) {
            barrier(0, "B", 10L * i + 5, 10L * i + 9);
            barrier(1, "B", 10L * i + 8, 10L * i + 9);
        }

        CriticalPath path = path();

        assertFalse(path.isComplete());
        assertEquals(10 * 63 + 9, path.nanos());
    }

    @Test
    void runWithoutSynchronization_hasNoPath() {
        store(0, 1, 2);

        assertEquals(List.of(), path().steps());
    }
}
