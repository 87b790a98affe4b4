package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.apps.ThreadGrid;

/**
 * A square grid of cells, in one of two layouts.
 *
 * <p><b>Contiguous.</b> The part of each thread is contiguous in memory, row by row, and that of
 * the next thread follows it. So a page of a fine grid has one writer; parts of a coarse grid share
 * pages.
 *
 * <p><b>Rows.</b> A matrix, with a row or column for each wall, which nobody uses. A page has the
 * cells of all threads beside each other.
 *
 * <p>Source: Woo et al., "The SPLASH-2 programs", ISCA 1995, section 3 (subgrids that are allocated
 * contiguously).
 */
final class OceanGrid {
    private final DoubleMatrix parts;

    /** By row of the grid: its row of the matrix, in the first part that has it. */
    private final int[] rows;

    /** By column: rows of parts before the one that has it, of those that have the same rows. */
    private final int[] rowsBefore;

    /** By column: its column of the matrix. */
    private final int[] columns;

    /** Makes a matrix of zeros. */
    interface Matrices {
        DoubleMatrix of(int rows, int columns);
    }

    private OceanGrid(int cells, DoubleMatrix parts) {
        this.parts = parts;
        rows = new int[cells];
        rowsBefore = new int[cells];
        columns = new int[cells];
    }

    /**
     * A grid for threads that divide it.
     *
     * @param cells in a row, and in a column
     */
    static OceanGrid of(OceanSize.Layout layout, int cells, ThreadGrid threads, Matrices matrices) {
        return switch (layout) {
            case CONTIGUOUS -> contiguous(cells, threads, matrices);
            case ROWS -> inRows(cells, matrices);
        };
    }

    private static OceanGrid inRows(int cells, Matrices matrices) {
        OceanGrid grid = new OceanGrid(cells, matrices.of(cells + 2, cells + 2));
        for (int i = 0; i < cells; i++) {
            grid.rows[i] = i + 1;
            grid.columns[i] = i + 1;
        }
        return grid;
    }

    private static OceanGrid contiguous(int cells, ThreadGrid threads, Matrices matrices) {
        int high = Math.ceilDiv(cells, threads.rows());
        int wide = Math.ceilDiv(cells, threads.columns());
        int positions = threads.rows() * threads.columns();
        OceanGrid grid = new OceanGrid(cells, matrices.of(positions * high, wide));
        for (int i = 0; i < threads.rows(); i++) {
            Band band = Band.of(cells, i, threads.rows());
            for (int row = band.from(); row < band.to(); row++) {
                grid.rows[row] = i * threads.columns() * high + row - band.from();
            }
        }
        for (int j = 0; j < threads.columns(); j++) {
            Band band = Band.of(cells, j, threads.columns());
            for (int column = band.from(); column < band.to(); column++) {
                grid.rowsBefore[column] = j * high;
                grid.columns[column] = column - band.from();
            }
        }
        return grid;
    }

    /** A grid of one part, on the heap. */
    static OceanGrid local(int cells) {
        return contiguous(cells, new ThreadGrid(1, 1), DoubleMatrix::local);
    }

    /** How many there are in a row, and in a column. */
    int cells() {
        return rows.length;
    }

    double get(int row, int column) {
        return parts.get(rowOfParts(row, column), columns[column]);
    }

    void set(int row, int column, double value) {
        parts.set(rowOfParts(row, column), columns[column], value);
    }

    /** The memory of all cells. */
    DoubleMatrix parts() {
        return parts;
    }

    /** The row of {@link #parts} that has a cell. */
    int rowOfParts(int row, int column) {
        return rows[row] + rowsBefore[column];
    }

    /** The column of {@link #parts} that has a cell. */
    int columnOfParts(int column) {
        return columns[column];
    }

    /** All cells, row by row, on the heap. */
    double[] values() {
        double[] all = new double[cells() * cells()];
        for (int i = 0; i < all.length; i++) {
            all[i] = get(i / cells(), i % cells());
        }
        return all;
    }
}
