package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmException;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.NodeLostException;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.ShippedCallException;
import io.muninn.api.Verdict;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.NodeId;
import io.muninn.sim.Violation;
import io.muninn.spi.NodeCounter;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shipped objects in a simulation, with programs of a few lines. */
@Timeout(30)
class ShippedRunTest {
    private static final int LENGTH = 2000;
    private static final int ROUNDS = 10;

    /** The object of a program. */
    interface Desk {
        /** The number of calls before this one. */
        long next();

        /** Adds one to every shared word, each of which has this value. */
        void increment(long expected);

        void fail(String text);

        /** Calls the desk of that name. */
        void pass(String to);

        void lock(String name);

        void await();

        CompletableFuture<Long> later(long value, long work);
    }

    /** Some variables, and a part that threads run. */
    private static final class Small implements DsmProgram {
        @Shared(Protocol.WRITE_SHARED)
        final LongArray words = LongArray.of(LENGTH);

        private final Part part;

        Small(Part part) {
            this.part = part;
        }

        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, this);
        }

        /** The object; also called on the node that serves it. */
        Desk desk(DsmNode node, String name, int server) {
            return node.shipped(name, Desk.class, server, () -> new SmallDesk(node, words));
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right("right");
        }
    }

    /** The code of a program's threads. */
    private interface Part {
        void run(DsmNode node, Small program) throws Exception;
    }

    private static final class SmallDesk implements Desk {
        private final DsmNode node;
        private final LongArray words;
        private long calls;

        SmallDesk(DsmNode node, LongArray words) {
            this.node = node;
            this.words = words;
        }

        @Override
        public long next() {
            long before = calls;
            node.work(1000); // lets others run
            calls = before + 1;
            return before;
        }

        @Override
        public void increment(long expected) {
            for (int i = 0; i < LENGTH; i += 7) {
                if (words.get(i) != expected) {
                    throw new IllegalStateException("word " + i + " is " + words.get(i));
                }
                words.set(i, expected + 1);
            }
        }

        @Override
        public void fail(String text) {
            throw new ArithmeticException(text);
        }

        @Override
        public void pass(String to) {
            int server = to.charAt(0) - 'a';
            node.shipped(to, Desk.class, server, () -> new SmallDesk(node, words)).pass("a");
        }

        @Override
        public void lock(String name) {
            DsmLock lock = node.lock(name);
            lock.lock();
            lock.unlock();
        }

        @Override
        public void await() {
            node.barrier("all").await();
        }

        @Override
        public CompletableFuture<Long> later(long value, long work) {
            node.work(work);
            calls += value;
            return CompletableFuture.completedFuture(calls);
        }
    }

    private static AppRun prepare(int nodes, Part part) {
        return AppRun.of(() -> new Small(part), nodes);
    }

    private static AppResult run(int nodes, Part part) {
        AppResult result =
                prepare(nodes, part)
                        .threads(2)
                        .observers(Checkers.withoutValues(new Coverage()))
                        .run();
        result.failure()
                .flatMap(AppResult.Failure::cause)
                .ifPresent(cause -> {
                    throw new AssertionError(cause);
                });
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    @Test
    void callsOfAllThreads_runOneAtATime() {
        long[] last = new long[1];
        AppResult result =
                run(
                        3,
                        (node, program) -> {
                            Desk desk = program.desk(node, "desk", 1);
                            for (int i = 0; i < ROUNDS; i++) {
                                desk.next();
                            }
                            node.barrier("counted").await();
                            last[0] = Math.max(last[0], desk.next());
                        });

        assertEquals(6 * ROUNDS + 5, last[0]);
        assertEquals(4 * (ROUNDS + 1), result.total(NodeCounter.CALLS_SHIPPED));
        assertEquals(4 * (ROUNDS + 1), result.byKind().get("call").messages());
        assertEquals(4 * (ROUNDS + 1), result.byKind().get("reply").messages());
        assertTrue(result.total(NodeCounter.CALL_NANOS) > 0);
    }

    /** Each thread owes time for its loads when it calls. */
    @Test
    void objectThatThreadsOfANodeAskForAtOnce_isOne() {
        long[] last = new long[1];
        run(
                2,
                (node, program) -> {
                    for (int i = 0; i < LENGTH / 2; i++) {
                        program.words.get(i);
                    }
                    node.barrier("loaded").await();
                    for (int i = 0; i < 20; i++) {
                        program.words.get(i);
                    }
                    last[0] = Math.max(last[0], program.desk(node, "desk", 1).next());
                });

        assertEquals(3, last[0]);
    }

    /** No lock, no barrier: calls and replies alone order the stores. */
    @ParameterizedTest
    @EnumSource(
            value = ProtocolKind.class,
            names = {"READ_ONLY"},
            mode = EnumSource.Mode.EXCLUDE)
    void sharedData_isPassedByCallsAndRepliesInBothDirections(ProtocolKind kind) {
        AppResult result =
                prepare(
                                2,
                                (node, program) -> {
                                    Desk desk = program.desk(node, "desk", 0);
                                    if (node.id() == 0) {
                                        return;
                                    }
                                    for (long round = 0; round < ROUNDS; round++) {
                                        for (int i = 0; i < LENGTH; i += 7) {
                                            assertEquals(2 * round, program.words.get(i));
                                            program.words.set(i, 2 * round + 1);
                                        }
                                        desk.increment(2 * round + 1);
                                    }
                                })
                        .protocol(kind.protocol())
                        .observers(Checkers.withoutValues(new Coverage()))
                        .run();

        assertEquals(List.of(), result.failure().stream().toList());
    }

    @Test
    void exception_travelsWithTypeMessageAndFrames() {
        run(
                2,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 0);
                    ArithmeticException thrown =
                            assertThrows(ArithmeticException.class, () -> desk.fail("too much"));
                    assertEquals("too much", thrown.getMessage());
                    Throwable there =
                            assertInstanceOf(ShippedCallException.class, thrown.getCause());
                    assertEquals("fail", there.getStackTrace()[0].getMethodName());
                });
    }

    @Test
    void callIntoTheOwnChain_throwsOnWhicheverNode() {
        run(
                2,
                (node, program) -> {
                    Desk first = program.desk(node, "a", 0);
                    program.desk(node, "b", 1);
                    node.barrier("declared").await();
                    if (node.position() == 0 || node.position() == 3) {
                        String text =
                                assertThrows(IllegalStateException.class, () -> first.pass("b"))
                                        .getMessage();
                        assertTrue(text.contains("a > b > a"), text);
                    }
                    node.barrier("tried").await();
                });
    }

    @Test
    void waitForALockOfTheOwnChain_throwsOnWhicheverNode() {
        run(
                2,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 0);
                    DsmLock lock = node.lock("mine");
                    lock.lock();
                    String text =
                            assertThrows(IllegalStateException.class, () -> desk.lock("mine"))
                                    .getMessage();
                    assertTrue(text.contains("'mine'") && text.contains("'desk'"), text);
                    lock.unlock();
                    node.barrier("unlocked").await();
                    desk.lock("mine");
                });
    }

    @Test
    void barrierWithinACall_isRefused() {
        run(
                2,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 0);
                    assertThrows(IllegalStateException.class, desk::await);
                });
    }

    @Test
    void postedCalls_runInTheOrderMadeAndAreUnderWayTogether() {
        long[] nanos = new long[2];
        AppResult result =
                run(
                        2,
                        (node, program) -> {
                            Desk desk = program.desk(node, "desk", 0);
                            if (node.position() != 3) {
                                return;
                            }
                            List<CompletableFuture<Long>> futures = new ArrayList<>();
                            for (int i = 1; i <= 100; i++) {
                                futures.add(desk.later(i, 0));
                            }
                            assertEquals(5050, desk.later(0, 0).thenApply(sum -> sum).join());
                            for (int i = 1; i <= 100; i++) {
                                assertEquals(i * (i + 1) / 2, futures.get(i - 1).join());
                            }
                            assertEquals(0, desk.next() - 5050);
                        });
        nanos[0] = result.nanos();
        AppResult oneByOne =
                run(
                        2,
                        (node, program) -> {
                            Desk desk = program.desk(node, "desk", 0);
                            if (node.position() == 3) {
                                for (int i = 1; i <= 101; i++) {
                                    desk.later(i, 0).join();
                                }
                            }
                        });
        nanos[1] = oneByOne.nanos();

        assertTrue(nanos[0] < nanos[1] * 2 / 3, nanos[0] + " ns against " + nanos[1]);
    }

    @Test
    void postedCallOnTheServingNode_returnsAtOnce() {
        run(
                1,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 0);
                    CompletableFuture<Long> future = desk.later(3, 100_000_000);
                    assertThrows(
                            TimeoutException.class, () -> future.get(1, TimeUnit.MICROSECONDS));
                    assertTrue(future.get(1, TimeUnit.HOURS) >= 3);
                });
    }

    @Test
    void postedCallsBeyondTheLimit_waitForAPlace() {
        run(
                2,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 0);
                    if (node.position() == 2) {
                        List<CompletableFuture<Long>> all = new ArrayList<>();
                        for (int i = 0; i < 2 * DsmNode.CALLS_MAX; i++) {
                            all.add(desk.later(1, 0));
                        }
                        assertEquals(2 * DsmNode.CALLS_MAX, all.getLast().join());
                    }
                });
    }

    @Test
    void nodesThatDisagree_areBothNamed() {
        run(
                2,
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", node.id());
                    Runnable other = node.shipped("other", Runnable.class, 0, () -> () -> {});
                    if (node.id() == 0) {
                        Desk wrong = program.desk(node, "third", 1);
                        String text = assertThrows(DsmException.class, wrong::next).getMessage();
                        assertTrue(text.contains("on node 1 as node 0 declares it"), text);
                        assertTrue(text.contains("node 1 declares it as"), text);
                        assertTrue(text.endsWith("on node 0"), text);
                        assertThrows(CompletionException.class, () -> wrong.later(1, 1).join());
                    } else {
                        program.desk(node, "third", 0);
                    }
                    desk.next();
                    other.run();
                });
    }

    @Test
    void objectThatItsNodeNeverAsksFor_isReportedWhenTheProgramHasEndedThere() {
        run(
                2,
                (node, program) -> {
                    if (node.position() == 0) {
                        Desk desk = program.desk(node, "desk", 1);
                        String text = assertThrows(DsmException.class, desk::next).getMessage();
                        assertTrue(text.contains("has ended on node 1"), text);
                    }
                });
    }

    @Test
    void lossOfTheServingNode_endsCallsWithItsName() {
        List<String> said = new ArrayList<>();
        AppResult result =
                prepare(
                                3,
                                (node, program) -> {
                                    Desk desk = program.desk(node, "desk", 2);
                                    if (node.id() == 2) {
                                        node.work(1_000_000_000);
                                        return;
                                    }
                                    CompletableFuture<Long> posted = desk.later(1, 1_000_000_000);
                                    try {
                                        desk.next();
                                    } catch (NodeLostException lost) {
                                        said.add("lost " + lost.node());
                                        assertThrows(NodeLostException.class, desk::next);
                                        assertTrue(posted.isCompletedExceptionally());
                                        assertTrue(desk.later(1, 1).isCompletedExceptionally());
                                        throw lost;
                                    }
                                })
                        .disruptions(simulation ->
                                simulation.after(10_000_000, () -> simulation.kill(NodeId.of(2))))
                        .run();

        assertEquals(List.of("lost 2", "lost 2"), said);
        assertTrue(result.failure().isPresent());
    }

    @Test
    void chainsThatWaitForEachOther_areReportedAsWaiting() {
        AppRun run =
                prepare(
                        2,
                        (node, program) -> {
                            Desk desk = program.desk(node, "desk", 0);
                            DsmLock lock = node.lock("held");
                            if (node.id() == 0) {
                                lock.lock();
                            }
                            node.barrier("ready").await();
                            if (node.id() == 1) {
                                desk.lock("held"); // node 0 holds it, outside this chain
                            } else {
                                node.work(10_000_000);
                                desk.next();
                            }
                        });

        String text = assertThrows(Violation.class, run::run).getMessage();

        assertTrue(text.contains("no thread of the program can go on:"), text);
        assertTrue(text.contains("waits for object 'desk', whose call another thread"), text);
        assertTrue(text.contains("waits for lock 'held', which thread 0 of node 0 holds"), text);
    }

    @Test
    void sameRunTwice_isTheSame() {
        Part part =
                (node, program) -> {
                    Desk desk = program.desk(node, "desk", 1);
                    for (int i = 0; i < ROUNDS; i++) {
                        desk.later(desk.next(), 10);
                    }
                };

        assertEquals(run(3, part).traceHash(), run(3, part).traceHash());
    }
}
