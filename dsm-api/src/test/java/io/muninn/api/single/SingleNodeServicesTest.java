package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Date;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(30)
class SingleNodeServicesTest {
    private final DsmSession session = new SingleNodeProvider(2).attach(Layout.EMPTY);
    private final DsmNode first = session.node(0);
    private final DsmNode second = session.node(1);

    @BeforeEach
    void threadsRun() {
        session.initialized();
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon(true).start(task);
        return task;
    }

    @Test
    void lock_isReentrantAndCounted() {
        DsmLock lock = first.lock("l");

        lock.lock();
        lock.lock();

        assertEquals(2, lock.holdCount());
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
        lock.unlock();
        assertFalse(lock.isHeldByCurrentThread());
        assertSame(lock, second.lock("l"));
        assertEquals("l", lock.name());
    }

    @Test
    void unlockByAStranger_throws() throws Exception {
        DsmLock lock = first.lock("l");
        lock.lock();

        FutureTask<IllegalMonitorStateException> stranger =
                start(() -> assertThrows(IllegalMonitorStateException.class, lock::unlock));

        assertTrue(
                stranger.get()
                        .getMessage()
                        .startsWith(
                                "lock 'l' is held by thread "
                                        + Thread.currentThread().getName()
                                        + " of node 0, and thread Thread-"));
        lock.unlock();
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    }

    @Test
    void tryLockOfAHeldLock_failsAndDoesNotHold() throws Exception {
        DsmLock lock = first.lock("l");
        lock.lock();

        assertFalse(start(() -> lock.tryLock()).get());
        assertFalse(start(() -> lock.tryLock(1, TimeUnit.MILLISECONDS)).get());
        lock.unlock();
        assertTrue(start(() -> lock.tryLock(1, TimeUnit.SECONDS)).get());
    }

    @Test
    void condition_wakesWhoWaitsAndGivesBackEveryHold() throws Exception {
        DsmLock lock = first.lock("l");
        CountDownLatch held = new CountDownLatch(1);
        FutureTask<Integer> waiter =
                start(() -> {
                    lock.lock();
                    lock.lock();
                    held.countDown();
                    lock.newCondition("c").await();
                    return lock.holdCount();
                });
        held.await();

        lock.lock(); // acquired while the other waits
        lock.newCondition("other").signalAll();
        assertFalse(waiter.isDone());
        lock.newCondition("c").signal();
        lock.unlock();

        assertEquals(2, waiter.get());
    }

    @Test
    void conditionsWithoutNames_areNumberedPerLock() throws Exception {
        DsmLock lock = first.lock("l");
        first.lock("m").newCondition();
        CountDownLatch held = new CountDownLatch(1);
        Condition numbered = lock.newCondition();
        FutureTask<Boolean> waiter =
                start(() -> {
                    lock.lock();
                    held.countDown();
                    return numbered.await(60, TimeUnit.SECONDS);
                });
        held.await();

        lock.lock();
        lock.newCondition("#0").signal();
        lock.unlock();

        assertTrue(waiter.get());
    }

    @Test
    void conditionWithoutItsLock_isRefusedWithTheNamesOfLockAndThread() {
        Condition condition = first.lock("l").newCondition("c");
        Thread.currentThread().setName("stranger");

        for (Executable deed :
                List.<Executable>of(
                        condition::await,
                        condition::awaitUninterruptibly,
                        () -> condition.awaitNanos(0),
                        condition::signal,
                        condition::signalAll)) {
            String text = assertThrows(IllegalMonitorStateException.class, deed).getMessage();
            assertTrue(
                    text.startsWith("lock 'l' is not held on node 0, and thread stranger "), text);
        }
    }

    @Test
    void conditionWithALimit_endsInTimeWithTheLockHeld() throws Exception {
        DsmLock lock = first.lock("l");
        Condition condition = lock.newCondition("c");
        lock.lock();

        assertFalse(condition.await(1, TimeUnit.MILLISECONDS));
        assertFalse(condition.await(-1, TimeUnit.MILLISECONDS));
        assertTrue(condition.awaitNanos(1_000) <= 0);
        assertEquals(-5, condition.awaitNanos(-5));
        assertFalse(condition.awaitUntil(new Date(0)));
        assertFalse(condition.awaitUntil(new Date(Long.MIN_VALUE)));
        assertEquals(1, lock.holdCount());
    }

