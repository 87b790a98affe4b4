package io.muninn.apps;

import io.muninn.api.Band;

/**
 * A grid of threads. Tiles of a matrix are distributed cyclically over the grid, so that the load
 * is balanced in every step. Cells of a matrix are distributed in blocks, so that each thread has a
 * nearly square part.
 *
 * @param rows number of rows of the grid
 * @param columns number of columns of the grid, at least the number of rows
 */
public record ThreadGrid(int rows, int columns) {
    /** The grid of {@code positions} threads that is closest to a square. */
    public static ThreadGrid of(int positions) {
        int rows = (int) Math.sqrt(positions);
        while (positions % rows != 0) {
            rows--;
        }
        return new ThreadGrid(rows, positions / rows);
    }

    /** The thread that owns a tile. */
    public int owner(int row, int column) {
        return row % rows * columns + column % columns;
    }

    /** Whether a thread owns tiles of a row. */
    public boolean hasRow(int position, int row) {
        return position / columns == row % rows;
    }

    /** Whether a thread owns tiles of a column. */
    public boolean hasColumn(int position, int column) {
        return position % columns == column % columns;
    }

    /** The rows of a thread, of {@code cells} rows. */
    public Band rowsOf(int position, int cells) {
        return Band.of(cells, position / columns, rows);
    }

    /** The columns of a thread, of {@code cells} columns. */
    public Band columnsOf(int position, int cells) {
        return Band.of(cells, position % columns, columns);
    }
}
