package io.muninn.agent.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.NodeLostException;
import io.muninn.application.TestApplication;
import io.muninn.spi.NodeCounter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Conditions used by threads: real calls, real interrupts, tokens between nodes. */
class ConditionCallsTest extends CallsFixture {
    private static final int ROOM = 3;
    private static final int BURST = 4; // items, more than the capacity

    /** Runs as the first thread of the first node, and returns when it has ended. */
    private void alone(LockNodes cluster, TestApplication.Body body) throws Exception {
        join(start(cluster.application(0), 0, body));
    }

    /** A bounded buffer in plain memory: the threads of all nodes are of one process. */
    private static final class Buffer {
        final ArrayDeque<Integer> items = new ArrayDeque<>();
        final boolean[] taken;
        int left;

        Buffer(int count) {
            taken = new boolean[count];
            left = count;
        }
    }

    /** Waits in every possible way, with time limits and interrupts at any time. */
    private static void await(Condition condition, SplittableRandom random) {
        try {
            switch (random.nextInt(6)) {
                case 0 -> condition.awaitNanos(random.nextInt(300_000));
                case 1 -> condition.await(random.nextInt(100), TimeUnit.MICROSECONDS);
                case 2 -> condition.awaitUninterruptibly();
                default -> condition.await();
            }
        } catch (InterruptedException again) {
            // as spurious as an interrupt gets: the caller tests again
        }
    }