    @Test
    void failure_endsTheWaitAtACondition() throws Exception {
        DsmLock lock = first.lock("l");
        CountDownLatch held = new CountDownLatch(1);
        FutureTask<DsmException> waiter =
                start(() -> {
                    lock.lock();
                    held.countDown();
                    return assertThrows(
                            DsmException.class, lock.newCondition("c")::awaitUninterruptibly);
                });
        held.await();

        session.failed(new IllegalStateException("bad"));

        assertTrue(waiter.get().getMessage().contains("bad"));
    }

    @Test
    void uninterruptibleWait_keepsTheInterrupt() throws Exception {
        DsmLock lock = first.lock("l");
        lock.lock();
        Thread.currentThread().interrupt();
        FutureTask<Void> signaller =
                start(() -> {
                    lock.lock(); // acquired while the other waits
                    lock.newCondition("c").signal();
                    lock.unlock();
                    return null;
                });

        lock.newCondition("c").awaitUninterruptibly();

        assertTrue(Thread.interrupted());
        assertTrue(lock.isHeldByCurrentThread());
        signaller.get();
    }

    @Test
    void interruptedLock_holdsTheLockAndKeepsTheInterrupt() throws Exception {
        DsmLock lock = first.lock("l");
        lock.lock();
        CountDownLatch entered = new CountDownLatch(1);
        FutureTask<Boolean> waiter =
                new FutureTask<>(() -> {
                    entered.countDown();
                    lock.lock();
                    return Thread.interrupted() && lock.isHeldByCurrentThread();
                });
        Thread thread = Thread.ofPlatform().daemon(true).start(waiter);

        entered.await();
        thread.interrupt();
        lock.unlock();

        assertTrue(waiter.get());
    }

    @Test
    void failure_endsTheWaitForALock() throws Exception {
        DsmLock lock = first.lock("l");
        lock.lock();
        FutureTask<DsmException> waiter = start(() -> assertThrows(DsmException.class, lock::lock));

        session.failed(new IllegalStateException("bad"));

        assertEquals(
                "the run has failed on another thread: java.lang.IllegalStateException: bad",
                waiter.get().getMessage());
        assertThrows(DsmException.class, session::finished);
    }

    @Test
    void barrier_isUsedAgainAndAgain() throws Exception {
        int rounds = 2000;
        int[] plain = new int[1];
        FutureTask<Boolean> other =
                start(() -> {
                    DsmBarrier barrier = second.barrier("b");
                    for (int i = 0; i < rounds; i++) {
                        barrier.await();
                        plain[0]++;
                        barrier.await(10, TimeUnit.SECONDS);
                    }
                    return true;
                });
        DsmBarrier barrier = first.barrier("b");

        for (int i = 0; i < rounds; i++) {
            barrier.await();
            barrier.await();
            assertEquals(i + 1, plain[0]);
        }

        assertTrue(other.get());
        assertEquals(2, barrier.parties());
        assertEquals("b", barrier.name());
    }

    @Test
    void partiesOutOfRangeOrChanged_areRefused() {
        first.barrier("b", 1).await();

        assertEquals(
                "barrier 'b' has 1 parties, not 2",
                assertThrows(IllegalArgumentException.class, () -> second.barrier("b", 2))
                        .getMessage());
        assertEquals(
                "barrier 'c' of 3 parties in a cluster of 2 application threads",
                assertThrows(IllegalArgumentException.class, () -> first.barrier("c", 3))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> first.barrier("c", 0));
        assertThrows(IllegalArgumentException.class, () -> first.barrier(""));
        assertThrows(IllegalArgumentException.class, () -> first.lock("x".repeat(201)));
    }

