package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs on the single node. */
@Timeout(30)
class DsmTest {
    @AfterEach
    void forgetThreads() {
        System.clearProperty(Dsm.THREADS_PROPERTY);
    }

    private static void threads(int threads) {
        System.setProperty(Dsm.THREADS_PROPERTY, Integer.toString(threads));
    }

    /** Each thread adds its band of inputs, under a lock, to one word; then all check the sum. */
    private static final class Sum implements DsmProgram {
        private static final int LENGTH = 1000;

        @Shared(Protocol.READ_ONLY)
        private final IntArray inputs = IntArray.of(LENGTH);

        @Shared(Protocol.MIGRATORY)
        private final LongArray sum = LongArray.of(1);

        private final Set<String> threadNames = ConcurrentHashMap.newKeySet();
        private final Queue<Long> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void initialize(DsmNode root) {
            assertTrue(root.isRoot());
            for (int i = 0; i < LENGTH; i++) {
                inputs.set(i, i);
            }
        }

        @Override
        public void run(DsmNode node) {
            threadNames.add(Thread.currentThread().getName());
            Band band = node.band(LENGTH);
            DsmLock lock = node.lock("sum");
            for (int i = band.from(); i < band.to(); i++) {
                lock.lock();
                try {
                    sum.set(0, sum.get(0) + inputs.get(i));
                } finally {
                    lock.unlock();
                }
            }
            node.barrier("summed").await();
            seen.add(sum.get(0));
        }

        @Override
        public Verdict verify(DsmNode root) {
            return sum.get(0) == 499500
                    ? Verdict.right("sum 499500")
                    : Verdict.wrong("sum " + sum.get(0));
        }
    }

    @Test
    void programOnThreeThreads_sharesMemoryLocksAndBarriers() {
        threads(3);
        Sum program = new Sum();

        Verdict verdict = Dsm.run(program);

        assertEquals(Verdict.right("sum 499500"), verdict);
        assertEquals(
                Set.of(Thread.currentThread().getName(), "muninn-app-1", "muninn-app-2"),
                program.threadNames);
        assertEquals(3, program.seen.size());
        assertTrue(program.seen.stream().allMatch(sum -> sum == 499500));
    }

    @Test
    void readOnlyVariable_isSealedWhenTheThreadsRun() {
        final class Storing implements DsmProgram {
            @Shared(Protocol.READ_ONLY)
            private final IntArray edge = IntArray.of(3);

            @Override
            public void run(DsmNode node) {
                edge.set(1, 1);
            }
        }

        String text =
                assertThrows(IllegalStateException.class, () -> Dsm.run(new Storing()))
                        .getMessage();

        assertEquals("store to variable edge, which is READ_ONLY since initialization ended", text);
    }

    @Test
    void throwingThread_endsTheWaitsOfTheOthersAndIsRethrown() {
        threads(3);
        IOException thrown = new IOException("disk gone");
        Queue<Throwable> seen = new ConcurrentLinkedQueue<>();
        CountDownLatch holding = new CountDownLatch(1);

        DsmException failure =
                assertThrows(
                        DsmException.class,
                        () ->
                                Dsm.run(node -> {
                                    switch (node.thread()) {
                                        case 0 -> watch(seen, () -> node.barrier("b").await());
                                        case 1 -> watch(seen, () -> node.messages().receive(0, 1));
                                        default -> {
                                            holding.countDown();
                                            throw thrown;
                                        }
                                    }
                                }));

        assertSame(thrown, failure.getCause());
        assertEquals(2, seen.size());
        for (Throwable waiter : seen) {
            assertInstanceOf(DsmException.class, waiter);
            assertEquals(
                    "the run has failed on another thread: java.io.IOException: disk gone",
                    waiter.getMessage());
        }
    }

    private static void watch(Queue<Throwable> seen, Runnable wait) {
        try {
            wait.run();
        } catch (DsmException cause) {
            seen.add(cause);
            throw cause;
        }
    }

    @Test
    void errorOfAThread_isRethrownAsItIs() {
        threads(2);
        AssertionError error = new AssertionError("wrong");

        AssertionError thrown =
                assertThrows(
                        AssertionError.class,
                        () ->
                                Dsm.run(node -> {
                                    if (node.thread() == 1) {
                                        throw error;
                                    }
                                    node.barrier("b").await();
                                }));

        assertSame(error, thrown);
        assertEquals(1, thrown.getSuppressed().length);
    }

    @Test
    void allocation_isOneVariableForAllThreads() {
        threads(3);

        Dsm.run(node -> {
            LongArray slots =
                    node.allocate("slots", LongArray.of(node.positions()), Protocol.WRITE_SHARED);
            slots.set(node.position(), node.position() + 1);
            node.barrier("filled").await();
            assertEquals(6, slots.get(0) + slots.get(1) + slots.get(2));
            assertEquals("slots long[3]", slots.toString());
        });
    }

    @Test
    void allocationThatThreadsDisagreeOn_namesTheDifference() {
        threads(2);

        String text =
                assertThrows(
                                DsmException.class,
                                () ->
                                        Dsm.run(node -> {
                                            node.allocate(
                                                    "slots",
                                                    LongArray.of(1 + node.thread()),
                                                    Protocol.MIGRATORY);
                                            node.barrier("b").await();
                                        }))
                        .getMessage();

        assertTrue(
                text.startsWith("threads of node 0 allocate differently: variable 'slots', long["),
                text);
    }

    @Test
    void allocationOutOfPlace_isRefused() {
        final class Early implements DsmProgram {
            @Override
            public void initialize(DsmNode root) {
                root.allocate("slots", LongArray.of(1), Protocol.MIGRATORY);
            }

            @Override
            public void run(DsmNode node) {}
        }

        assertEquals(
                "variable 'slots' is allocated during initialization: declare it",
                assertThrows(IllegalStateException.class, () -> Dsm.run(new Early())).getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> Dsm.run(node -> node.allocate("s", LongArray.of(1), Protocol.READ_ONLY)));
    }

