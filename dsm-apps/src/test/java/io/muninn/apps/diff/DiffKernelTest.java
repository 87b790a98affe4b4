package io.muninn.apps.diff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import org.junit.jupiter.api.Test;

class DiffKernelTest {
    @Test
    void average_isOfTheFourNeighboursAndLeavesTheGridAlone() {
        DoubleMatrix grid = DoubleMatrix.local(3, 3);
        grid.copyFrom(0, new double[] {0, 1, 0});
        grid.copyFrom(1, new double[] {2, 99, 4});
        grid.copyFrom(2, new double[] {0, 8, 0});
        DoubleMatrix scratch = DoubleMatrix.local(1, 3);

        DiffKernel.average(grid, scratch, new Band(1, 2));

        assertEquals((1 + 8 + 2 + 4) / 4.0, scratch.get(0, 1));
        assertEquals(99, grid.get(1, 1));
        DiffKernel.copyBack(scratch, grid, new Band(1, 2));
        assertEquals(3.75, grid.get(1, 1));
        assertEquals(2, grid.get(1, 0));
    }

    @Test
    void bands_coverTheInnerRowsOnce() {
        DiffSize size = new DiffSize(13, 4, 1, Heat.UNEVEN);
        int next = 1;
        for (int position = 0; position < 5; position++) {
            assertEquals(next, size.band(position, 5).from());
            next = size.band(position, 5).to();
        }
        assertEquals(12, next);
        assertTrue(new DiffSize(1, 4, 1, Heat.UNEVEN).band(0, 1).isEmpty());
    }

    @Test
    void oneElementOffByOneBit_isFoundAndNamed() {
        DiffSize size = new DiffSize(9, 8, 0, Heat.UNEVEN);
        DoubleMatrix grid = size.localGrids(1);
        DiffKernel.fill(grid, size);
        assertTrue(DiffKernel.verify(grid, size).right());

        grid.set(3, 5, Math.nextUp(grid.get(3, 5)));

        assertFalse(DiffKernel.verify(grid, size).right());
        assertTrue(DiffKernel.verify(grid, size).detail().startsWith("element (3, 5) is "));
    }

    @Test
    void everySweep_changesEveryInnerElement() {
        DiffSize size = new DiffSize(9, 8, 1, Heat.UNEVEN);
        DoubleMatrix grid = size.localGrids(1);
        DiffKernel.fill(grid, size);
        DoubleMatrix first = size.localGrids(1);
        DiffKernel.fill(first, size);
        Band all = size.band(0, 1);
        DoubleMatrix scratch = size.scratch(all);

        DiffKernel.average(grid, scratch, all);
        DiffKernel.copyBack(scratch, grid, all);

        for (int row = 1; row < 8; row++) {
            for (int column = 1; column < 7; column++) {
                assertTrue(grid.get(row, column) != first.get(row, column));
            }
        }
        assertTrue(DiffKernel.verify(grid, size).right());
        assertFalse(DiffKernel.verify(first, size).right());
    }

    @Test
    void coldGrid_changesOnlyWhereHeatHasCome() {
        DiffSize size = new DiffSize(9, 9, 2, Heat.EDGES);
        DoubleMatrix grid = size.localGrids(1);
        DiffKernel.fill(grid, size);
        DoubleMatrix scratch = size.scratch(size.band(0, 1));

        for (int sweep = 0; sweep < 2; sweep++) {
            DiffKernel.average(grid, scratch, size.band(0, 1));
            DiffKernel.copyBack(scratch, grid, size.band(0, 1));
        }

        assertEquals(0, grid.get(4, 4));
        assertTrue(grid.get(2, 4) > 0);
        assertTrue(DiffKernel.verify(grid, size).right());
    }

    @Test
    void heatFromTheLeft_comesToAllRowsAlike() {
        DiffSize size = new DiffSize(9, 9, 2, Heat.LEFT);
        DoubleMatrix grid = size.localGrids(1);
        DiffKernel.fill(grid, size);
        DoubleMatrix scratch = size.scratch(size.band(0, 1));

        for (int sweep = 0; sweep < 2; sweep++) {
            DiffKernel.average(grid, scratch, size.band(0, 1));
            DiffKernel.copyBack(scratch, grid, size.band(0, 1));
        }

        for (int row = 2; row < 7; row++) {
            assertEquals(grid.get(4, 2), grid.get(row, 2));
            assertTrue(grid.get(row, 2) > 0);
            assertEquals(0, grid.get(row, 3));
        }
        assertTrue(DiffKernel.verify(grid, size).right());
    }
}
