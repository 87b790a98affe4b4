package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.ShippedCallException;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SingleNodeShippedTest {
    private final DsmSession session = new SingleNodeProvider(2).attach(Layout.EMPTY);
    private final DsmNode first = session.node(0);
    private final DsmNode second = session.node(1);

    /** A list that calls reach. */
    interface Log {
        int add(int[] values);

        List<Integer> sums();

        void fail(String text) throws IOException;

        CompletableFuture<Integer> later(int value);
    }

    private static class ListLog implements Log {
        private final List<Integer> sums = new ArrayList<>();

        @Override
        public int add(int[] values) {
            int sum = 0;
            for (int value : values) {
                sum += value;
            }
            values[0] = -1; // the caller's array does not change
            int before = sums.size();
            sums.add(sum);
            return before;
        }

        @Override
        public List<Integer> sums() {
            return sums;
        }

        @Override
        public void fail(String text) throws IOException {
            throw new IOException(text);
        }

        @Override
        public CompletableFuture<Integer> later(int value) {
            sums.add(value);
            return CompletableFuture.completedFuture(2 * value);
        }
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon(true).start(task);
        return task;
    }

    @Test
    void values_areNeverSharedByReference() {
        Log log = first.shipped("log", Log.class, ListLog::new);
        int[] mine = {1, 2, 3};

        log.add(mine);

        assertEquals(1, mine[0]);
        assertEquals(List.of(6), log.sums());
        assertNotSame(log.sums(), log.sums());
        log.sums().clear();
        assertEquals(List.of(6), log.sums());
    }

    @Test
    void sameName_isTheSameObjectOnEveryThread() throws Exception {
        Log log = first.shipped("log", Log.class, ListLog::new);
        Log same = second.shipped("log", Log.class, ListLog::new);

        FutureTask<Integer> other = start(() -> same.add(new int[] {5}));

        assertSame(log, same);
        assertEquals(0, other.get());
        assertEquals(List.of(5), log.sums());
        assertEquals(log, same);
        assertTrue(log.toString().contains("log"), log.toString());
    }

    @Test
    void callsOfManyThreads_runOneAtATime() throws Exception {
        Log log = first.shipped("log", Log.class, ListLog::new);
        List<FutureTask<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(
                    start(() -> {
                        for (int j = 0; j < 500; j++) {
                            log.add(new int[] {1});
                        }
                        return 0;
                    }));
        }
        for (FutureTask<Integer> thread : threads) {
            thread.get();
        }

        assertEquals(2000, log.sums().size());
    }

    @Test
    void exception_hasItsTypeAndTheFramesOverThere() {
        Log log = first.shipped("log", Log.class, ListLog::new);

        IOException thrown = assertThrows(IOException.class, () -> log.fail("no disk"));

        assertEquals("no disk", thrown.getMessage());
        ShippedCallException there =
                assertInstanceOf(ShippedCallException.class, thrown.getCause());
        assertEquals("java.io.IOException", there.type());
        assertEquals("fail", there.getStackTrace()[0].getMethodName());
    }

    @Test
    void asynchronousCalls_runInTheOrderMade() throws Exception {
        Log log = first.shipped("log", Log.class, ListLog::new);

        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(log.later(i));
        }
        log.add(new int[] {1000}); // after all of them

        for (int i = 0; i < 100; i++) {
            assertEquals(2 * i, futures.get(i).get());
        }
        assertEquals(101, log.sums().size());
        assertEquals(1000, log.sums().get(100));
    }

    /** Calls back. */
    interface Chained {
        void call();
    }

    @Test
    void callIntoTheOwnChain_throwsAndNamesBoth() {
        Chained[] all = new Chained[2];
        all[0] = first.shipped("a", Chained.class, () -> () -> all[1].call());
        all[1] = first.shipped("b", Chained.class, () -> () -> all[0].call());

        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> all[0].call());

        assertTrue(thrown.getMessage().contains("a > b > a"), thrown.getMessage());
    }

    @Test
    void waitForALockOfTheOwnChain_throwsAndNamesBoth() {
        DsmLock lock = first.lock("the lock");
        Chained object =
                first.shipped("a", Chained.class, () -> () -> first.lock("the lock").lock());
        lock.lock();

        IllegalStateException thrown = assertThrows(IllegalStateException.class, object::call);

        assertTrue(thrown.getMessage().contains("'the lock'"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("'a'"), thrown.getMessage());
        lock.unlock();
        assertFalse(lock.isHeldByCurrentThread());
    }

    @Test
    void sameNameForSomethingElse_isRefusedAndNamesBoth() {
        first.shipped("log", Log.class, ListLog::new);

        IllegalArgumentException thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> second.shipped("log", Chained.class, () -> () -> {}));

        assertTrue(thrown.getMessage().contains(Log.class.getName()), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(Chained.class.getName()), thrown.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> first.shipped("other", Log.class, 1, ListLog::new));
    }

    /** Waits within a call. */
    interface Gate {
        void pass();

        CompletableFuture<Boolean> passLater();
    }

    @Test
    void endOfTheRun_endsWaitsForATurn() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        Gate gate =
                first.shipped(
                        "gate",
                        Gate.class,
                        () ->
                                new Gate() {
                                    @Override
                                    public void pass() {
                                        inside.countDown();
                                        try {
                                            open.await();
                                        } catch (InterruptedException cause) {
                                            throw new IllegalStateException(cause);
                                        }
                                    }

                                    @Override
                                    public CompletableFuture<Boolean> passLater() {
                                        return CompletableFuture.completedFuture(true);
                                    }
                                });
        FutureTask<Boolean> holder =
                start(() -> {
                    gate.pass();
                    return true;
                });
        inside.await();
        CompletableFuture<Boolean> posted = gate.passLater();
        assertFalse(posted.isDone());

        session.failed(new IllegalStateException("somebody threw"));

        ExecutionException failed =
                assertThrows(ExecutionException.class, () -> posted.get(20, TimeUnit.SECONDS));
        assertInstanceOf(DsmException.class, failed.getCause());
        assertThrows(DsmException.class, gate::pass);
        open.countDown();
        assertTrue(holder.get());
    }
}
