package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.NodeLostException;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.model.NodeId;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guarantees for programs in a simulation, tested with programs of a few lines. */
@Timeout(30)
class AppRunTest {
    private static final int PAGE_LENGTH = 512;

    /** Texts of programs, in the order of virtual time. */
    private final List<String> said = new ArrayList<>();

    /** The code of a program's threads. */
    private interface Part {
        void run(DsmNode node, Small program) throws Exception;
    }

    /** Some variables, and a part that threads run. */
    private static final class Small implements DsmProgram {
        @Shared final LongArray words = LongArray.of(4 * PAGE_LENGTH);

        @Shared(Protocol.WRITE_SHARED)
        final LongArray shared = LongArray.of(4 * PAGE_LENGTH);

        @Shared(Protocol.READ_ONLY)
        final LongArray constants = LongArray.of(4);

        private final Part part;
        private Thread waiter = Thread.currentThread();

        Small(Part part) {
            this.part = part;
        }

        @Override
        public void initialize(DsmNode root) {
            constants.set(1, 7);
            words.set(PAGE_LENGTH, 5);
        }

        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, this);
        }

        @Override
        public Verdict verify(DsmNode root) {
            return words.get(PAGE_LENGTH) == 5 ? Verdict.right("right") : Verdict.wrong("wrong");
        }
    }

    private static AppRun prepare(int nodes, Part part) {
        return AppRun.of(() -> new Small(part), nodes);
    }

    private static AppResult run(int nodes, Part part) {
        AppResult result = prepare(nodes, part).run();
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    // ---- time ----

    @Test
    void work_takesVirtualTimeAsTheModelSays() {
        AppResult result = run(1, (node, program) -> node.work(2_000_000));

        long expected = 2_000_000 * MachineModel.LOOPBACK.workPicos() / 1000;
        assertEquals(expected, result.nodes().getFirst().computeNanos(), 20); // and some accesses
        assertEquals(expected / 1e9, result.seconds(), 0.0001);
        assertEquals(Verdict.right("right"), result.verdict());
    }

    @ParameterizedTest
    @EnumSource(
            names = {"READ_ONLY", "PIPELINED"},
            mode = EnumSource.Mode.EXCLUDE)
    void nodeThatIsAlone_faultsOncePerPage(Protocol protocol) {
        AppResult result =
                prepare(
                                1,
                                (node, program) -> {
                                    for (int round = 0; round < 5; round++) {
                                        for (int page = 0; page < 4; page++) {
                                            program.words.set(
                                                    page * PAGE_LENGTH + node.thread(), 5);
                                        }
                                        node.barrier("round").await();
                                    }
                                })
                        .threads(2)
                        .protocol(protocol)
                        .run();

        assertTrue(result.isGood(), result::toString);
        long faults =
                result.total(NodeCounter.READ_FAULTS) + result.total(NodeCounter.WRITE_FAULTS);
        assertTrue(faults <= 3 * 4, faults + " faults"); // initialization, and two threads
        assertEquals(0, result.total(NodeCounter.TWINS_MADE));
    }

    @Test
    void negativeWorkAndOneLockTooMany_areRefusedAsLive() {
        run(
                1,
                (node, program) -> {
                    assertThrows(IllegalArgumentException.class, () -> node.work(-1));
                    for (int i = 0; i < DsmNode.LOCKS_MAX; i++) {
                        node.lock("lock " + i);
                    }
                    assertThrows(IllegalStateException.class, () -> node.lock("one more"));
                });
    }

    @Test
    void pollOfAWord_seesAStoreThatArrivesInVirtualTime() {
        AppResult result =
                run(
                        2,
                        (node, program) -> {
                            if (node.id() == 0) {
                                node.work(10_000_000);
                                program.words.set(0, 1);
                            } else {
                                while (program.words.get(0) == 0) {
                                    Thread.onSpinWait();
                                }
                            }
                        });

        assertTrue(result.seconds() > 0.005, result::toString);
        assertTrue(result.seconds() < 0.0055, result::toString);
    }

    @Test
    void waitsWithALimit_endWhenTheirVirtualTimeIsOver() {
        run(
                2,
                (node, program) -> {
                    if (node.id() == 1) {
                        assertThrows(
                                TimeoutException.class,
                                () -> node.messages().receive(0, 3, 5, TimeUnit.SECONDS));
                        TimeoutException late =
                                assertThrows(
                                        TimeoutException.class,
                                        () -> node.barrier("in vain").await(2, TimeUnit.SECONDS));
                        said.add(late.getMessage());
                        assertThrows(
                                BarrierBrokenException.class,
                                () -> node.barrier("in vain").await());
                    }
                });

        assertEquals(1, said.size());
        assertTrue(said.getFirst().contains("'in vain'"), said::toString);
        assertTrue(said.getFirst().contains("node 0"), said::toString);
    }

    // ---- locks ----

    @Test
    void tryLock_waitsAsLongAsItMayAndNoLonger() {
        AppResult result =
                run(
                        2,
                        (node, program) -> {
                            DsmLock lock = node.lock("one");
                            if (node.id() == 0) {
                                lock.lock();
                                lock.lock();
                                assertEquals(2, lock.holdCount());
                            }
                            node.barrier("held").await();
                            if (node.id() == 0) {
                                node.work(40_000_000); // 20 ms
                                lock.unlock();
                                lock.unlock();
                                return;
                            }
                            assertFalse(lock.tryLock());
                            assertFalse(lock.tryLock(10, TimeUnit.MILLISECONDS));
                            assertTrue(lock.tryLock(1, TimeUnit.HOURS));
                            lock.unlock();
                        });

        assertEquals(0.020, result.seconds(), 0.001);
    }

    @Test
    void interrupt_endsTheWaitForALock() {
        AppResult result =
                prepare(
                                1,
                                (node, program) -> {
                                    DsmLock lock = node.lock("one");
                                    if (node.thread() == 0) {
                                        lock.lock();
                                        node.barrier("held").await();
                                        node.work(2_000_000);
                                        program.waiter.interrupt();
                                        node.work(2_000_000);
                                        lock.unlock();
                                    } else {
                                        program.waiter = Thread.currentThread();
                                        node.barrier("held").await();
                                        assertThrows(
                                                InterruptedException.class,
                                                lock::lockInterruptibly);
                                        said.add("interrupted");
                                        assertFalse(lock.isHeldByCurrentThread());
                                        lock.lock();
                                        said.add("held");
                                        lock.unlock();
                                    }
                                })
                        .threads(2)
                        .run();

        assertTrue(result.isGood(), result::toString);
        assertEquals(List.of("interrupted", "held"), said);
    }

    @Test
    void unlockByAStranger_throwsAndNamesTheHolder() {
        run(
                2,
                (node, program) -> {
                    DsmLock lock = node.lock("one");
                    said.add(
                            assertThrows(IllegalMonitorStateException.class, lock::unlock)
                                    .getMessage());
                });

        assertEquals(
                "lock 'one' is not held on node 0, and thread node-0-app-0 unlocks it",
                said.getFirst());
    }

    // ---- memory ----

    @Test
    void segment_isOfNoUseAfterTheNodeHasLostAPage() {
        run(
                2,
                (node, program) -> {
                    if (node.id() == 1) {
                        MemorySegment lent = program.words.segment(0, 600, Mode.READ);
                        assertEquals(0, lent.get(ValueLayout.JAVA_LONG, 0));
                        node.barrier("read").await();
                        node.barrier("stored").await();
                        assertThrows(
                                IllegalStateException.class,
                                () -> lent.get(ValueLayout.JAVA_LONG, 0));
                        MemorySegment again = program.words.segment(0, 600, Mode.READ);
                        assertEquals(9, again.get(ValueLayout.JAVA_LONG, 0));
                    } else {
                        node.barrier("read").await();
                        program.words.segment(0, 1, Mode.WRITE).set(ValueLayout.JAVA_LONG, 0, 9);
                        node.barrier("stored").await();
                    }
                });
    }

    @Test
    void segmentToStoreTo_isOfNoUseOnceThePageCanOnlyBeRead() {
        run(
                2,
                (node, program) -> {
                    int mine = node.id();
                    node.barrier("begin").await();
                    program.shared.set(mine, 1);
                    node.barrier("both hold it").await();
                    MemorySegment store = program.shared.segment(0, 9, Mode.WRITE);
                    MemorySegment load = program.shared.segment(0, 9, Mode.READ);
                    store.set(ValueLayout.JAVA_LONG, 8L * mine, 2);
                    node.barrier("flushed").await();
                    assertEquals(2, load.get(ValueLayout.JAVA_LONG, 8L * mine));
                    assertThrows(
                            IllegalStateException.class,
                            () -> store.set(ValueLayout.JAVA_LONG, 8L * mine, 3));
                });
    }

    /** Both nodes store to one element, each to a byte of it. */
    private static AppResult storeBytes(boolean byteDiffs, Protocol protocol) {
        AppRun run =
                prepare(
                        2,
                        (node, program) -> {
                            program.shared.get(0);
                            node.barrier("both hold it").await();
                            program.shared
                                    .segment(0, 1, Mode.WRITE)
                                    .set(ValueLayout.JAVA_BYTE, node.id(), (byte) 1);
                            node.barrier("stored").await();
                            assertEquals(0x0101, program.shared.get(0));
                        });
        run.protocol(protocol);
        return byteDiffs ? run.byteDiffs().run() : run.run();
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_SHARED", "HOME_BASED", "LAZY"})
    void storesNarrowerThanAnElement_areKeptIfDiffsAreOfBytes(Protocol protocol) {
        assertTrue(storeBytes(false, protocol).failure().isPresent());
        assertEquals(Optional.empty(), storeBytes(true, protocol).failure());
    }

    @Test
    void segmentsThatAreOut_areBounded() {
        run(
                1,
                (node, program) -> {
                    MemorySegment first = program.words.segment(0, 1, Mode.READ);
                    assertEquals(first.address(), program.words.segment(0, 1, Mode.READ).address());
                    for (int i = 1; i <= LentMemory.LENT_MAX; i++) {
                        assertTrue(first.scope().isAlive());
                        program.words.segment(i, i + 1, Mode.READ);
                    }
                    assertFalse(first.scope().isAlive());
                });
    }

    @Test
    void allocation_isCollectiveAndSharesItsElements() {
        AppResult result =
                prepare(
                                3,
                                (node, program) -> {
                                    LongArray more =
                                            node.allocate(
                                                    "more", LongArray.of(6), Protocol.WRITE_SHARED);
                                    more.set(node.position(), 10 + node.position());
                                    node.barrier("stored").await();
                                    for (int i = 0; i < 6; i++) {
                                        assertEquals(10 + i, more.get(i));
                                    }
                                })
                        .threads(2)
                        .run();

        assertTrue(result.isGood(), result::toString);
        assertTrue(result.total(NodeCounter.DIFFS_APPLIED) > 0, result::toString);
    }

    @Test
    void allocationThatDiffers_isRefusedOnEveryThread() {
        run(
                2,
                (node, program) ->
                        said.add(
                                assertThrows(
                                                DsmException.class,
                                                () ->
                                                        node.allocate(
                                                                "of node " + node.id(),
                                                                LongArray.of(1),
                                                                Protocol.MIGRATORY))
                                        .getMessage()));

        assertEquals(2, said.size());
    }

    @Test
    void clusterThatNeedsTooMuchMemory_isRefusedBeforeItStarts() {
        Part never = (node, program) -> said.add("ran");
        AppRun run =
                AppRun.of(
                        () ->
                                new DsmProgram() {
                                    @Shared final LongArray huge = LongArray.of(1 << 30);

                                    @Override
                                    public void run(DsmNode node) throws Exception {
                                        never.run(node, new Small(never));
                                    }
                                },
                        64);

        String text = assertThrows(IllegalArgumentException.class, run::run).getMessage();

        assertTrue(
                text.startsWith(
                        "a simulation of 64 nodes with 8192.0 MiB of shared variables each needs"
                                + " 524288.0 MiB outside the heap, and this JVM may have "),
                text);
        assertEquals(List.of(), said);
    }

    // ---- ends ----

    @Test
    void storeToReadOnly_failsTheRunAndNamesTheVariable() {
        AppResult result =
                prepare(
                                2,
                                (node, program) -> {
                                    assertEquals(7, program.constants.get(1));
                                    if (node.id() == 1) {
                                        program.constants.set(1, 8);
                                    }
                                    node.barrier("never").await();
                                })
                        .run();

        assertFalse(result.isGood());
        assertEquals(
                "node 1: its program failed: java.lang.IllegalStateException: store to variable"
                        + " constants, which is READ_ONLY since initialization ended",
                result.failure().orElseThrow().text());
    }

    @Test
    void programThatThrows_endsTheWaitsOfAllOthers() {
        AppResult result =
                prepare(
                                3,
                                (node, program) -> {
                                    if (node.position() == 3) {
                                        throw new TimeoutException("on purpose");
                                    }
                                    try {
                                        node.barrier("all").await();
                                    } catch (NodeLostException lost) {
                                        said.add(lost.getMessage());
                                        assertThrows(
                                                NodeLostException.class,
                                                () -> node.lock("any").lock());
                                        throw lost;
                                    }
                                })
                        .threads(2)
                        .run();

        AppResult.Failure failure = result.failure().orElseThrow();
        assertEquals(
                "node 1: its program failed: java.util.concurrent.TimeoutException: on purpose",
                failure.text());
        assertTrue(failure.cause().orElseThrow() instanceof TimeoutException);
        assertEquals(5, said.size());
        assertTrue(said.getFirst().contains("TimeoutException: on purpose"), said::toString);
    }

    @Test
    void wrongResult_isNoGoodRun() {
        AppResult result = prepare(1, (node, program) -> program.words.set(PAGE_LENGTH, 6)).run();

        assertFalse(result.isGood());
        assertEquals(Verdict.wrong("wrong"), result.verdict());
    }

    @Test
    void deadlock_isReportedWithWhoWaitsForWhatAndLeavesNothingRunning()
            throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        AppRun run =
                prepare(
                        2,
                        (node, program) -> {
                            threads.add(Thread.currentThread());
                            node.lock("lock " + node.id()).lock();
                            node.barrier("held").await();
                            try {
                                node.lock("lock " + (1 - node.id())).lock();
                            } finally {
                                said.add("finally on node " + node.id());
                            }
                        });

        String text = assertThrows(Violation.class, run::run).getMessage();

        assertTrue(text.contains("thread 0 of node 0 waits for"), text);
        assertTrue(text.contains("lock 1"), text);
        assertEquals(List.of("finally on node 0", "finally on node 1"), said);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void failureDuringInitialization_isReported() {
        AppResult result =
                AppRun.of(
                                () ->
                                        new DsmProgram() {
                                            @Override
                                            public void initialize(DsmNode root) {
                                                throw new IllegalStateException("too early");
                                            }

                                            @Override
                                            public void run(DsmNode node) {
                                                said.add("ran");
                                            }
                                        },
                                2)
                        .run();

        String text = result.failure().orElseThrow().text();
        assertTrue(text.endsWith("IllegalStateException: too early"), text);
        assertEquals(2, result.nodes().size());
        assertEquals(List.of(), said);
    }

    @Test
    void codeThatStandsStill_canBeStoppedFromOutsideAndSaysWhereItIs() throws InterruptedException {
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<String> text = new AtomicReference<>();
        AppRun run =
                prepare(
                        2,
                        (node, program) -> {
                            isInside.countDown();
                            never.await();
                        });
        Thread caller =
                Thread.ofPlatform()
                        .start(() -> {
                            text.set(
                                    assertThrows(IllegalStateException.class, run::run)
                                            .getMessage());
                            assertTrue(Thread.interrupted());
                        });
        isInside.await();

        caller.interrupt();
        caller.join();

        assertTrue(
                text.get().startsWith("the simulation was stopped while thread node-"), text::get);
        assertTrue(text.get().contains("CountDownLatch.await"), text::get);
        never.countDown();
    }

    @Test
    void runThatDoesNotEnd_isReportedAtItsLimit() {
        AppRun run =
                prepare(
                                2,
                                (node, program) -> {
                                    while (program.words.get(0) == 0) {
                                        node.work(1000);
                                    }
                                })
                        .limitNanos(5_000_000);

        assertEquals("liveness", assertThrows(Violation.class, run::run).checker());
    }

    @Test
    void lossOfANode_endsTheRunAndSaysSo() {
        AppResult result =
                prepare(
                                3,
                                (node, program) -> {
                                    if (node.id() == 1) {
                                        program.words.set(0, 1);
                                        node.work(100_000_000);
                                        said.add("went on");
                                    }
                                    node.barrier("never").await();
                                })
                        .disruptions(simulation ->
                                simulation.after(10_000_000, () -> simulation.kill(NodeId.of(1))))
                        .run();

        assertEquals("node 1 is lost: no heartbeat", result.failure().orElseThrow().text());
        assertEquals(List.of(), said);
        assertFalse(result.isGood());
    }

    @Test
    void threadOfItsOwn_mayNotTouchSharedVariables() {
        AtomicReference<String> text = new AtomicReference<>();
        run(
                1,
                (node, program) -> {
                    Thread stranger =
                            new Thread(
                                    () ->
                                            text.set(
                                                    assertThrows(
                                                                    IllegalStateException.class,
                                                                    () -> program.words.get(0))
                                                            .getMessage()),
                                    "stranger");
                    stranger.start();
                    stranger.join();
                });

        assertEquals("thread stranger is no application thread of this simulation", text.get());
    }

    @Test
    void accessesThatCostNothing_areRefused() {
        MachineModel free = new MachineModel(1000, 1, 1, 1, 1, 1, 1, 1, 1, 0);

        assertThrows(
                IllegalArgumentException.class,
                () -> prepare(1, (node, program) -> {}).model(free).run());
    }
}
