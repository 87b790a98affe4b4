package io.muninn.apps.lu;

/**
 * How much LU computes, and where the elements lie.
 *
 * @param size rows and columns of the matrix
 * @param tile rows and columns of a tile, a divisor of the size
 * @param isContiguous whether the elements of a tile follow one another, or those of a row of the
 *     matrix
 */
record LuSize(int size, int tile, boolean isContiguous) {
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
        return isContiguous ? 1 : tile;
    }

    /** Elements of such a run. */
    int runLength() {
        return area() / runs();
    }

    /** Where a run of a tile begins among all elements. */
    int start(int row, int column, int run) {
        return isContiguous
                ? (row * tiles() + column) * area()
                : (row * tile + run) * size + column * tile;
    }
}
