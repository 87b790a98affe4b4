package io.muninn.agent.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.NodeLostException;
import io.muninn.application.TestApplication;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reader-writer locks used by threads: counts in shared memory, calls, recalls, interrupts. */
class ReadWriteCallsTest extends CallsFixture {
    private static final String NAME = "table";

    /** An incomplete section of a writer, or a reader beside it, would show. */
    private static final class Guarded {
        final AtomicInteger writers = new AtomicInteger();
        final AtomicInteger readers = new AtomicInteger();
        final AtomicLong written = new AtomicLong();
        long value;

        void write(SplittableRandom random) {
            assertEquals(1, writers.incrementAndGet());
            assertEquals(0, readers.get());
            value++;
            spin(random, 200);
            written.incrementAndGet();
            assertEquals(1, writers.getAndDecrement());
        }

        void read(SplittableRandom random) {
            readers.incrementAndGet();
            assertEquals(0, writers.get());
            long before = value;
            spin(random, 200);
            assertEquals(before, value);
            assertEquals(written.get(), value);
            readers.decrementAndGet();
        }
    }

    /** One of the ways into a lock; false if it was not entered. */
    private static boolean take(Lock lock, SplittableRandom random) throws InterruptedException {
        return switch (random.nextInt(12)) {
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
    }

    /** A section that reads or, sometimes, writes, and may go on as a reader. */
    private static void enter(DsmReadWriteLock lock, Guarded guarded, SplittableRandom random)
            throws InterruptedException {
        boolean isWriter = random.nextInt(6) == 0;
        Lock taken = isWriter ? lock.writeLock() : lock.readLock();
        if (!take(taken, random)) {
            return;
        }
        if (!isWriter) {
            guarded.read(random);
            taken.unlock();
            return;
        }
        guarded.write(random);
        boolean isDowngraded = random.nextInt(4) == 0;
        if (isDowngraded) {
            lock.readLock().lock();
        }
        taken.unlock();
        if (isDowngraded) {
            guarded.read(random);
            lock.readLock().unlock();
        }
    }

    private void assertWritersAreAlone(int nodes, int sectionsEach) throws Exception {
        int threadsPerNode = 3;
        LockNodes cluster = cluster(nodes, threadsPerNode);
        Guarded guarded = new Guarded();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < nodes * threadsPerNode; i++) {
            SplittableRandom random = new SplittableRandom(i);
            TestApplication application = cluster.application(i % nodes);
            tasks.add(
                    start(
                            application,
                            i / nodes,
                            () -> {
                                DsmReadWriteLock lock = application.readWriteLock(NAME);
                                for (int done = 0; done < sectionsEach; done++) {
                                    enter(lock, guarded, random);
                                    spin(random, 1000);
                                }
                            }));
        }
        for (FutureTask<Void> task : tasks) {
            join(task);
        }

        assertEquals(guarded.written.get(), guarded.value);
        assertTrue(guarded.value > sectionsEach / 4, () -> guarded.value + " writes only");
    }

    @Test
    void writersOfThreeNodes_areAlone_andAllEnd() throws Exception {
        assertWritersAreAlone(3, 1_500);
    }

    @Test
    @Tag("slow")
    void writersOfTwoNodes_areAlone_forLong() throws Exception {
        assertWritersAreAlone(2, 40_000);
    }