    @Test
    void messages_keepTheirOrderPerTag() {
        Messages messages = first.messages();
        messages.send(0, 1, 10L);
        messages.send(0, 2, 20L, 21L);
        messages.send(0, 1, 11L);

        assertArrayEquals(new long[] {20, 21}, messages.receive(Messages.ANY, 2).longs());
        assertEquals(10, messages.receiveLong(0, 1));
        assertEquals(11, messages.receiveLong(Messages.ANY, 1));
    }

    @Test
    void messageContent_isACopy() {
        Messages messages = first.messages();
        double[] source = {0, 1, 2, 3};
        double[] target = new double[4];
        messages.send(0, 1, source, 1, 3);
        source[1] = 99;

        assertEquals(0, messages.receive(Messages.ANY, 1, target, 2, 4));

        assertArrayEquals(new double[] {0, 0, 1, 2}, target);
        messages.send(0, 1, new byte[] {5});
        Message message = messages.receive(0, 1);
        assertTrue(message.content().isReadOnly());
        assertEquals(1, message.bytes());
    }

    @Test
    void messagesThatDoNotFit_areRefusedWithBothLengths() {
        Messages messages = first.messages();
        messages.send(0, 7, new byte[3]);
        messages.send(0, 7, new byte[3]);
        messages.send(0, 7, new byte[3]);

        assertEquals(
                "message of 3 bytes from node 0 with tag 7 does not fit 4 bytes",
                assertThrows(
                                DsmException.class,
                                () -> messages.receive(0, 7, MemorySegment.ofArray(new byte[4])))
                        .getMessage());
        assertThrows(DsmException.class, () -> messages.receiveLong(0, 7));
        assertThrows(DsmException.class, () -> messages.receive(0, 7).doubles());
        assertThrows(IllegalArgumentException.class, () -> messages.send(1, 7, 1L));
        assertThrows(IllegalArgumentException.class, () -> messages.send(0, -1, 1L));
        assertThrows(IllegalArgumentException.class, () -> messages.receive(-2, 1));
        assertEquals(
                "message of 4194305 bytes, more than 4194304",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> messages.send(0, 1, new byte[Messages.BYTES_MAX + 1]))
                        .getMessage());
    }

    @Test
    void receiveTimeout_namesSenderAndTag() throws Exception {
        Messages messages = first.messages();

        assertEquals(
                "no message with tag 3 came from any node",
                assertThrows(
                                TimeoutException.class,
                                () -> messages.receive(Messages.ANY, 3, 1, TimeUnit.MILLISECONDS))
                        .getMessage());
        messages.send(0, 3, 1L);
        assertEquals(1, messages.receive(0, 3, 1, TimeUnit.SECONDS).longs()[0]);
    }

    @Test
    void sendBeyondTheBound_waitsForTheReceiver() throws Exception {
        Messages messages = first.messages();
        byte[] large = new byte[Messages.BYTES_MAX];
        messages.send(0, 1, large);
        FutureTask<Boolean> sender =
                start(() -> {
                    messages.send(0, 2, 5L);
                    return true;
                });

        assertThrows(
                TimeoutException.class, () -> messages.receive(0, 2, 50, TimeUnit.MILLISECONDS));
        assertEquals(large.length, messages.receive(0, 1).bytes());
        assertEquals(5, messages.receiveLong(0, 2));
        assertTrue(sender.get());
    }

    @Test
    void collectivesOfOneNode_giveBackItsValue() {
        Messages messages = first.messages();

        assertEquals(5, messages.reduceLong(1, 5, Long::sum));
        assertEquals(0.5, messages.reduceDouble(1, 0.5, Double::sum));
        messages.broadcast(0, 1, MemorySegment.ofArray(new byte[8]));
    }

    /** Otherwise each would receive the other's part, or leave it out. */
    @Test
    void collectivesOfTwoThreadsWithOneTag_areRefused() throws Exception {
        Messages messages = first.messages();
        double[] numbers = {1};
        assertEquals(5, messages.reduceLong(1, 5, Long::sum));
        messages.broadcast(0, 2, MemorySegment.ofArray(numbers));
        List<Executable> calls =
                List.of(
                        () -> second.messages().reduceLong(1, 5, Long::sum),
                        () -> second.messages().reduceDouble(2, 5, Double::sum),
                        () -> second.messages().broadcast(0, 1, MemorySegment.ofArray(numbers)));

        for (Executable call : calls) {
            IllegalStateException refused =
                    start(() -> assertThrows(IllegalStateException.class, call)).get();

            assertTrue(
                    refused.getMessage().contains("thread " + Thread.currentThread().getName()),
                    refused.getMessage());
        }
        assertEquals(7, start(() -> second.messages().reduceLong(3, 7, Long::sum)).get());
        assertEquals(6, messages.reduceLong(1, 6, Long::sum));
    }

    @Test
    void lockBeyondTheMost_isRefusedWithLimitAndRemedy() {
        for (int i = 0; i < DsmNode.LOCKS_MAX; i++) {
            first.lock("lock " + i);
        }

        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> second.lock("one more"));

        assertTrue(refused.getMessage().contains("8192 different names"), refused.getMessage());
        assertSame(first.lock("lock 0"), second.lock("lock 0"));
    }

    @Test
    void virtualThread_mayNotSynchronize() throws Exception {
        List<Executable> calls =
                List.of(
                        () -> first.lock("l"),
                        () -> first.barrier("b"),
                        first::messages,
                        first::refresh,
                        () -> first.allocate("v", LongArray.of(1), Protocol.WRITE_SHARED),
                        () -> first.shipped("o", Runnable.class, () -> () -> {}));
        FutureTask<Integer> refusals =
                new FutureTask<>(() -> {
                    calls.forEach(call -> assertThrows(IllegalStateException.class, call));
                    return calls.size();
                });

        Thread.startVirtualThread(refusals);

        assertEquals(calls.size(), refusals.get());
    }

    @Test
    void singleNode_isTheHomeOfEverythingAndHasNothingToFetch() {
        session.initialized();
        LongArray array = LongArray.of(2_000);
        first.allocate("a", array, Protocol.WRITE_SHARED, Home.CYCLIC);

        array.prefetch(0, 2_000);
        first.refresh();
        first.refreshUntil(() -> array.getVolatile(1_999) == 0);

        assertEquals(0, array.home(1_999));
        assertThrows(IndexOutOfBoundsException.class, () -> array.home(2_000));
        assertEquals(Home.CYCLIC, session.layout().regions().getLast().home());
    }

    @Test
    void allocationWithoutProtocolOrHome_isRefusedByName() {
        session.initialized();
        LongArray array = LongArray.of(1);

        NullPointerException noHome =
                assertThrows(
                        NullPointerException.class,
                        () -> first.allocate("a", array, Protocol.HOME_BASED, null));
        NullPointerException noProtocol =
                assertThrows(
                        NullPointerException.class,
                        () -> first.allocate("a", array, null, Home.ROOT));

        assertEquals("variable 'a' has no home policy", noHome.getMessage());
        assertEquals("variable 'a' has no protocol", noProtocol.getMessage());
        first.allocate("a", array, Protocol.HOME_BASED, Home.ROOT); // no allocation is recorded
    }

    @Test
    void threadsThatAllocateWithOtherHomes_areToldTheDifference() {
        session.initialized();
        first.allocate("a", LongArray.of(1), Protocol.WRITE_SHARED, Home.ROOT);

        DsmException refused =
                assertThrows(
                        DsmException.class,
                        () -> second.allocate("a", LongArray.of(1), Protocol.WRITE_SHARED));

        assertEquals(
                "threads of node 0 allocate differently: variable 'a', long[1] WRITE_SHARED, home"
                        + " ROOT, and variable 'a', long[1] WRITE_SHARED",
                refused.getMessage());
    }

    @Test
    void negativeWork_isRefused() {
        first.work(0);

        assertThrows(IllegalArgumentException.class, () -> first.work(-1));
    }

    @Test
    void threadsOutOfRange_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> session.node(2));
        assertThrows(IllegalArgumentException.class, () -> session.node(-1));
    }
}
