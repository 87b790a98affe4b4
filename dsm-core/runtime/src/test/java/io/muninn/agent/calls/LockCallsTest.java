package io.muninn.agent.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.NodeLostException;
import io.muninn.application.TestApplication;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks used by threads: words in shared memory, calls, tokens between nodes, interrupts. */
class LockCallsTest extends CallsFixture {
    /** An incomplete critical section of a thread would show in {@code value}. */
    private static final class Guarded {
        final AtomicInteger inside = new AtomicInteger();
        long value;

        void enter(SplittableRandom random) {
            assertEquals(1, inside.incrementAndGet());
            value++;
            spin(random, 200);
            assertEquals(0, inside.decrementAndGet());
        }
    }

    /** One of the ways into the lock; true if it was entered. */
    private static boolean enter(DsmLock lock, Guarded guarded, SplittableRandom random)
            throws InterruptedException {
        boolean taken =
                switch (random.nextInt(16)) {
                    case 0 -> lock.tryLock();
                    case 1 -> lock.tryLock(random.nextInt(300_000), TimeUnit.NANOSECONDS);
                    case 2 -> {
                        lock.lockInterruptibly();
                        yield true;
                    }
                    default -> {
                        lock.lock();
                        yield true;
                    }
                };
        if (taken) {
            guarded.enter(random);
            lock.unlock();
        }
        return taken;
    }

    /**
     * Threads of two nodes use one lock in every possible way, with pauses in which the agent
     * reclaims its token while a thread takes or frees it.
     */
    private void assertThreadsExcludeEachOtherAndEnd(int acquiresEach) throws Exception {
        int threadsPerNode = 3;
        LockNodes cluster = cluster(2, threadsPerNode);
        Guarded guarded = new Guarded();
        AtomicInteger taken = new AtomicInteger();
        List<FutureTask<Void>> tasks = new ArrayList<>();

        for (int i = 0; i < 2 * threadsPerNode; i++) {
            int seed = i;
            TestApplication application = cluster.application(i % 2);
            tasks.add(
                    start(
                            application,
                            i / 2,
                            () -> {
                                SplittableRandom random = new SplittableRandom(seed);
                                DsmLock lock = application.lock("one");
                                int mine = 0;
                                while (mine < acquiresEach) {
                                    for (int burst = random.nextInt(8); burst >= 0; burst--) {
                                        mine += enter(lock, guarded, random) ? 1 : 0;
                                    }
                                    spin(random, 2000);
                                }
                                taken.addAndGet(mine);
                            }));
        }
        for (FutureTask<Void> task : tasks) {
            join(task);
        }

        assertEquals(taken.get(), guarded.value);
        long passed = cluster.counter(0, NodeCounter.TOKENS_PASSED);
        assertTrue(passed > 100, () -> "the token was passed " + passed + " times only");
    }

    @Test
    void manyThreadsOfTwoNodes_excludeEachOtherAndAllEnd() throws Exception {
        assertThreadsExcludeEachOtherAndEnd(5_000);
    }

    @Test
    @Tag("slow")
    void aHundredThousandAcquisitions_excludeEachOtherAndAllEnd() throws Exception {
        assertThreadsExcludeEachOtherAndEnd(17_000);
    }

    /** Interrupts at any time: before the wait, during it, with the grant in transit. */
    @Test
    void interruptsAtRandom_loseNoTokenAndNoAnswer() throws Exception {
        LockNodes cluster = cluster(2, 2);
        Guarded guarded = new Guarded();
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        List<Thread> victims = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(4);

        for (int i = 0; i < 4; i++) {
            int seed = 100 + i;
            int number = i / 2;
            TestApplication application = cluster.application(i % 2);
            tasks.add(
                    start(() -> {
                        AtomicInteger entered = new AtomicInteger();
                        application.as(
                                number,
                                () -> {
                                    SplittableRandom random = new SplittableRandom(seed);
                                    DsmLock lock = application.lock("one");
                                    running.countDown();
                                    int interrupts = 0;
                                    while (entered.get() < 500 || interrupts < 50) {
                                        try {
                                            lock.lockInterruptibly();
                                        } catch (InterruptedException expected) {
                                            interrupts++;
                                            continue;
                                        }
                                        guarded.enter(random);
                                        lock.unlock();
                                        entered.incrementAndGet();
                                    }
                                });
                        return entered.get();
                    }));
            victims.add(lastStarted());
        }
        assertTrue(running.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        interruptUntilDone(tasks, victims);

        int entered = 0;
        for (FutureTask<Integer> task : tasks) {
            entered += join(task);
        }
        assertEquals(entered, guarded.value);
    }

    @Test
    void interruptedWaiter_throwsAndTheTokenPassesOn() throws Exception {
        LockNodes cluster = cluster(3, 1);
        CountDownLatch give = new CountDownLatch(1);
        FutureTask<Void> holder =
                startHolding(cluster.application(0), each -> each.lock("one"), give);
        FutureTask<Boolean> victim =
                start(() -> {
                    AtomicInteger interrupted = new AtomicInteger();
                    cluster.application(1)
                            .as(
                                    0,
                                    () -> {
                                        DsmLock lock = cluster.application(1).lock("one");
                                        try {
                                            lock.lockInterruptibly();
                                        } catch (InterruptedException expected) {
                                            interrupted.incrementAndGet();
                                        }
                                        assertFalse(lock.isHeldByCurrentThread());
                                        assertFalse(Thread.currentThread().isInterrupted());
                                    });
                    return interrupted.get() == 1;
                });
        lastStarted().interrupt();
        assertTrue(join(victim));
        FutureTask<Void> next =
                start(
                        cluster.application(2),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(2).lock("one");
                            lock.lock();
                            assertEquals(1, lock.holdCount());
                            lock.unlock();
                        });

        give.countDown();

        join(holder);
        join(next);
    }

