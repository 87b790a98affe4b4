package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.NodeLostException;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conditions as programs use them in a simulation. */
@Timeout(30)
class ConditionAppTest {
    /** Texts of programs, in the order of virtual time. */
    private final List<String> said = new ArrayList<>();

    /** The code of a program's threads, called without the lock. */
    private interface Part {
        void run(DsmNode node, DsmLock lock, LongArray words) throws Exception;
    }

    private record Small(Part part, @Shared(Protocol.WRITE_SHARED) LongArray words)
            implements DsmProgram {
        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, node.lock("one"), words);
        }
    }

    private static AppRun prepare(int nodes, Part part) {
        return AppRun.of(() -> new Small(part, LongArray.of(4)), nodes);
    }

    private static void run(int nodes, Part part) {
        AppResult result = prepare(nodes, part).run();
        assertEquals(List.of(), result.failure().stream().toList());
    }

    @Test
    void flag_isSeenByWhoWaitsForItAndHoldsTheLockAgain() {
        run(
                3,
                (node, lock, words) -> {
                    Condition set = lock.newCondition();
                    lock.lock();
                    if (node.id() == 1) {
                        node.work(1_000_000);
                        words.set(0, 7);
                        set.signalAll();
                    } else {
                        lock.lock();
                        while (words.get(0) == 0) {
                            set.await();
                        }
                        assertEquals(2, lock.holdCount());
                        said.add("saw " + words.get(0));
                        lock.unlock();
                    }
                    lock.unlock();
                });

        assertEquals(List.of("saw 7", "saw 7"), said);
    }

    @Test
    void limits_areOfVirtualTime() {
        run(
                2,
                (node, lock, words) -> {
                    Condition never = lock.newCondition("never");
                    lock.lock();
                    assertFalse(never.await(3, TimeUnit.HOURS));
                    assertTrue(never.awaitNanos(1_000) <= 0);
                    assertFalse(never.await(-1, TimeUnit.SECONDS));
                    assertThrows(
                            UnsupportedOperationException.class,
                            () -> never.awaitUntil(new Date(0)));
                    assertEquals(1, lock.holdCount());
                    lock.unlock();
                });
    }

    @Test
    void signalInTime_leavesTheRestOfTheLimit() {
        run(
                2,
                (node, lock, words) -> {
                    Condition set = lock.newCondition("set");
                    lock.lock();
                    if (node.id() == 0) {
                        long restNanos = TimeUnit.SECONDS.toNanos(10);
                        while (words.get(0) == 0) {
                            restNanos = set.awaitNanos(restNanos);
                        }
                        assertTrue(restNanos > TimeUnit.SECONDS.toNanos(9), restNanos + " ns");
                    } else {
                        words.set(0, 1);
                        set.signal();
                    }
                    lock.unlock();
                });
    }

    /** The sum of such a limit and of the time overflows. */
    @Test
    void limitsOfCenturies_areNoLimits() {
        run(
                2,
                (node, lock, words) -> {
                    Condition set = lock.newCondition("set");
                    if (node.id() == 0) {
                        lock.lock();
                        assertTrue(set.awaitNanos(Long.MAX_VALUE) > 0);
                        assertTrue(set.await(Long.MAX_VALUE, TimeUnit.DAYS));
                        lock.unlock();
                    } else {
                        for (int i = 0; i < 2; i++) {
                            node.work(1_000_000);
                            lock.lock();
                            set.signal();
                            lock.unlock();
                        }
                        node.work(1_000_000);
                    }
                    node.barrier("b").await(Long.MAX_VALUE, TimeUnit.DAYS);
                    assertTrue(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
                    lock.unlock();
                });
    }

    @Test
    void interruptInTheWait_endsItWithTheLockHeld() {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        AppRun run =
                prepare(
                        2,
                        (node, lock, words) -> {
                            Condition never = lock.newCondition("never");
                            if (node.id() == 1) {
                                waiter.set(Thread.currentThread());
                                lock.lock();
                                assertThrows(InterruptedException.class, never::await);
                                assertTrue(lock.isHeldByCurrentThread());
                                lock.unlock();
                                said.add("interrupted");
                            } else {
                                node.barrier("alone", 1).await();
                                while (waiter.get() == null) {
                                    node.work(1_000);
                                }
                                node.work(1_000_000);
                                waiter.get().interrupt();
                            }
                        });

        assertEquals(List.of(), run.run().failure().stream().toList());
        assertEquals(List.of("interrupted"), said);
    }

    @Test
    void conditionWithoutItsLock_isRefused() {
        run(
                1,
                (node, lock, words) -> {
                    Condition condition = lock.newCondition("full");
                    for (var deed : List.<Runnable>of(condition::signal, condition::signalAll)) {
                        String text =
                                assertThrows(IllegalMonitorStateException.class, deed::run)
                                        .getMessage();
                        assertTrue(text.startsWith("lock 'one' is not held"), text);
                        assertTrue(text.endsWith("signals condition 'full' of lock 'one'"), text);
                    }
                    assertThrows(IllegalMonitorStateException.class, condition::await);
                });
    }

    @Test
    void lostRoot_endsTheWaitAndIsNotHiddenByTheUnlock() {
        AppRun run =
                prepare(
                        2,
                        (node, lock, words) -> {
                            if (node.id() == 0) {
                                node.work(1_000_000_000_000L);
                                return;
                            }
                            lock.lock();
                            try {
                                lock.newCondition("never").await();
                            } catch (NodeLostException lost) {
                                said.add("lost node " + lost.node());
                                throw lost;
                            } finally {
                                lock.unlock();
                            }
                        });

        AppResult result =
                run.disruptions(simulation ->
                                simulation.after(20_000_000, () -> simulation.kill(NodeId.of(0))))
                        .run();

        assertEquals(List.of("lost node 0"), said);
        assertTrue(result.failure().isPresent());
    }
}
