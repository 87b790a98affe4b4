package io.muninn.apps.ocean;

/**
 * How much OCEAN computes, and where its grids are in memory.
 *
 * @param cells in a row and in a column, a power of two, at least 4
 * @param steps of time, 0 or more
 */
record OceanSize(int cells, int steps, Layout layout) {
    /** Cells in a row of the coarsest grid. */
    private static final int COARSEST = 2;

    /** How the cells of a grid follow each other in memory. */
    enum Layout {
        /** The part of each thread is contiguous. */
        CONTIGUOUS,
        /** The rows of the grid, each with its two walls. */
        ROWS
    }

    /** Grids, each with half as many cells in a row as the one before. */
    int levels() {
        return Integer.numberOfTrailingZeros(cells / COARSEST) + 1;
    }

    /** Cells in a row of the grid of a level; level 0 is the finest. */
    int cells(int level) {
        return cells >> level;
    }
}