    @Test
    void timedWait_endsAndTheLateTokenIsOfUseToTheNode() throws Exception {
        LockNodes cluster = cluster(2, 1);
        CountDownLatch give = new CountDownLatch(1);
        FutureTask<Void> holder =
                startHolding(cluster.application(0), each -> each.lock("one"), give);

        FutureTask<Void> waiter =
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("one");
                            assertFalse(lock.tryLock());
                            assertFalse(lock.tryLock(5, TimeUnit.MILLISECONDS));
                            give.countDown();
                            assertTrue(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
                            lock.unlock();
                            assertTrue(lock.tryLock(), "the token lies here, unused");
                            lock.unlock();
                        });

        join(waiter);
        join(holder);
    }

    @Test
    void lostNode_endsTheWaitAndTheNextCall() throws Exception {
        LockNodes cluster = cluster(2, 1);
        FutureTask<Void> holder =
                start(cluster.application(0), 0, () -> cluster.application(0).lock("one").lock());
        join(holder); // ends without an unlock
        CountDownLatch opened = new CountDownLatch(1);
        FutureTask<Void> waiter =
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            DsmLock lock = cluster.application(1).lock("one");
                            opened.countDown();
                            NodeLostException first =
                                    assertThrows(NodeLostException.class, lock::lock);
                            assertEquals("node 0 is lost: on purpose", first.getMessage());
                            assertEquals(0, first.node());
                            assertThrows(NodeLostException.class, lock::lockInterruptibly);
                            assertThrows(
                                    NodeLostException.class,
                                    () -> lock.tryLock(1, TimeUnit.SECONDS));
                            assertThrows(
                                    NodeLostException.class,
                                    () -> cluster.application(1).await("b", -1));
                        });
        assertTrue(opened.await(PATIENCE_SECONDS, TimeUnit.SECONDS));

        cluster.lose(1, 0, "on purpose");

        join(waiter);
    }

    @Test
    void threadWithoutConnection_isRefusedEveryWayIntoAFreeLock() throws Exception {
        LockNodes cluster = cluster(1, 1);
        FutureTask<DsmLock> opened =
                start(() -> {
                    List<DsmLock> found = new ArrayList<>();
                    cluster.application(0)
                            .as(
                                    0,
                                    () -> {
                                        DsmLock lock = cluster.application(0).lock("one");
                                        lock.lock();
                                        lock.unlock();
                                        found.add(lock);
                                    });
                    return found.getFirst();
                });
        DsmLock lock = join(opened);

        assertThrows(IllegalStateException.class, lock::lock);
        assertThrows(IllegalStateException.class, lock::tryLock);
        assertThrows(IllegalStateException.class, lock::lockInterruptibly);
        assertThrows(IllegalStateException.class, () -> lock.tryLock(1, TimeUnit.SECONDS));
        assertThrows(IllegalMonitorStateException.class, lock::unlock);

        FutureTask<Void> owner =
                start(
                        cluster.application(0),
                        0,
                        () -> {
                            lock.lock();
                            lock.unlock();
                        });
        join(owner); // the threads without a connection have not taken it
    }

    @Test
    void secondThreadOfTheSameNumber_isRefusedByNumber() throws Exception {
        LockNodes cluster = cluster(2, 1);
        TestApplication application = cluster.application(1);
        CountDownLatch called = new CountDownLatch(1);
        FutureTask<Void> first =
                start(
                        application,
                        0,
                        () -> {
                            called.countDown();
                            application.await("b", -1);
                        });
        assertTrue(called.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        FutureTask<String> second =
                start(() -> {
                    List<String> texts = new ArrayList<>();
                    application.as(0, () -> texts.add(refusalAtBarrier(application)));
                    return texts.getFirst();
                });

        FutureTask<Void> other =
                start(
                        cluster.application(0),
                        0,
                        () -> {
                            String text = join(second);
                            assertTrue(text.startsWith("application thread 0 waits already"), text);
                            cluster.application(0).await("b", -1);
                        });

        join(other);
        join(first);
    }

    /** Repeats the call until the call of the other thread has arrived first. */
    private static String refusalAtBarrier(TestApplication application) {
        while (true) {
            try {
                application.await("other", 1);
            } catch (TimeoutException tooEarly) {
                continue;
            } catch (DsmException refused) {
                if (refused.getMessage().startsWith("application thread")) {
                    return refused.getMessage();
                }
            }
        }
    }
}