    /** Adds more items than the capacity, in one section: it must wait. */
    private static void fill(DsmLock lock, Buffer buffer, int first, SplittableRandom random) {
        Condition notFull = lock.newCondition("not full");
        lock.lock();
        try {
            for (int i = 0; i < BURST; i++) {
                while (buffer.items.size() == ROOM) {
                    await(notFull, random);
                }
                assertTrue(lock.isHeldByCurrentThread());
                buffer.items.add(first + i);
                lock.newCondition("not empty").signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean empty(DsmLock lock, Buffer buffer, SplittableRandom random) {
        lock.lock();
        lock.lock(); // a wait releases both
        try {
            while (buffer.items.isEmpty() && buffer.left > 0) {
                await(lock.newCondition("not empty"), random);
                assertEquals(2, lock.holdCount());
            }
            if (buffer.left == 0) {
                return false;
            }
            int item = buffer.items.remove();
            assertFalse(buffer.taken[item]);
            buffer.taken[item] = true;
            buffer.left--;
            lock.newCondition("not full").signal();
            if (buffer.left == 0) {
                lock.newCondition("not empty").signalAll();
            }
            return true;
        } finally {
            lock.unlock();
            lock.unlock();
        }
    }

    @Test
    void boundedBuffer_losesNoItemAndNoSignalWhateverEndsTheWaits() throws Exception {
        int each = 400;
        LockNodes cluster = cluster(3, 2);
        Buffer buffer = new Buffer(3 * each);
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int node = i;
            TestApplication application = cluster.application(node);
            tasks.add(
                    start(
                            application,
                            0,
                            () -> {
                                SplittableRandom random = new SplittableRandom(node);
                                for (int j = 0; j < each; j += BURST) {
                                    fill(application.lock("l"), buffer, node * each + j, random);
                                }
                            }));
            tasks.add(
                    start(
                            application,
                            1,
                            () -> {
                                SplittableRandom random = new SplittableRandom(100 + node);
                                while (empty(application.lock("l"), buffer, random)) {}
                            }));
        }

        SplittableRandom random = new SplittableRandom(7);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (tasks.stream().anyMatch(task -> !task.isDone()) && System.nanoTime() < deadline) {
            interruptAny(random);
            for (int spin = random.nextInt(200_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
        }
        for (FutureTask<Void> task : tasks) {
            join(task);
        }

        assertEquals(0, buffer.left);
        for (int i = 0; i < 3; i++) {
            assertTrue(cluster.counter(i, NodeCounter.CONDITION_NANOS) > 0);
        }
    }

    @Test
    void signalAndWaitWithoutTheLock_areRefusedWithBothNames() throws Exception {
        LockNodes cluster = cluster(1, 1);
        alone(
                cluster,
                () -> {
                    Thread.currentThread().setName("stranger");
                    DsmLock lock = cluster.application(0).lock("queue");
                    Condition condition = lock.newCondition("full");

                    for (var deed :
                            List.<Executable>of(
                                    condition::signal,
                                    condition::signalAll,
                                    condition::await,
                                    condition::awaitUninterruptibly,
                                    () -> condition.awaitNanos(0),
                                    () -> condition.await(1, TimeUnit.SECONDS))) {
                        String text =
                                assertThrows(IllegalMonitorStateException.class, deed).getMessage();
                        assertTrue(text.startsWith("lock 'queue' is not held on node "), text);
                        assertTrue(text.contains("thread stranger"), text);
                        assertTrue(text.endsWith("condition 'full' of lock 'queue'"), text);
                    }
                });
    }

    @Test
    void timeLimits_areThoseOfJavasConditions() throws Exception {
        LockNodes cluster = cluster(2, 1);
        join(
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("l");
                            Condition condition = lock.newCondition();
                            lock.lock();
                            lock.lock();

                            assertFalse(condition.await(0, TimeUnit.SECONDS));
                            assertFalse(condition.await(-5, TimeUnit.SECONDS));
                            assertEquals(-5, condition.awaitNanos(-5));
                            assertTrue(condition.awaitNanos(0) <= 0);
                            assertFalse(condition.awaitUntil(new Date(0)));
                            long begin = System.nanoTime();
                            assertTrue(condition.awaitNanos(2_000_000) <= 0);
                            assertFalse(condition.await(2, TimeUnit.MILLISECONDS));
                            assertTrue(System.nanoTime() - begin >= 4_000_000);
                            assertEquals(2, lock.holdCount());
                            Thread.currentThread().interrupt();
                            assertThrows(InterruptedException.class, condition::await);
                            Thread.currentThread().interrupt();
                            assertThrows(InterruptedException.class, () -> condition.awaitNanos(0));
                            assertFalse(Thread.currentThread().isInterrupted());
                            assertEquals(2, lock.holdCount());
                        }));
    }

    @Test
    void zeroLimit_letsAnotherThreadIn() throws Exception {
        LockNodes cluster = cluster(1, 2);
        CountDownLatch held = new CountDownLatch(1);
        boolean[] wasIn = new boolean[1];
        FutureTask<Void> holder =
                start(
                        cluster.application(0),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(0).lock("l");
                            lock.lock();
                            held.countDown();
                            while (!wasIn[0]) {
                                assertFalse(lock.newCondition("c").await(0, TimeUnit.NANOSECONDS));
                            }
                            lock.unlock();
                        });
        assertTrue(held.await(PATIENCE_SECONDS, TimeUnit.SECONDS));

        join(
                start(
                        cluster.application(0),
                        1,
                        () -> {
                            DsmLock lock = cluster.application(0).lock("l");
                            lock.lock();
                            wasIn[0] = true;
                            lock.unlock();
                        }));

        join(holder);
    }

    @Test
    void conditionsWithoutNames_areTheSameInTheOrderOfTheirCreation() throws Exception {
        LockNodes cluster = cluster(2, 1);
        CountDownLatch waiting = new CountDownLatch(1);
        FutureTask<Void> waiter =
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("l");
                            lock.newCondition();
                            Condition second = lock.newCondition();
                            lock.lock();
                            waiting.countDown();
                            second.await();
                            lock.unlock();
                        });
        assertTrue(waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS));

        alone(
                cluster,
                () -> {
                    DsmLock lock = cluster.application(0).lock("l");
                    Condition first = lock.newCondition();
                    Condition second = lock.newCondition();
                    lock.lock(); // acquired while the waiter is in its queue
                    first.signalAll();
                    lock.unlock();
                    assertFalse(waiter.isDone());
                    lock.lock();
                    second.signal();
                    lock.unlock();
                });

        join(waiter);
    }

    @Test
    void interruptThatIsKept_isThereAfterAnUninterruptibleWait() throws Exception {
        LockNodes cluster = cluster(1, 2);
        CountDownLatch waiting = new CountDownLatch(1);
        FutureTask<Void> waiter =
                start(
                        cluster.application(0),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(0).lock("l");
                            lock.lock();
                            waiting.countDown();
                            lock.newCondition("c").awaitUninterruptibly();
                            assertTrue(lock.isHeldByCurrentThread());
                            lock.unlock();
                            assertTrue(Thread.interrupted());
                        });
        assertTrue(waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        lastStarted().interrupt();

        join(
                start(
                        cluster.application(0),
                        1,
                        () -> {
                            DsmLock lock = cluster.application(0).lock("l");
                            lock.lock();
                            assertFalse(waiter.isDone());
                            lock.newCondition("c").signal();
                            lock.unlock();
                        }));

        join(waiter);
    }

    @Test
    void lostNode_endsTheWaitAndIsNotHiddenByTheUnlock() throws Exception {
        LockNodes cluster = cluster(2, 2);
        CountDownLatch waiting = new CountDownLatch(1);
        FutureTask<Void> waiter =
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("l");
                            lock.lock();
                            try {
                                waiting.countDown();
                                lock.newCondition("c").await();
                            } finally {
                                lock.unlock();
                            }
                        });
        assertTrue(waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        join(
                start(
                        cluster.application(1),
                        1,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("l");
                            lock.lock(); // acquired while the other waits
                            cluster.lose(1, 0, "on purpose");
                            Condition condition = lock.newCondition("c");
                            assertThrows(NodeLostException.class, condition::signal);
                            assertThrows(NodeLostException.class, condition::await);
                            assertTrue(lock.isHeldByCurrentThread());
                            lock.unlock();
                        }));

        NodeLostException lost = assertThrows(NodeLostException.class, () -> join(waiter));

        assertEquals("node 0 is lost: on purpose", lost.getMessage());
    }
}
