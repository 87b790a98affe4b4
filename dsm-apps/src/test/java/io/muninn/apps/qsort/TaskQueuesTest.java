package io.muninn.apps.qsort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.IntArray;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The task queue as it lies in memory, and as calls are shipped to it. */
class TaskQueuesTest {
    private static final QsortProblem PROBLEM = new QsortProblem(100, 10, 2, 1);

    @Test
    void tasksPutAndTaken_comeOutInOrderAroundTheRing() {
        TaskRing ring = new TaskRing(IntArray.local(TaskRing.elements(5)));
        ArrayDeque<Band> oracle = new ArrayDeque<>();
        Random random = new Random(5);
        int full = 0;
        for (int step = 0; step < 1000; step++) {
            if (random.nextBoolean()) {
                Band task = new Band(step, step + random.nextInt(9));
                boolean isPut = ring.put(task);
                assertEquals(oracle.size() < 5, isPut);
                if (isPut) {
                    oracle.add(task);
                } else {
                    full++;
                }
            } else if (!oracle.isEmpty()) {
                assertEquals(oracle.remove(), ring.take());
            }
            assertEquals(oracle.isEmpty(), ring.isEmpty());
        }
        assertTrue(full > 0, "the ring was never full");
    }

    @Test
    void emptyRing_givesNothing() {
        TaskRing ring = new TaskRing(IntArray.local(TaskRing.elements(1)));

        assertThrows(IllegalStateException.class, ring::take);
        assertTrue(ring.isEmpty() && !ring.isFinished());
        assertEquals(0, ring.waiting());
    }

    @Test
    void waitingThreads_areWokenInOrderAndThenForTheEnd() {
        WakingTaskQueue queue = new WakingTaskQueue(PROBLEM, 3);
        assertEquals(new TaskQueue.Work(new Band(0, 100)), queue.take(0));
        assertEquals(new TaskQueue.Wait(), queue.take(2));
        assertEquals(new TaskQueue.Wait(), queue.take(1));

        assertEquals(new TaskQueue.Awaited(2), queue.put(new Band(0, 60)));
        assertEquals(new TaskQueue.Work(new Band(0, 60)), queue.take(2));
        assertEquals(new TaskQueue.Wait(), queue.take(0));
        assertEquals(new TaskQueue.NoMore(List.of(1, 0)), queue.take(2));
        assertEquals(new TaskQueue.NoMore(List.of()), queue.take(0));
        assertEquals(new TaskQueue.NoMore(List.of()), queue.take(1));
    }

    @Test
    void threadThatIsWokenTooLate_isNotForgotten() {
        WakingTaskQueue queue = new WakingTaskQueue(PROBLEM, 2);
        queue.take(0);
        queue.take(1);

        assertEquals(new TaskQueue.Awaited(1), queue.put(new Band(0, 60)));
        assertEquals(new TaskQueue.Work(new Band(0, 60)), queue.take(0));
        assertEquals(new TaskQueue.Wait(), queue.take(0), "thread 1 is awake and may yet ask");
        assertEquals(new TaskQueue.NoMore(List.of(0)), queue.take(1));
    }

    @Test
    void taskWithoutRoom_isRefused() {
        WakingTaskQueue queue = new WakingTaskQueue(PROBLEM, 1);
        assertEquals(new TaskQueue.Kept(), queue.put(new Band(1, 2)));

        assertEquals(new TaskQueue.Full(), queue.put(new Band(2, 3)));
        assertEquals(new TaskQueue.Work(new Band(0, 100)), queue.take(0));
        assertEquals(new TaskQueue.Work(new Band(1, 2)), queue.take(0));
        assertEquals(new TaskQueue.NoMore(List.of()), queue.take(0));
    }
}