    /** Interrupts at any time: before the wait, during it, with the grant in transit. */
    @Test
    void interruptsAtRandom_loseNoPermissionAndNoAnswer() throws Exception {
        LockNodes cluster = cluster(2, 2);
        Guarded guarded = new Guarded();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        List<Thread> victims = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(100 + i);
            TestApplication application = cluster.application(i % 2);
            tasks.add(
                    start(
                            application,
                            i / 2,
                            () -> {
                                DsmReadWriteLock lock = application.readWriteLock(NAME);
                                int sections = 0;
                                int interrupts = 0;
                                while (sections < 400 || interrupts < 20) {
                                    boolean isWriter = random.nextBoolean();
                                    Lock half = isWriter ? lock.writeLock() : lock.readLock();
                                    try {
                                        half.lockInterruptibly();
                                    } catch (InterruptedException expected) {
                                        interrupts++;
                                        continue;
                                    }
                                    if (isWriter) {
                                        guarded.write(random);
                                    } else {
                                        guarded.read(random);
                                    }
                                    half.unlock();
                                    sections++;
                                }
                            }));
            victims.add(lastStarted());
        }
        interruptUntilDone(tasks, victims);
        for (FutureTask<Void> task : tasks) {
            join(task);
        }
        assertEquals(guarded.written.get(), guarded.value);
    }

    @Test
    void readingAgain_callsNobody_untilAWriterRecallsThePermission() throws Exception {
        LockNodes cluster = cluster(2, 1);
        int other = 1 - new ReadWriteLockId(NAME).manager(2).index();
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(1);
        TestApplication reading = cluster.application(other);
        FutureTask<Void> reader =
                start(
                        reading,
                        0,
                        () -> {
                            DsmReadWriteLock lock = reading.readWriteLock(NAME);
                            assertFalse(lock.readLock().tryLock(), "no permission yet");
                            for (int i = 0; i < 1000; i++) {
                                lock.readLock().lock();
                                lock.readLock().unlock();
                            }
                            assertEquals(1, cluster.counter(other, NodeCounter.LOCK_CALLS));
                            assertTrue(lock.readLock().tryLock());
                            lock.readLock().unlock();
                            read.countDown();
                            assertTrue(written.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                            assertFalse(lock.readLock().tryLock(), "the writer has recalled it");
                            lock.readLock().lock();
                            lock.readLock().unlock();
                            assertEquals(2, cluster.counter(other, NodeCounter.LOCK_CALLS));
                        });
        TestApplication writing = cluster.application(1 - other);
        FutureTask<Void> writer =
                start(
                        writing,
                        0,
                        () -> {
                            assertTrue(read.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                            DsmReadWriteLock lock = writing.readWriteLock(NAME);
                            assertFalse(lock.writeLock().tryLock());
                            lock.writeLock().lock();
                            lock.writeLock().unlock();
                            written.countDown();
                        });

        join(reader);
        join(writer);
    }

    @Test
    void timedWriter_givesUpAndLetsReadersInAgain() throws Exception {
        LockNodes cluster = cluster(3, 1);
        CountDownLatch give = new CountDownLatch(1);
        FutureTask<Void> holder =
                startHolding(
                        cluster.application(0), each -> each.readWriteLock(NAME).readLock(), give);
        FutureTask<Void> writer =
                start(
                        cluster.application(1),
                        0,
                        () -> {
                            Lock write = cluster.application(1).readWriteLock(NAME).writeLock();
                            assertFalse(write.tryLock(5, TimeUnit.MILLISECONDS));
                        });
        join(writer);
        FutureTask<Void> reader =
                start(
                        cluster.application(2),
                        0,
                        () -> {
                            Lock read = cluster.application(2).readWriteLock(NAME).readLock();
                            read.lock();
                            read.unlock();
                            give.countDown();
                        });

        join(reader);
        join(holder);
    }

    @Test
    void lostNode_endsTheWaitAndTheNextCall() throws Exception {
        LockNodes cluster = cluster(2, 1);
        TestApplication first = cluster.application(0);
        join(start(first, 0, () -> first.readWriteLock(NAME).writeLock().lock()));
        CountDownLatch opened = new CountDownLatch(1);
        TestApplication second = cluster.application(1);
        FutureTask<Void> waiter =
                start(
                        second,
                        0,
                        () -> {
                            DsmReadWriteLock lock = second.readWriteLock(NAME);
                            opened.countDown();
                            NodeLostException lost =
                                    assertThrows(
                                            NodeLostException.class, () -> lock.readLock().lock());
                            assertEquals("node 0 is lost: on purpose", lost.getMessage());
                            assertThrows(
                                    NodeLostException.class,
                                    () -> lock.writeLock().lockInterruptibly());
                        });
        assertTrue(opened.await(PATIENCE_SECONDS, TimeUnit.SECONDS));

        cluster.lose(1, 0, "on purpose");

        join(waiter);
    }
}
