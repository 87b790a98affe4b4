package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every task is taken once, by its thread or by a thief. */
@Timeout(60)
class StealingQueuesTest {
    private static final int TASKS = 50;

    @Test
    void order_isTheThreadItsNodeAndTheOthers() {
        assertArrayEquals(new int[] {0}, StealingQueues.order(0, 1, 1));
        assertArrayEquals(new int[] {2, 3, 0, 1}, StealingQueues.order(2, 1, 4));
        assertArrayEquals(new int[] {4, 5, 3, 6, 7, 8, 0, 1, 2}, StealingQueues.order(4, 3, 9));
    }

    @Test
    void tasksOfASlowThread_areStolenAndTakenOnce() {
        AtomicIntegerArray takers = new AtomicIntegerArray(TASKS * 2);
        AtomicIntegerArray firsts = new AtomicIntegerArray(TASKS);

        AppResult result = AppRun.of(() -> new Taking(takers, firsts), 2).threads(2).run();

        assertTrue(result.isGood(), result::toString);
        for (int i = 0; i < 2 * TASKS; i++) {
            assertEquals(1, takers.get(i), "task " + i);
        }
        int ofFirst = 0;
        for (int i = 0; i < TASKS; i++) {
            ofFirst += firsts.get(i);
        }
        assertTrue(ofFirst > 0 && ofFirst < TASKS / 4, "first thread took " + ofFirst);
    }

    /** Fills and empties the queues twice; tasks take the first thread ten times as long. */
    private record Taking(AtomicIntegerArray takers, AtomicIntegerArray firsts)
            implements DsmProgram {
        @Override
        public void run(DsmNode node) {
            StealingQueues queues = new StealingQueues(node, "tasks", TASKS);
            DsmBarrier done = node.barrier("done");
            for (int round = 0; round < 2; round++) {
                queues.fill();
                int task = queues.take();
                while (task != StealingQueues.NONE) {
                    takers.incrementAndGet(round * TASKS + task);
                    if (node.position() == 0 && round == 0) {
                        firsts.incrementAndGet(task);
                    }
                    node.work(node.position() == 0 ? 10_000_000 : 1_000_000);
                    task = queues.take();
                }
                done.await();
            }
        }
    }
}
