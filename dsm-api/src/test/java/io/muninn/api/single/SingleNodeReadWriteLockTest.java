package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;
import io.muninn.model.ReadWriteLockId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SingleNodeReadWriteLockTest {
    private final DsmSession session = new SingleNodeProvider(2).attach(Layout.EMPTY);
    private final DsmNode first = session.node(0);
    private final DsmReadWriteLock lock = first.readWriteLock("l");
    private final Lock read = lock.readLock();
    private final Lock write = lock.writeLock();

    @BeforeEach
    void threadsRun() {
        session.initialized();
    }

    /** A thread that has been started, and its result. */
    private record Other<T>(Thread thread, FutureTask<T> task) {
        T get() throws InterruptedException, ExecutionException {
            return task.get();
        }

        /** Waits until the thread waits. */
        void awaitStop() {
            while (thread.getState() != Thread.State.WAITING
                    && thread.getState() != Thread.State.TIMED_WAITING) {
                assertTrue(thread.isAlive());
                Thread.onSpinWait();
            }
        }
    }

    private static <T> Other<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        return new Other<>(Thread.ofPlatform().daemon(true).start(task), task);
    }

    /** Takes and releases a lock. */
    private static Callable<Boolean> through(Lock lock) {
        return () -> {
            lock.lock();
            lock.unlock();
            return true;
        };
    }

    @Test
    void bothLocks_areReentrantAndCounted() {
        read.lock();
        read.lock();
        assertEquals(2, lock.readHoldCount());
        read.unlock();
        read.unlock();
        write.lock();
        write.lock();
        assertEquals(2, lock.writeHoldCount());
        assertTrue(lock.isWriteLockedByCurrentThread());
        write.unlock();
        assertTrue(lock.isWriteLockedByCurrentThread());
        write.unlock();

        assertFalse(lock.isWriteLockedByCurrentThread());
        assertEquals(0, lock.readHoldCount());
        assertTrue(read.tryLock());
        assertSame(lock, session.node(1).readWriteLock("l"));
        assertEquals("l", lock.name());
    }

    @Test
    void readers_shareTheLock_andWritersDoNot() throws Exception {
        read.lock();
        assertTrue(start(through(read)).get());
        assertFalse(start(() -> write.tryLock()).get());
        assertFalse(start(() -> write.tryLock(1, TimeUnit.MILLISECONDS)).get());
        read.unlock();

        write.lock();
        assertFalse(start(() -> read.tryLock()).get());
        assertFalse(start(() -> read.tryLock(1, TimeUnit.MILLISECONDS)).get());
        write.unlock();
        assertTrue(start(() -> write.tryLock(1, TimeUnit.SECONDS)).get());
    }

    @Test
    void readerBehindAWaitingWriter_waitsForIt() throws Exception {
        read.lock();
        Other<Boolean> writer = start(through(write));
        writer.awaitStop();

        assertFalse(start(() -> read.tryLock()).get());
        Other<Boolean> reader = start(through(read));
        reader.awaitStop();
        assertTrue(read.tryLock(), "who reads already may read again");
        read.unlock();
        read.unlock();

        assertTrue(writer.get());
        assertTrue(reader.get());
    }

    @Test
    void writerThatTimesOut_letsReadersIn() throws Exception {
        read.lock();
        Other<Boolean> writer = start(() -> write.tryLock(100, TimeUnit.MILLISECONDS));
        writer.awaitStop();
        Other<Boolean> reader = start(through(read));

        assertFalse(writer.get());
        assertTrue(reader.get());
        read.unlock();
    }

    @Test
    void upgrade_isRefusedWithLockAndNode() {
        read.lock();

        for (Callable<?> upgrade : upgrades()) {
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, upgrade::call);
            assertTrue(
                    refused.getMessage()
                            .startsWith(
                                    "thread "
                                            + Thread.currentThread().getName()
                                            + " of node 0 holds the read lock of 'l'"),
                    refused.getMessage());
        }

        assertEquals(1, lock.readHoldCount());
        read.unlock();
        assertTrue(write.tryLock());
    }

    private Iterable<Callable<?>> upgrades() {
        return List.of(
                () -> {
                    write.lock();
                    return true;
                },
                () -> {
                    write.lockInterruptibly();
                    return true;
                },
                write::tryLock,
                () -> write.tryLock(1, TimeUnit.SECONDS));
    }

    @Test
    void downgrade_letsReadersInAndWritersOut() throws Exception {
        write.lock();
        read.lock();
        read.lock();
        read.unlock();
        write.unlock();

        assertEquals(1, lock.readHoldCount());
        assertTrue(start(through(read)).get());
        assertFalse(start(() -> write.tryLock()).get());
        read.unlock();
        assertTrue(start(through(write)).get());
    }

    @Test
    void readLockReleasedWithinTheWriteLock_releasesNothing() throws Exception {
        write.lock();
        read.lock();
        read.unlock();

        assertFalse(start(() -> read.tryLock()).get());
        write.unlock();
        assertTrue(start(through(write)).get());
    }

    @Test
    void unlockByAStranger_throwsWithLockAndNode() throws Exception {
        write.lock();
        for (Lock half : List.of(read, write)) {
            IllegalMonitorStateException thrown =
                    start(() -> assertThrows(IllegalMonitorStateException.class, half::unlock))
                            .get();
            String kind = half == read ? "read" : "write";
            assertTrue(
                    thrown.getMessage()
                            .endsWith(
                                    " of node 0 unlocks the "
                                            + kind
                                            + " lock of 'l', which it does not hold"),
                    thrown.getMessage());
        }
        write.unlock();
        assertThrows(IllegalMonitorStateException.class, write::unlock);
        assertThrows(IllegalMonitorStateException.class, read::unlock);
    }

    @Test
    void interrupt_endsAnInterruptibleWait() throws Exception {
        write.lock();
        for (Lock half : List.of(read, write)) {
            Other<?> waiter =
                    start(() -> assertThrows(InterruptedException.class, half::lockInterruptibly));
            waiter.awaitStop();
            waiter.thread().interrupt();
            waiter.get();
        }
        write.unlock();
        assertTrue(start(through(write)).get());
    }

    @Test
    void interrupt_staysPendingInAnyOtherWait() throws Exception {
        write.lock();
        CountDownLatch free = new CountDownLatch(1);
        Other<Boolean> waiter =
                start(() -> {
                    read.lock();
                    read.unlock();
                    free.countDown();
                    return Thread.interrupted();
                });
        waiter.awaitStop();
        waiter.thread().interrupt();
        write.unlock();

        free.await();
        assertTrue(waiter.get());
    }

    @Test
    void namesOfLocksAndReadWriteLocks_areApart() throws Exception {
        write.lock();

        assertTrue(start(() -> first.lock("l").tryLock()).get());
        assertNotSame(lock, first.readWriteLock("m"));
        assertThrows(IllegalArgumentException.class, () -> first.readWriteLock(""));
    }

    @Test
    void conditions_areNotSupported() {
        assertThrows(UnsupportedOperationException.class, read::newCondition);
        assertThrows(UnsupportedOperationException.class, write::newCondition);
    }

    /** An object, in the thread of its caller. */
    interface Deed {
        String perform();
    }

    /** Who calls it holds the lock, and waits for the end of the call. */
    @Test
    void lockOfACaller_isRefusedWithinItsCall() {
        Deed deed =
                first.shipped(
                        "deed",
                        Deed.class,
                        () ->
                                () -> {
                                    assertFalse(read.tryLock());
                                    return assertThrows(IllegalStateException.class, read::lock)
                                            .getMessage();
                                });
        read.lock();

        String message = deed.perform();

        assertTrue(
                message.startsWith("object 'deed' waits for lock 'muninn.read-write l', which"),
                message);
        assertEquals(1, lock.readHoldCount());
    }

    @Test
    void endOfTheRun_endsWaits() throws Exception {
        write.lock();
        Other<DsmException> waiter = start(() -> assertThrows(DsmException.class, read::lock));
        waiter.awaitStop();

        session.failed(new IllegalStateException("over"));

        assertTrue(waiter.get().getMessage().contains("over"));
    }

    @Test
    void manager_isTheSameForEqualNames() {
        assertEquals(
                new ReadWriteLockId("table").manager(8), new ReadWriteLockId("table").manager(8));
        assertEquals(6, new ReadWriteLockId("table").manager(8).index());
        assertEquals(0, new ReadWriteLockId("polygenelubricants").manager(1).index());
    }
}
