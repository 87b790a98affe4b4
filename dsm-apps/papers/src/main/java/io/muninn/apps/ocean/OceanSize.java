package io.muninn.apps.ocean;

/**
 * How much OCEAN computes.
 *
 * @param cells in a row and in a column, a power of two, at least 4
 * @param steps of time, 0 or more
 */
record OceanSize(int cells, int steps) {
    /** Cells in a row of the coarsest grid. */
    private static final int COARSEST = 2;

    /** Grids, each with half as many cells in a row as the one before. */
    int levels() {
        return Integer.numberOfTrailingZeros(cells / COARSEST) + 1;
    }

    /** Cells in a row of the grid of a level; level 0 is the finest. */
    int cells(int level) {
        return cells >> level;
    }
}
