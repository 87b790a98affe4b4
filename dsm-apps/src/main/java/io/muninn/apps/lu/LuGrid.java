package io.muninn.apps.lu;

/**
 * Who has which tiles: threads form a grid, which is laid over the tiles again and again. So each
 * has about as many to do in every step.
 *
 * @param rows of the grid
 * @param columns of the grid, at least as many
 */
record LuGrid(int rows, int columns) {
    /** The grid nearest to a square. */
    static LuGrid of(int positions) {
        int rows = (int) Math.sqrt(positions);
        while (positions % rows != 0) {
            rows--;
        }
        return new LuGrid(rows, positions / rows);
    }

    int owner(int row, int column) {
        return row % rows * columns + column % columns;
    }

    /** True if the tiles of a row are a thread's, in some columns. */
    boolean hasRow(int position, int row) {
        return position / columns == row % rows;
    }

    /** True if the tiles of a column are a thread's, in some rows. */
    boolean hasColumn(int position, int column) {
        return position % columns == column % columns;
    }
}
