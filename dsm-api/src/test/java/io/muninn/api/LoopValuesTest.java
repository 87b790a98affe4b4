package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.single.SingleNodeProvider;
import io.muninn.api.spi.ProgramRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums, minima and maxima of the values that a body returns, and their indices. */
class LoopValuesTest {
    private static final int N = 1000;
    private static final long BIG = (1L << 60) + 1; // not representable as a double

    /** Its results are those of the sequential program. */
    private static final class Values implements LoopProgram {
        final double[] nans = {3, -0.0, 0.0, Double.NaN, Double.NaN, -7};
        final Loop<None, Double> min = Loop.min(i -> Math.abs(i - 321.5));
        final Loop<None, Double> min2 = Loop.min((i, j) -> i * 10 - j);
        final Loop<None, Double> min3 = Loop.min((i, j, k) -> i * 10 - j + k);
        final Loop<Double, Double> sumWith = Loop.sum(Double.class, (by, i) -> by * i);
        final Loop<Double, Double> minWith = Loop.min(Double.class, (of, i) -> Math.abs(i - of));
        final Loop<Double, Double> maxWith = Loop.max(Double.class, (of, i) -> -Math.abs(i - of));
        final Loop<None, Long> longSum = Loop.longSum(i -> BIG * i);
        final Loop<None, Long> longMin = Loop.longMin(i -> BIG - i % 10);
        final Loop<None, Long> longMax = Loop.longMax(i -> BIG + i % 10);
        final Loop<Long, Long> longSumWith = Loop.longSum(Long.class, (by, i) -> by * i);
        final Loop<Long, Long> longMinWith = Loop.longMin(Long.class, (by, i) -> by - i % 10);
        final Loop<Long, Long> longMaxWith = Loop.longMax(Long.class, (by, i) -> by + i % 10);
        final Loop<None, DoubleAt> argMin = Loop.argMin(i -> Math.abs(i - 321.5));
        final Loop<None, DoubleAt> argMax = Loop.argMax(i -> i % 250);
        final Loop<Double, DoubleAt> argMinWith =
                Loop.argMin(Double.class, (of, i) -> Math.abs(i - of));
        final Loop<Double, DoubleAt> argMaxWith =
                Loop.argMax(Double.class, (of, i) -> -Math.abs(i - of));
        final Loop<None, LongAt> longArgMin = Loop.longArgMin(i -> BIG - i % 100);
        final Loop<None, LongAt> longArgMax = Loop.longArgMax(i -> BIG + i % 100);
        final Loop<Long, LongAt> longArgMinWith =
                Loop.longArgMin(Long.class, (by, i) -> by - i % 100);
        final Loop<Long, LongAt> longArgMaxWith =
                Loop.longArgMax(Long.class, (by, i) -> by + i % 100);
        final Loop<None, DoubleAt> leastOfNans = Loop.argMin(i -> nans[i]);
        final Loop<None, DoubleAt> largestOfNans = Loop.argMax(i -> nans[i]);
        final Loop<None, DoubleAt> leastAndThrows = Loop.argMin(i -> 1 / (i - 700) + i);

        @Override
        public void run(Team team) {
            Band rows = new Band(1, 4);
            assertEquals(0.5, team.reduce(0, N, min));
            assertEquals(10.0 - 3, team.reduce(Domain.of(rows, rows), min2));
            assertEquals(10.0 - 3 + 1, team.reduce(Domain.of(rows, rows, rows), min3));
            assertEquals(0.5 * N * (N - 1) / 2, team.reduce(0, N, sumWith, 0.5));
            assertEquals(0.25, team.reduce(0, N, minWith, 77.25));
            assertEquals(-0.25, team.reduce(0, N, maxWith, 77.25));
            assertEquals(BIG * 28, team.reduce(0, 8, longSum)); // wraps around
            assertEquals(BIG - 9, team.reduce(0, N, longMin));
            assertEquals(BIG + 9, team.reduce(0, N, longMax));
            assertEquals(3L * N * (N - 1) / 2, team.reduce(0, N, longSumWith, 3L));
            assertEquals(BIG - 9, team.reduce(0, N, longMinWith, BIG));
            assertEquals(BIG + 9, team.reduce(0, N, longMaxWith, BIG));
            assertEquals(new DoubleAt(0.5, 321), team.reduce(0, N, argMin));
            assertEquals(new DoubleAt(249, 249), team.reduce(0, N, argMax));
            assertEquals(new DoubleAt(249, 499), team.reduce(250, N, argMax));
            assertEquals(new DoubleAt(0.25, 77), team.reduce(0, N, argMinWith, 77.25));
            assertEquals(new DoubleAt(-0.25, 77), team.reduce(0, N, argMaxWith, 77.25));
            assertEquals(new LongAt(BIG - 99, 99), team.reduce(0, N, longArgMin));
            assertEquals(new LongAt(BIG + 99, 199), team.reduce(100, N, longArgMax));
            assertEquals(new LongAt(BIG - 99, 99), team.reduce(0, N, longArgMinWith, BIG));
            assertEquals(new LongAt(BIG + 99, 99), team.reduce(0, N, longArgMaxWith, BIG));
            ofFewIndices(team);
        }

        private void ofFewIndices(Team team) {
            assertEquals(new DoubleAt(-0.0, 1), team.reduce(0, 3, leastOfNans));
            assertEquals(new DoubleAt(3, 0), team.reduce(0, 3, largestOfNans));
            assertEquals(new DoubleAt(Double.NaN, 3), team.reduce(0, 6, leastOfNans));
            assertEquals(new DoubleAt(Double.NaN, 3), team.reduce(0, 6, largestOfNans));
            assertEquals(Double.POSITIVE_INFINITY, team.reduce(5, 5, min));
            assertEquals(0L, team.reduce(5, 5, longSum));
            assertEquals(Long.MAX_VALUE, team.reduce(5, 5, longMin));
            assertEquals(Long.MIN_VALUE, team.reduce(5, 5, longMax));
            assertEquals(
                    "loop 'argMin' has no result for an empty range, 5 to 5:"
                            + " java.util.NoSuchElementException: there is no index",
                    assertThrows(IllegalArgumentException.class, () -> team.reduce(5, 5, argMin))
                            .getMessage());
            assertTrue(
                    assertThrows(LoopException.class, () -> team.reduce(0, N, leastAndThrows))
                            .getMessage()
                            .startsWith("loop 'leastAndThrows' failed at index 700"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void results_areThoseOfTheSequentialLoop(int threads) {
        ProgramRunner.run(new Values(), new SingleNodeProvider(threads));
    }
}
