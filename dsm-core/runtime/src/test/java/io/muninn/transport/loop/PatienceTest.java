package io.muninn.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Limits of waits, with a clock that the test moves. */
class PatienceTest {
    private static final long LIMIT = 1_000;
    private static final long PART = LIMIT / Patience.PARTS_MIN;

    private final Clock clock = new Clock();
    private int ends;

    /** Runs the tasks that are due, each once, as an event loop does when it wakes. */
    private static final class Clock {
        private record Task(long atNanos, Runnable body) {}

        private final List<Task> tasks = new ArrayList<>();
        private long nowNanos;

        Cancellable schedule(long delayNanos, Runnable body) {
            Task task = new Task(nowNanos + delayNanos, body);
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        /** The process runs: every task runs at its time. */
        void run(long nanos) {
            long end = nowNanos + nanos;
            while (tasks.stream().anyMatch(task -> task.atNanos <= end)) {
                Task next =
                        tasks.stream().min(Comparator.comparingLong(Task::atNanos)).orElseThrow();
                tasks.remove(next);
                nowNanos = Math.max(nowNanos, next.atNanos);
                next.body.run();
            }
            nowNanos = end;
        }

        /** The process is stopped: time passes, and the tasks run when it goes on. */
        void stopFor(long nanos) {
            nowNanos += nanos;
            List<Task> due = tasks.stream().filter(task -> task.atNanos <= nowNanos).toList();
            tasks.removeAll(due);
            due.forEach(task -> task.body.run());
        }
    }

    private Patience begin(long nanos) {
        return new Patience(clock::schedule, nanos, () -> ends++);
    }

    @Test
    void processThatRuns_waitsForTheLimit() {
        begin(LIMIT);

        clock.run(LIMIT - 1);
        assertEquals(0, ends);
        clock.run(1);

        assertEquals(1, ends);
        clock.run(10 * LIMIT);
        assertEquals(1, ends);
    }

    @Test
    void processThatWasStopped_waitsOnceMore() {
        begin(LIMIT);

        clock.run(PART / 2);
        clock.stopFor(1_000 * LIMIT);
        assertEquals(0, ends);
        clock.run(LIMIT - PART - 1);
        assertEquals(0, ends);
        clock.run(1);

        assertEquals(1, ends);
    }

    @Test
    void everyStop_takesAtMostAPart() {
        begin(LIMIT);

        for (int i = 1; i < Patience.PARTS_MIN; i++) {
            clock.stopFor(1_000 * LIMIT);
            assertEquals(0, ends);
        }
        clock.run(PART);

        assertEquals(1, ends);
    }

    @Test
    void longLimit_losesOneSecondByAStop() {
        long minute = TimeUnit.MINUTES.toNanos(1);
        begin(minute);

        clock.stopFor(10 * minute);
        clock.run(minute - Patience.PART_NANOS_MAX - 1);
        assertEquals(0, ends);
        clock.run(1);

        assertEquals(1, ends);
    }

    @Test
    void cancelledWait_neverEnds() {
        Patience patience = begin(LIMIT);
        clock.run(2 * PART);

        patience.cancel();
        clock.run(10 * LIMIT);

        assertEquals(0, ends);
    }
}
