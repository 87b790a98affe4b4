package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reductions among the threads of one process. */
@Timeout(30)
class LocalReductionsTest {
    private static final int THREADS = 3;

    private final DsmSession session = new SingleNodeProvider(THREADS).attach(Layout.EMPTY);

    @BeforeEach
    void threadsRun() {
        session.initialized();
    }

    private interface Part<T> {
        T play(DsmNode node) throws Exception;
    }

    /** The result of each thread. */
    private <T> List<T> play(Part<T> part) throws Exception {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            DsmNode node = session.node(thread);
            FutureTask<T> task = new FutureTask<>(() -> part.play(node));
            Thread.ofPlatform().daemon(true).start(task);
            tasks.add(task);
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            results.add(task.get());
        }
        return results;
    }

    @Test
    void everyThread_getsTheSumOfEveryRound() throws Exception {
        List<Long> sums =
                play(node -> {
                    DsmBarrier barrier = node.barrier("b");
                    long sum = 0;
                    for (int round = 0; round < 1000; round++) {
                        sum += barrier.awaitSum((long) node.thread() + round);
                        barrier.await();
                    }
                    return sum;
                });

        long expected = 1000 * (0 + 1 + 2) + THREADS * 999L * 1000 / 2;
        assertEquals(List.of(expected, expected, expected), sums);
    }

    @Test
    void node_reducesOverAllThreads() throws Exception {
        List<String> all =
                play(node ->
                        node.sum(0.5 + node.thread())
                                + " "
                                + node.sum((long) node.thread())
                                + " "
                                + node.max(-1.0 - node.thread())
                                + " "
                                + node.reduce(
                                        Reduction.of("all", String.class, (l, r) -> l + r),
                                        "t" + node.thread()));

        String expected = "4.5 3 -1.0 t0t1t2";
        assertEquals(List.of(expected, expected, expected), all);
    }

    @Test
    void resultOfOneThread_isItsOwn() throws Exception {
        Reduction<int[]> sums = Reduction.ofInts(Operator.SUM);
        List<int[]> results =
                play(node -> {
                    int[] result = node.barrier("b").await(sums, new int[] {1, 2});
                    result[0] += node.thread(); // no other thread sees this
                    return result;
                });

        for (int thread = 0; thread < THREADS; thread++) {
            assertArrayEquals(new int[] {3 + thread, 6}, results.get(thread));
        }
    }

    @Test
    void longArrays_areCombinedInSeveralRounds() throws Exception {
        Reduction<long[]> sums = Reduction.ofLongs(Operator.SUM);
        List<long[]> results =
                play(node -> {
                    long[] mine = new long[50_000];
                    Arrays.setAll(mine, i -> i * (node.thread() + 1L));
                    return node.barrier("b").await(sums, mine, 20, TimeUnit.SECONDS);
                });

        for (long[] result : results) {
            for (int i = 0; i < result.length; i++) {
                assertEquals(6L * i, result[i]);
            }
        }
    }

    @Test
    void longArraysOfDifferentLengths_breakTheBarrierForAll() throws Exception {
        Reduction<long[]> sums = Reduction.ofLongs(Operator.SUM);
        List<String> reasons =
                play(node -> {
                    long[] mine = new long[50_000 + node.thread()];
                    return assertThrows(
                                    BarrierBrokenException.class,
                                    () -> node.barrier("b").await(sums, mine))
                            .getMessage();
                });

        assertEquals(reasons.get(0), reasons.get(2));
        assertTrue(reasons.get(0).contains("elements 0 to 8192 of 5000"), reasons.get(0));
    }

    @Test
    void differentReductions_breakTheBarrierForAll() throws Exception {
        List<String> reasons =
                play(node -> {
                    Reduction<Double> mine =
                            Reduction.ofDouble(node.thread() == 1 ? Operator.MIN : Operator.MAX);
                    DsmBarrier barrier = node.barrier("b");
                    return assertThrows(
                                    BarrierBrokenException.class, () -> barrier.await(mine, 1.0))
                            .getMessage();
                });

        for (String reason : reasons) {
            assertEquals(reasons.getFirst(), reason);
            assertTrue(reason.startsWith("barrier 'b': node 0, thread "), reason);
            assertTrue(reason.contains("'min of double'"), reason);
            assertTrue(reason.contains("'max of double'"), reason);
        }
    }

    @Test
    void timeout_breaksAReductionAsAnyWait() {
        DsmBarrier barrier = session.node(0).barrier("b");

        String missing =
                assertThrows(
                                TimeoutException.class,
                                () ->
                                        barrier.await(
                                                Reduction.ofLong(Operator.SUM),
                                                1L,
                                                1,
                                                TimeUnit.MILLISECONDS))
                        .getMessage();

        assertEquals("barrier 'b' has 1 of 3 parties, missing: node 0, thread 1, 2", missing);
        assertThrows(BarrierBrokenException.class, () -> barrier.awaitSum(1.0));
    }

    @Test
    void operatorThatThrows_throwsToEveryPartyAndTheBarrierStaysWhole() throws Exception {
        Reduction<String> wrong =
                Reduction.of(
                        "wrong",
                        String.class,
                        (_, right) -> {
                            throw new IllegalStateException("not " + right);
                        });

        List<Long> sums =
                play(node -> {
                    DsmBarrier barrier = node.barrier("b");
                    assertEquals(
                            "not t1",
                            assertThrows(
                                            IllegalStateException.class,
                                            () -> barrier.await(wrong, "t" + node.thread()))
                                    .getMessage());
                    return barrier.awaitSum(1L);
                });

        assertEquals(List.of(3L, 3L, 3L), sums);
    }

    @Test
    void contributionThatIsTooLarge_isRefusedBeforeTheThreadArrives() throws Exception {
        Reduction<long[]> sums = Reduction.ofLongs(Operator.SUM);

        List<Long> results =
                play(node -> {
                    DsmBarrier barrier = node.barrier("b");
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> barrier.await(sums, new long[(2 << 20) + 1]));
                    return barrier.await(sums, new long[8192])[0];
                });

        assertEquals(List.of(0L, 0L, 0L), results);
    }

    @Test
    void partOfTheThreads_reducesAmongItself() throws Exception {
        List<Double> results =
                play(node ->
                        node.thread() == 0
                                ? 0.0
                                : node.barrier("pair", 2).awaitMax((double) node.thread()));

        assertEquals(List.of(0.0, 2.0, 2.0), results);
    }
}
