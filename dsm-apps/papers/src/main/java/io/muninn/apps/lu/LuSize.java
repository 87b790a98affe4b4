package io.muninn.apps.lu;

import io.muninn.apps.ThreadGrid;

/**
 * The size of the matrix of LU, and the layout of its elements.
 *
 * @param size rows and columns of the matrix
 * @param tile rows and columns of a tile, a divisor of the size
 * @param layout order of the elements
 */
record LuSize(int size, int tile, Layout layout) {
    /** The order of elements in memory. */
    enum Layout {
        /** Elements of a tile are contiguous; tiles are stored row by row. */
        CONTIGUOUS,
        /** Elements of a row of the matrix are contiguous. */
        ROWS,
        /** Elements of a tile are contiguous, and so are the tiles of a thread, row by row. */
        OWNED
    }

    /** Tiles in a row or a column. */
    int tiles() {
        return size / tile;
    }

    /** Elements of a tile. */
    int area() {
        return tile * tile;
    }

    /** Number of contiguous runs of elements of a tile. */
    int runs() {
        return layout == Layout.ROWS ? tile : 1;
    }

    /** Elements of such a run. */
    int runLength() {
        return area() / runs();
    }

    /**
     * The index of the first element of a run of a tile.
     *
     * @param owners the threads that own tiles
     */
    int start(int row, int column, int run, ThreadGrid owners) {
        return switch (layout) {
            case ROWS -> (row * tile + run) * size + column * tile;
            case CONTIGUOUS -> (row * tiles() + column) * area();
            case OWNED -> place(row, column, owners) * area();
        };
    }

    /** The number of tiles stored before a tile, in layout {@link Layout#OWNED}. */
    private int place(int row, int column, ThreadGrid owners) {
        int ownerRow = row % owners.rows();
        int ownerColumn = column % owners.columns();
        int high = dealt(ownerRow + 1, owners.rows()) - dealt(ownerRow, owners.rows());
        int wide = dealt(ownerColumn + 1, owners.columns()) - dealt(ownerColumn, owners.columns());
        return dealt(ownerRow, owners.rows()) * tiles()
                + high * dealt(ownerColumn, owners.columns())
                + row / owners.rows() * wide
                + column / owners.columns();
    }

    /**
     * The number of rows or columns of tiles that the first {@code first} of {@code all} grid rows
     * or columns of threads own together.
     */
    private int dealt(int first, int all) {
        return tiles() / all * first + Math.min(tiles() % all, first);
    }
}
