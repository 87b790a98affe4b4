package io.muninn.apps;

import io.muninn.api.Band;

/**
 * Threads as a grid. Over the tiles of a matrix it is laid again and again, so that each thread has
 * about as many to do in every step; over the cells of a matrix it is laid once, so that each has a
 * part that is nearly square.
 *
 * @param rows of the grid
 * @param columns of the grid, at least as many
 */
public record ThreadGrid(int rows, int columns) {
    /** The grid nearest to a square. */
    public static ThreadGrid of(int positions) {
        int rows = (int) Math.sqrt(positions);
        while (positions % rows != 0) {
            rows--;
        }
        return new ThreadGrid(rows, positions / rows);
    }

    /** The thread that has a tile. */
    public int owner(int row, int column) {
        return row % rows * columns + column % columns;
    }

    /** True if the tiles of a row are a thread's, in some columns. */
    public boolean hasRow(int position, int row) {
        return position / columns == row % rows;
    }

    /** True if the tiles of a column are a thread's, in some rows. */
    public boolean hasColumn(int position, int column) {
        return position % columns == column % columns;
    }

    /** The rows of a thread, of so many rows of cells. */
    public Band rowsOf(int position, int cells) {
        return Band.of(cells, position / columns, rows);
    }

    /** The columns of a thread, of so many columns of cells. */
    public Band columnsOf(int position, int cells) {
        return Band.of(cells, position % columns, columns);
    }
}
