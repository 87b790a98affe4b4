package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Domain.Line;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ProgramRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops over two and three ranges. */
class DomainTest {
    private static final int N = 12;
    private static final Domain ROWS = Domain.of(new Band(2, 7), new Band(1, 10));
    private static final Domain CELLS = Domain.of(new Band(1, 4), new Band(2, 7), new Band(3, 5));

    private static final List<Schedule> SCHEDULES =
            List.of(
                    Schedule.BLOCK,
                    Schedule.CYCLIC,
                    Schedule.chunked(4),
                    Schedule.dynamic(5),
                    Schedule.guided(2));

    /** The sequential part. */
    private interface Main {
        void run(Team team, Loops loops);
    }

    /** Counts accesses, at the index in base {@link #N}. */
    private static final class Loops implements LoopProgram {
        final AtomicIntegerArray counts = new AtomicIntegerArray(N * N * N);
        final Loop<None, None> of2 = Loop.each((i, j) -> add(0, i, j, 1));
        final Loop<None, None> of3 = Loop.each((i, j, k) -> add(i, j, k, 1));
        final Loop<Integer, None> with2 = Loop.each(Integer.class, (by, i, j) -> add(0, i, j, by));
        final Loop<Integer, None> with3 =
                Loop.each(Integer.class, (by, i, j, k) -> add(i, j, k, by));
        final Loop<None, None> lines = Loop.parts(None.class, (_, part) -> addLines(part));
        final Loop<None, Double> sum2 = Loop.sum((i, j) -> Math.sin(i) * j);
        final Loop<None, Double> sum3 = Loop.sum((i, j, k) -> Math.sin(i) * j + k);
        final Loop<None, Double> max2 = Loop.max((i, j) -> j * N - i);
        final Loop<None, Double> max3 = Loop.max((i, j, k) -> j * N - i - k);
        final Loop<None, Double> of1 = Loop.sum(i -> i);
        final Loop<None, None> wrong = Loop.each((i, j, k) -> fail(i, j, k));
        final Loop<None, long[]> uneven =
                Loop.reduce(
                        Reduction.ofLongs(Operator.SUM),
                        None.class,
                        (_, part) -> new long[part.range().from()]);
        private final Main main;

        Loops(Main main) {
            this.main = main;
        }

        private void add(int i, int j, int k, int by) {
            counts.addAndGet((i * N + j) * N + k, by);
        }

        private void addLines(Part part) {
            for (Line line : part.lines()) {
                for (int k = line.columns().from(); k < line.columns().to(); k++) {
                    add(line.plane(), line.row(), k, 1);
                }
            }
        }

        private static void fail(int i, int j, int k) {
            if (i == 2 && j == 3 && k == 4) {
                throw new IllegalStateException("here");
            }
        }

        @Override
        public void run(Team team) {
            main.run(team, this);
        }
    }

    private static void run(int threads, Main main) {
        ProgramRunner.run(new Loops(main), new SingleNodeProvider(threads));
    }

    private static void assertCounts(Loops loops, int times2, int times3) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                for (int k = 0; k < N; k++) {
                    boolean in2 = i == 0 && j >= 2 && j < 7 && k >= 1 && k < 10;
                    boolean in3 = i >= 1 && i < 4 && j >= 2 && j < 7 && k >= 3 && k < 5;
                    int expected = in2 ? times2 : in3 ? times3 : 0;
                    assertEquals(expected, loops.counts.get((i * N + j) * N + k));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyIndex_isRunOnceUnderEverySchedule(int threads) {
        run(
                threads,
                (team, loops) -> {
                    for (Schedule schedule : SCHEDULES) {
                        team.forEach(ROWS, schedule, loops.of2, None.NONE);
                        team.forEach(ROWS, schedule, loops.with2, 10);
                        team.forEach(ROWS, schedule, loops.lines, None.NONE);
                        team.forEach(CELLS, schedule, loops.of3, None.NONE);
                        team.forEach(CELLS, schedule, loops.with3, 10);
                        team.forEach(CELLS, schedule, loops.lines, None.NONE);
                    }
                    int times = 12 * SCHEDULES.size();
                    assertCounts(loops, times, times);
                });
    }

    @Test
    void sums_haveTheSameBitsOnAnyThreads() {
        List<List<Double>> sums = new ArrayList<>();
        for (int threads : new int[] {1, 3}) {
            run(
                    threads,
                    (team, loops) ->
                            sums.add(
                                    List.of(
                                            team.reduce(ROWS, loops.sum2),
                                            team.reduce(CELLS, loops.sum3),
                                            team.reduce(ROWS, loops.max2),
                                            team.reduce(CELLS, loops.max3))));
        }

        assertEquals(sums.get(0), sums.get(1));
        assertEquals(9.0 * N - 2, sums.get(0).get(2));
        assertEquals(6.0 * N - 1 - 3, sums.get(0).get(3));
    }

    @Test
    void texts_nameTheIndicesOfEachRange() {
        run(
                2,
                (team, loops) -> {
                    LoopException thrown =
                            assertThrows(
                                    LoopException.class, () -> team.forEach(CELLS, loops.wrong));
                    assertEquals(
                            "loop 'wrong' failed at index (2, 3, 4), on node 0, thread 0:"
                                    + " java.lang.IllegalStateException: here",
                            thrown.getMessage());
                    assertEquals(13, thrown.index());
                    assertEquals(
                            "loop 'of1' is run over 2 to 7 by 1 to 10, and its body takes 1 index",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.reduce(ROWS, loops.of1))
                                    .getMessage());
                    assertEquals(
                            "loop 'of2' is run over 0 to 5, and its body takes 2 indices, one for"
                                    + " each range",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> team.forEach(0, 5, loops.of2))
                                    .getMessage());
                    assertEquals(
                            "loop 'uneven' returns a sum of long[0] for indices (2, 1) up to (4,"
                                    + " 4), and a sum of long[22] for indices (4, 5) up to (6, 9);"
                                    + " the arrays of all parts have the same length. Put arrays"
                                    + " of different lengths into a record",
                            assertThrows(
                                            IllegalStateException.class,
                                            () -> team.reduce(ROWS, loops.uneven))
                                    .getMessage());
                });
    }

    @Test
    void emptyDomain_runsNothing() {
        Domain empty = Domain.of(new Band(0, 5), new Band(3, 3));
        run(
                2,
                (team, loops) -> {
                    team.forEach(empty, loops.of2);
                    assertEquals(0.0, team.reduce(empty, loops.sum2));
                    assertArrayEquals(new long[0], team.reduce(empty, loops.uneven));
                    assertCounts(loops, 0, 0);
                });
    }

    @Test
    void domainThatIsTooLarge_isRefused() {
        Band many = new Band(0, 1 << 16);

        assertEquals(
                "domain 0 to 65536 by 0 to 65536 has more than 2147483647 indices: loop over its"
                        + " first index, and over the others in the body",
                assertThrows(IllegalArgumentException.class, () -> Domain.of(many, many))
                        .getMessage());
        assertEquals(
                "domain of 0 ranges, not 1 to 3",
                assertThrows(IllegalArgumentException.class, () -> new Domain(List.of()))
                        .getMessage());
    }
}
