package io.muninn.apps.ocean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.apps.ThreadGrid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OceanGridTest {
    @ParameterizedTest
    @CsvSource({"16, 8", "16, 3", "4, 8", "2, 64", "256, 1"})
    void cells_haveMemoryOfTheirOwnAndPartsAreContiguous(int cells, int positions) {
        ThreadGrid threads = ThreadGrid.of(positions);
        OceanGrid grid =
                OceanGrid.of(OceanSize.Layout.CONTIGUOUS, cells, threads, DoubleMatrix::local);
        for (int i = 0; i < cells * cells; i++) {
            grid.set(i / cells, i % cells, i);
        }

        double[] values = grid.values();
        for (int i = 0; i < cells * cells; i++) {
            assertEquals(i, grid.get(i / cells, i % cells));
            assertEquals(i, values[i]);
        }
        int high = grid.parts().rows() / positions;
        for (int position = 0; position < positions; position++) {
            Band rows = threads.rowsOf(position, cells);
            Band columns = threads.columnsOf(position, cells);
            for (int row = rows.from(); row < rows.to(); row++) {
                for (int column = columns.from(); column < columns.to(); column++) {
                    assertEquals(position, grid.rowOfParts(row, column) / high);
                }
            }
            assertTrue(rows.length() <= high && columns.length() <= grid.parts().columns());
        }
    }

    @Test
    void rows_followEachOtherWithTheirWalls() {
        int cells = 8;
        OceanGrid grid =
                OceanGrid.of(OceanSize.Layout.ROWS, cells, ThreadGrid.of(4), DoubleMatrix::local);
        for (int i = 0; i < cells * cells; i++) {
            grid.set(i / cells, i % cells, i);
        }

        for (int i = 0; i < cells * cells; i++) {
            assertEquals(i, grid.parts().get(i / cells + 1, i % cells + 1));
        }
        assertEquals(cells + 2, grid.parts().columns());
        assertEquals(cells + 2, grid.parts().rows());
    }
}