    /** Arrives at a barrier while no other thread runs. */
    private static final class Lonely implements DsmProgram {
        private final List<String> said = new ArrayList<>();

        private void meet(DsmNode root) {
            List<Runnable> meetings =
                    List.of(
                            () -> root.barrier("b").await(),
                            () -> root.barrier("alone", 1).await(),
                            () -> root.max(1.0));
            for (Runnable meeting : meetings) {
                said.add(assertThrows(IllegalStateException.class, meeting::run).getMessage());
            }
        }

        @Override
        public void initialize(DsmNode root) {
            meet(root);
        }

        @Override
        public void run(DsmNode node) {
            node.barrier("b").await();
        }

        @Override
        public Verdict verify(DsmNode root) {
            meet(root);
            assertThrows(
                    IllegalStateException.class,
                    () -> root.allocate("late", LongArray.of(1), Protocol.MIGRATORY));
            return Verdict.right("alone");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void barrierOfInitializeOrVerify_isRefused(int threads) {
        threads(threads);
        Lonely program = new Lonely();

        assertEquals(Verdict.right("alone"), Dsm.run(program));

        String text = "initialize cannot take part in barrier 'b': no other thread runs";
        assertEquals(text, program.said.getFirst());
        assertEquals(text.replace("initialize", "verify"), program.said.get(3));
        assertEquals(6, program.said.size());
    }

    @Test
    void programRunTwice_isRefused() {
        Sum program = new Sum();
        Dsm.run(program);

        String text =
                assertThrows(IllegalStateException.class, () -> Dsm.run(program)).getMessage();

        assertEquals(
                "variable inputs belongs to a run already; make a new program for another run",
                text);
    }

    @Test
    void threadsOutOfRange_areRefused() {
        for (String threads : new String[] {"0", "-1", "1025", "many"}) {
            System.setProperty(Dsm.THREADS_PROPERTY, threads);
            assertEquals(
                    "muninn.threads is an integer from 1 to 1024, not '" + threads + "'",
                    assertThrows(IllegalArgumentException.class, () -> Dsm.run(_ -> {}))
                            .getMessage());
        }
    }

    private static final class Words {
        @Shared private final LongArray words = LongArray.of(4);
    }

    @Test
    void join_givesServicesAndBoundVariables() {
        Words words = new Words();

        try (Membership cluster = Dsm.join(words, _ -> words.words.set(0, 7))) {
            DsmNode node = cluster.node();
            assertEquals(0, node.id());
            assertEquals(1, node.positions());
            assertEquals(7, words.words.get(0));
            node.barrier("b").await();
            cluster.complete(Verdict.right("7"));
            assertThrows(IllegalStateException.class, () -> cluster.complete(Verdict.unchecked()));
            DsmException over = assertThrows(DsmException.class, () -> node.lock("l").lock());
            assertEquals("the run has ended", over.getMessage());
        }
    }

    @Test
    void leavingBeforeComplete_failsTheRun() {
        DsmNode node;
        try (Membership cluster = Dsm.join()) {
            node = cluster.node();
        }

        DsmException failure =
                assertThrows(DsmException.class, () -> node.messages().receive(Messages.ANY, 5));

        assertTrue(failure.getMessage().contains("left the cluster before complete()"));
    }

    /** The exception propagates out of the {@code try}; {@code close} cannot see it. */
    @Test
    void exceptionThatLeavesTheCluster_reachesTheOthers() throws Exception {
        AtomicReference<DsmNode> node = new AtomicReference<>();
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread leaver =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, thrown) -> uncaught.set(thrown))
                        .start(() -> {
                            try (Membership cluster = Dsm.join()) {
                                node.set(cluster.node());
                                throw new IllegalStateException("the reason");
                            }
                        });
        leaver.join();

        DsmException failure =
                assertThrows(
                        DsmException.class, () -> node.get().messages().receive(Messages.ANY, 5));

        assertTrue(failure.getMessage().endsWith("IllegalStateException: the reason"));
        assertEquals("the reason", uncaught.get().getMessage());
    }

    @Test
    void verdictOfOneThreadRun_isTheProgramsOwn() {
        assertEquals(Verdict.unchecked(), Dsm.run(_ -> {}));
    }

    @Test
    void timeouts_sayWhoIsMissing() throws Exception {
        threads(3);
        Queue<String> texts = new ConcurrentLinkedQueue<>();
        CountDownLatch over = new CountDownLatch(1);

        Dsm.run(node -> {
            DsmBarrier barrier = node.barrier("sweep");
            try {
                switch (node.thread()) {
                    case 0 -> {
                        node.messages().receive(Messages.ANY, 5);
                        barrier.await(10, TimeUnit.MILLISECONDS);
                    }
                    case 1 -> {
                        node.messages().send(0, 5, new byte[0]);
                        barrier.await();
                    }
                    default -> over.await();
                }
            } catch (TimeoutException cause) {
                texts.add(cause.getMessage());
                over.countDown();
            } catch (BarrierBrokenException cause) {
                texts.add("broken: " + cause.getMessage());
                over.countDown();
            }
        });

        assertTrue(
                texts.stream()
                        .anyMatch(text ->
                                text.startsWith("barrier 'sweep' has ")
                                        && text.contains(" of 3 parties, missing: node 0, thread ")
                                        && text.endsWith("2")),
                texts.toString());
        assertTrue(
                texts.stream().anyMatch(text -> text.startsWith("broken: barrier 'sweep' has ")),
                texts.toString());
    }
}
