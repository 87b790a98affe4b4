package io.muninn.apps.lu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.apps.ThreadGrid;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Factors of small matrices that are known, and what the oracle says of wrong ones. */
class LuTilesTest {
    private static final LuSize SIZE = new LuSize(24, 4, true);
    private static final LuSize SIZE_OF_TWO = new LuSize(2, 2, true);

    @Test
    void factors_ofAMatrixOfThreeRows() {
        double[] a = {2, 1, 1, 4, 3, 3, 8, 7, 9};

        new LuTiles(new LuSize(3, 3, true)).factor(a);

        assertArrayEquals(new double[] {2, 1, 1, 2, 1, 1, 4, 3, 2}, a);
    }

    @Test
    void solutions_timesTheFactorsAreTheTile() {
        double[] diagonal = {2, 1, 3, 4}; // lower 1 0, 3 1; upper 2 1, 0 4
        LuTiles tiles = new LuTiles(new LuSize(2, 2, true));
        double[] lower = {4, 10, 6, 7};
        double[] upper = {5, 6, 17, 20};

        tiles.solveUpper(lower, diagonal);
        tiles.solveLower(upper, diagonal);

        assertArrayEquals(new double[] {2, 2, 3, 1}, lower);
        assertArrayEquals(new double[] {5, 6, 2, 2}, upper);
    }

    @Test
    void product_isSubtracted() {
        double[] tile = {100, 100, 100, 100};

        new LuTiles(SIZE_OF_TWO)
                .multiply(tile, new double[] {1, 2, 3, 4}, new double[] {5, 6, 7, 8});

        assertArrayEquals(new double[] {81, 78, 57, 50}, tile);
    }

    @Test
    void layouts_placeEachElementOnce() {
        for (LuSize size : new LuSize[] {SIZE, new LuSize(24, 4, false)}) {
            int[] count = new int[24 * 24];
            for (int tile = 0; tile < 36; tile++) {
                for (int run = 0; run < size.runs(); run++) {
                    int start = size.start(tile / 6, tile % 6, run);
                    IntStream.range(start, start + size.runLength()).forEach(i -> count[i]++);
                }
            }
            assertTrue(IntStream.of(count).allMatch(times -> times == 1));
        }
        assertEquals(24 * 9 + 8, new LuSize(24, 4, false).start(2, 2, 1));
        assertEquals((2 * 6 + 2) * 16, SIZE.start(2, 2, 0));
    }

    @Test
    void grid_isNearASquare() {
        assertEquals(new ThreadGrid(2, 4), ThreadGrid.of(8));
        assertEquals(new ThreadGrid(3, 3), ThreadGrid.of(9));
        assertEquals(new ThreadGrid(1, 7), ThreadGrid.of(7));
        assertEquals(5, ThreadGrid.of(8).owner(3, 9));
    }

    @Test
    void oracle_refusesOneWrongBitAndFactorsOfAnotherMatrix() {
        double[] factors = LuOracle.plain(SIZE);
        double residual = LuOracle.residual(SIZE, factors);
        assertTrue(LuOracle.verify(SIZE, factors.clone()).right());
        assertTrue(residual > 0 && residual < 1, () -> "residual " + residual);

        double[] other = factors.clone();
        other[100] = Math.nextUp(other[100]);
        assertFalse(LuOracle.verify(SIZE, other).right());
        factors[100] += 1e-9;
        assertTrue(LuOracle.residual(SIZE, factors) > 1);
    }
}
