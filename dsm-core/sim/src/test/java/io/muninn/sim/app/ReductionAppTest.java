package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.Shared;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reductions of programs in a simulation. */
@Timeout(30)
class ReductionAppTest {
    private static final int ROUNDS = 20;

    /** The code of a program's threads. */
    private interface Part {
        void run(DsmNode node, LongArray words) throws Exception;
    }

    /** One variable, and a part that all threads run. */
    private static final class Program implements DsmProgram {
        @Shared(Protocol.WRITE_SHARED)
        final LongArray words = LongArray.of(64);

        private final Part part;

        Program(Part part) {
            this.part = part;
        }

        @Override
        public void run(DsmNode node) throws Exception {
            part.run(node, words);
        }
    }

    private static AppResult run(int nodes, Part part) {
        AppResult result = AppRun.of(() -> new Program(part), nodes).run();
        assertEquals(List.of(), result.failure().stream().toList());
        return result;
    }

    private static long sent(AppResult result, NodeCounter counter) {
        return result.nodes().stream().mapToLong(each -> each.counters().get(counter)).sum();
    }

    @Test
    void everyNode_getsTheSameSumAndSeesStoresBeforeIt() {
        List<Double> sums = new ArrayList<>();

        run(
                4,
                (node, words) -> {
                    words.set(node.id(), 7);
                    sums.add(node.sum(0.1 * (node.id() + 1)));
                    for (int i = 0; i < node.nodes(); i++) {
                        assertEquals(7, words.get(i));
                    }
                });

        assertEquals(Collections.nCopies(4, 0.1 + 0.1 * 2 + 0.1 * 3 + 0.1 * 4), sums);
    }

    @Test
    void reduction_sendsAsManyMessagesAsTheBareBarrier() {
        AppResult bare =
                run(
                        4,
                        (node, _) -> {
                            for (int i = 0; i < ROUNDS; i++) {
                                node.barrier("b").await();
                            }
                        });
        AppResult reducing =
                run(
                        4,
                        (node, _) -> {
                            Reduction<double[]> sums = Reduction.ofDoubles(Operator.SUM);
                            for (int i = 0; i < ROUNDS; i++) {
                                node.barrier("b").await(sums, new double[100]);
                            }
                        });

        assertEquals(sent(bare, NodeCounter.MESSAGES), sent(reducing, NodeCounter.MESSAGES));
        long more = sent(reducing, NodeCounter.BYTES) - sent(bare, NodeCounter.BYTES);
        long arrays = ROUNDS * 3L * 2 * 100 * Double.BYTES; // one each way for each node
        assertTrue(more > arrays && more < arrays * 1.1, more + " bytes more for " + arrays);
    }

    @Test
    void differentOperators_areToldToAllAndTheRunGoesOn() {
        List<String> told = new ArrayList<>();

        run(
                3,
                (node, _) -> {
                    DsmBarrier barrier = node.barrier("wrong");
                    Operator mine = node.id() == 1 ? Operator.XOR : Operator.OR;
                    told.add(
                            assertThrows(
                                            BarrierBrokenException.class,
                                            () -> barrier.await(Reduction.ofInt(mine), 1))
                                    .getMessage());
                    assertEquals(3, node.sum(1L));
                });

        assertEquals(3, told.size());
        assertTrue(told.stream().allMatch(told.getFirst()::equals), told::toString);
        assertTrue(told.getFirst().contains("'xor of int'"), told::toString);
        assertTrue(told.getFirst().contains("'or of int'"), told::toString);
    }

    @Test
    void reductionWithALimit_namesWhoIsMissing() {
        run(
                2,
                (node, _) -> {
                    if (node.id() == 1) {
                        String missing =
                                assertThrows(
                                                TimeoutException.class,
                                                () ->
                                                        node.barrier("in vain")
                                                                .await(
                                                                        Reduction.ofLong(
                                                                                Operator.SUM),
                                                                        1L,
                                                                        2,
                                                                        TimeUnit.SECONDS))
                                        .getMessage();
                        assertTrue(missing.contains("missing: node 0"), missing);
                    }
                });
    }
}
