package io.muninn.apps.lu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.apps.ThreadGrid;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Factors of small matrices that are known, and what the oracle says of wrong ones. */
class LuTilesTest {
    private static final LuSize SIZE = new LuSize(24, 4, LuSize.Layout.CONTIGUOUS);
    private static final LuSize SIZE_OF_TWO = new LuSize(2, 2, LuSize.Layout.CONTIGUOUS);

    @Test
    void factors_ofAMatrixOfThreeRows() {
        double[] a = {2, 1, 1, 4, 3, 3, 8, 7, 9};

        new LuTiles(new LuSize(3, 3, LuSize.Layout.CONTIGUOUS)).factor(a);

        assertArrayEquals(new double[] {2, 1, 1, 2, 1, 1, 4, 3, 2}, a);
    }

    @Test
    void solutions_timesTheFactorsAreTheTile() {
        double[] diagonal = {2, 1, 3, 4}; // lower 1 0, 3 1; upper 2 1, 0 4
        LuTiles tiles = new LuTiles(new LuSize(2, 2, LuSize.Layout.CONTIGUOUS));
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

    @ParameterizedTest
    @EnumSource
    void layouts_placeEachElementOnce(LuSize.Layout layout) {
        LuSize size = new LuSize(24, 4, layout);
        for (ThreadGrid grid : List.of(new ThreadGrid(1, 1), new ThreadGrid(4, 4))) {
            int[] count = new int[24 * 24];
            for (int tile = 0; tile < 36; tile++) {
                for (int run = 0; run < size.runs(); run++) {
                    int start = size.start(tile / 6, tile % 6, run, grid);
                    IntStream.range(start, start + size.runLength()).forEach(i -> count[i]++);
                }
            }
            assertTrue(IntStream.of(count).allMatch(times -> times == 1), layout + " " + grid);
        }
    }

    @Test
    void layouts_placeTilesByRowOrByOwner() {
        ThreadGrid grid = new ThreadGrid(4, 4);
        LuSize owned = new LuSize(24, 4, LuSize.Layout.OWNED);

        assertEquals(24 * 9 + 8, new LuSize(24, 4, LuSize.Layout.ROWS).start(2, 2, 1, grid));
        assertEquals((2 * 6 + 2) * 16, SIZE.start(2, 2, 0, grid));
        // thread 0 has the tiles 0,0 and 0,4 and 4,0 and 4,4, thread 1 those beside them
        assertEquals(3 * 16, owned.start(4, 4, 0, grid));
        assertEquals(4 * 16, owned.start(0, 1, 0, grid));
        assertEquals(35 * 16, owned.start(3, 3, 0, grid));
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
