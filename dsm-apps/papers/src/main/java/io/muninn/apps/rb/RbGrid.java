package io.muninn.apps.rb;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;

/**
 * The grid of RB, and the operations of all versions on a row of it. Elements whose row and column
 * have an even sum are red, the others black, as on a chessboard. Edges never change.
 *
 * @param values values of the grid
 * @param first the row of the grid that is row 0 of this matrix
 */
record RbGrid(DoubleMatrix values, int first) {
    static final int RED = 0;
    static final int BLACK = 1;

    /** Over-relaxation factor; with 1 an element becomes the average of its neighbours. */
    private static final double RELAXATION = 1.5;

    private static final long SEED = 21;

    /** A grid in local memory, with initial values. */
    static RbGrid filled(int rows, int columns, int first) {
        RbGrid grid = new RbGrid(DoubleMatrix.local(rows, columns), first);
        for (int row = 0; row < rows; row++) {
            grid.fill(row);
        }
        return grid;
    }

    void fill(int row) {
        for (int column = 0; column < values.columns(); column++) {
            values.set(row, column, Pattern.at(SEED, first + row, column));
        }
    }

    /** Relaxes the elements of a colour in a row. Their neighbours have the other colour. */
    void relax(int row, int colour) {
        int last = values.columns() - 1;
        int start = 1 + Math.floorMod(first + row + colour + 1, 2);
        for (int column = start; column < last; column += 2) {
            double sum =
                    values.get(row - 1, column)
                            + values.get(row + 1, column)
                            + values.get(row, column - 1)
                            + values.get(row, column + 1);
            double old = values.get(row, column);
            values.set(row, column, old + RELAXATION * (0.25 * sum - old));
        }
    }

    /** Simple operations for one colour of a row. */
    static long relaxUnits(int columns) {
        return 3L * columns;
    }
}
