package io.muninn.api.single;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Comparison;
import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Op;
import io.muninn.api.RemoteDoubles;
import io.muninn.api.RemoteInts;
import io.muninn.api.RemoteLongs;
import io.muninn.api.RemoteStructs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.api.spi.ProgramRunner;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SingleNodeRemoteTest {
    private static final StructLayout CELL =
            MemoryLayout.structLayout(
                    ValueLayout.JAVA_LONG.withName("count"),
                    ValueLayout.JAVA_DOUBLE.withName("mass"),
                    ValueLayout.JAVA_INT.withName("kind"),
                    MemoryLayout.paddingLayout(4));

    /** A program of one body. */
    private abstract static class Program implements DsmProgram {
        @Shared final RemoteLongs longs = RemoteLongs.of(1000);
        @Shared final RemoteInts ints = RemoteInts.of(10);
        @Shared final RemoteDoubles doubles = RemoteDoubles.of(10);
        @Shared final RemoteStructs cells = RemoteStructs.of(CELL, 300);
        final RemoteLongs count = cells.longs("count");
        final RemoteDoubles mass = cells.doubles("mass");
        final RemoteInts kind = cells.ints("kind");

        @Override
        public void initialize(DsmNode node) {}

        @Override
        public Verdict verify(DsmNode node) {
            return Verdict.unchecked();
        }
    }

    /** A body that may throw. */
    private interface Body {
        void run(Program program, DsmNode node) throws Exception;
    }

    private static void run(int threads, Body body) {
        ProgramRunner.run(
                new Program() {
                    @Override
                    public void run(DsmNode node) throws Exception {
                        body.run(this, node);
                    }
                },
                new SingleNodeProvider(threads));
    }

    @Test
    void operations_areThoseOfTheirNames() {
        run(
                1,
                (p, node) -> {
                    p.longs.set(3, 5);
                    assertEquals(5, p.longs.getAndAdd(3, 2));
                    assertEquals(7, p.longs.getAndSet(3, 10));
                    assertTrue(p.longs.compareAndSet(3, 10, 11));
                    assertFalse(p.longs.compareAndSet(3, 10, 12));
                    assertEquals(11, p.longs.compareAndExchange(3, 11, 13));
                    assertEquals(13, p.longs.getAndAccumulate(3, 4, Op.MIN));
                    p.longs.add(3, 1);
                    p.longs.accumulate(3, 8, Op.OR);
                    assertEquals(13, p.longs.get(3));
                    assertEquals(13, p.longs.getAsync(3).join());
                    assertEquals(13, p.longs.getAndAddAsync(3, 1).join());
                    assertTrue(p.longs.compareAndSetAsync(3, 14, 15).join());
                    p.longs.setAsync(3, 16).join();
                    assertEquals(16, p.longs.getAndSetAsync(3, 17).join());
                    assertEquals(17, p.longs.compareAndExchangeAsync(3, 0, 1).join());
                    node.remoteFence();
                    assertEquals(0, p.longs.home(999));
                });
    }

    @Test
    void intsDoublesAndFields_haveTheSameOperations() {
        run(
                1,
                (p, node) -> {
                    p.ints.add(2, -4);
                    assertEquals(-4, p.ints.getAndAdd(2, 1));
                    assertTrue(p.ints.compareAndSet(2, -3, 8));
                    p.doubles.add(1, 0.5);
                    assertEquals(0.5, p.doubles.getAndAccumulate(1, 2.0, Op.MAX));
                    assertTrue(p.doubles.compareAndSet(1, 2.0, 3.0));
                    assertFalse(p.doubles.compareAndSet(0, -0.0, 1.0));
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> p.doubles.accumulate(1, 2.0, Op.XOR));
                    p.count.add(299, 6);
                    p.mass.add(299, 1.5);
                    p.kind.set(299, 9);
                    assertEquals(6, p.count.get(299));
                    assertEquals(1.5, p.mass.get(299));
                    assertEquals(9, p.kind.get(299));
                    assertEquals(0, p.count.get(298));
                });
    }

    @Test
    void ranges_areCopied() {
        run(
                1,
                (p, node) -> {
                    long[] source = new long[900];
                    for (int i = 0; i < source.length; i++) {
                        source[i] = i * 3L;
                    }
                    p.longs.set(50, source, 0, 900);
                    long[] target = new long[902];
                    p.longs.get(50, target, 1, 900);
                    assertEquals(0, target[0]);
                    assertEquals(899 * 3L, target[900]);
                    assertEquals(0, target[901]);
                    int[] kinds = {4, 5, 6};
                    p.kind.set(100, kinds, 0, 3);
                    int[] found = new int[3];
                    p.kind.get(100, found, 0, 3);
                    assertArrayEquals(kinds, found);
                    assertThrows(
                            IndexOutOfBoundsException.class, () -> p.longs.get(950, target, 0, 51));
                });
    }

    @Test
    void aggregator_addsSetsAndLoads() {
        run(
                1,
                (p, node) -> {
                    long[] target = new long[1];
                    try (RemoteLongs.Aggregator collected = p.longs.aggregator()) {
                        collected.set(1, 5);
                        collected.add(1, 2);
                        collected.accumulate(1, 100, Op.MAX);
                        collected.get(1, target, 0);
                        collected.flush();
                        assertEquals(100, target[0]);
                    }
                    RemoteLongs.Aggregator closed = p.longs.aggregator();
                    closed.close();
                    assertThrows(IllegalStateException.class, () -> closed.add(1, 1));
                });
    }

    @Test
    void threads_loseNoUpdate() {
        run(
                4,
                (p, node) -> {
                    for (int i = 0; i < 20_000; i++) {
                        p.longs.add(0, 1);
                        p.doubles.add(0, 1.0);
                        p.ints.accumulate(0, node.thread() * 20_000 + i, Op.MAX);
                        p.count.getAndAdd(7, 1);
                    }
                    node.barrier("done").await();
                    assertEquals(80_000, p.longs.get(0));
                    assertEquals(80_000.0, p.doubles.get(0));
                    assertEquals(79_999, p.ints.get(0));
                    assertEquals(80_000, p.count.get(7));
                });
    }

    @Test
    void awaitUntil_isWokenByAnotherThread() {
        run(
                2,
                (p, node) -> {
                    if (node.thread() == 0) {
                        p.longs.awaitUntil(0, Comparison.GREATER_OR_EQUAL, 2);
                        assertTrue(p.longs.get(0) >= 2);
                        p.doubles.set(0, 1.5);
                    } else {
                        p.longs.add(0, 1);
                        p.longs.add(0, 1);
                        p.doubles.awaitUntil(0, Comparison.EQUAL, 1.5, 20, TimeUnit.SECONDS);
                    }
                });
    }

    @Test
    void awaitUntil_endsWithItsTime_namingTheVariable() {
        run(
                1,
                (p, node) -> {
                    TimeoutException over =
                            assertThrows(
                                    TimeoutException.class,
                                    () ->
                                            p.longs.awaitUntil(
                                                    0,
                                                    Comparison.LESS,
                                                    0,
                                                    20,
                                                    TimeUnit.MILLISECONDS));
                    assertEquals(
                            "a word of remote variable longs was not LESS after 20 ms on node 0",
                            over.getMessage());
                });
    }

    @Test
    void awaitUntil_endsWithTheRun() {
        IllegalStateException thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                run(
                                        2,
                                        (p, node) -> {
                                            if (node.thread() == 0) {
                                                p.longs.awaitUntil(0, Comparison.EQUAL, 1);
                                            }
                                            throw new IllegalStateException("wrong");
                                        }));
        assertEquals("wrong", thrown.getMessage());
    }

    @Test
    void indexOutOfRange_namesVariableIndexLengthAndNode() {
        run(
                1,
                (p, node) -> {
                    assertOutside(
                            "index 1000 of remote variable longs, whose length is 1000, on node 0",
                            () -> p.longs.get(1000));
                    assertOutside(
                            "index -1 of remote variable cells.mass, whose length is 300, on node 0",
                            () -> p.mass.add(-1, 1));
                    assertOutside(
                            "struct 300 of remote variable cells, whose length is 300, on node 0",
                            () -> p.cells.home(300));
                });
    }

    private static void assertOutside(String text, Runnable access) {
        IndexOutOfBoundsException thrown =
                assertThrows(IndexOutOfBoundsException.class, access::run);
        assertEquals(text, thrown.getMessage());
    }

    @Test
    void variableOutsideARun_isRefused() {
        RemoteLongs unbound = RemoteLongs.of(4);
        assertThrows(IllegalStateException.class, () -> unbound.add(1, 1));
        assertThrows(IllegalStateException.class, () -> unbound.get(1));
        assertThrows(IllegalArgumentException.class, () -> RemoteLongs.of(0));
        RemoteStructs structs = RemoteStructs.of(CELL, 2);
        assertThrows(IllegalArgumentException.class, () -> structs.longs("mass"));
        assertThrows(IllegalArgumentException.class, () -> structs.longs("none"));
    }

    /** The usual start of a run. */
    @Test
    void dsmRun_bindsRemoteVariables() {
        Verdict verdict =
                Dsm.run(
                        new Program() {
                            @Override
                            public void run(DsmNode node) {
                                longs.add(0, node.positions());
                            }

                            @Override
                            public Verdict verify(DsmNode node) {
                                return longs.get(0) == 1
                                        ? Verdict.right("counted")
                                        : Verdict.wrong("lost");
                            }
                        });
        assertTrue(verdict.right());
    }
}
