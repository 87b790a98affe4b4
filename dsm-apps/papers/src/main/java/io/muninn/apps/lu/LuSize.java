package io.muninn.apps.lu;

import io.muninn.apps.ThreadGrid;

/**
 * How much LU computes, and where the elements lie.
 *
 * @param size rows and columns of the matrix
 * @param tile rows and columns of a tile, a divisor of the size
 * @param layout order of the elements
 */
record LuSize(int size, int tile, Layout layout) {
    /** Which elements follow one another. */
    enum Layout {
        /** Those of a tile; tiles row by row. */
        CONTIGUOUS,
        /** Those of a row of the matrix. */
        ROWS,
        /** Those of a tile; the tiles of a thread together, row by row. */
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

    /** Runs of elements of a tile that follow one another in memory. */
    int runs() {
        return layout == Layout.ROWS ? tile : 1;
    }

    /** Elements of such a run. */
    int runLength() {
        return area() / runs();
    }

    /**
     * Where a run of a tile begins among all elements.
     *
     * @param owners of tiles
     */
    int start(int row, int column, int run, ThreadGrid owners) {
        return switch (layout) {
            case ROWS -> (row * tile + run) * size + column * tile;
            case CONTIGUOUS -> (row * tiles() + column) * area();
            case OWNED -> place(row, column, owners) * area();
        };
    }

    /** Tiles before a tile, if those of each thread are together. */
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

    /** Rows, or columns, of tiles that the first so many of all threads have together. */
    private int dealt(int first, int all) {
        return tiles() / all * first + Math.min(tiles() % all, first);
    }
}
