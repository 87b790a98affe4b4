package io.muninn.apps.jacobi;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;

/**
 * The grid of JACOBI, and the operations of all versions on a row of it. Edges never change.
 *
 * @param now values
 * @param next values
 * @param first the row of the grid that is row 0 of these matrices
 */
record JacobiGrid(DoubleMatrix now, DoubleMatrix next, int first) {
    /** A largest change that ends the iteration. */
    static final double CONVERGED = 1e-10;

    private static final long SEED = 20;

    /** In plain memory. */
    static JacobiGrid local(int rows, int columns, int first) {
        DoubleMatrix now = DoubleMatrix.local(rows, columns);
        return new JacobiGrid(now, DoubleMatrix.local(rows, columns), first);
    }

    /** In plain memory, with first values. */
    static JacobiGrid filled(int rows, int columns, int first) {
        JacobiGrid grid = local(rows, columns, first);
        for (int row = 0; row < rows; row++) {
            grid.fill(row);
        }
        return grid;
    }

    void fill(int row) {
        for (int column = 0; column < now.columns(); column++) {
            now.set(row, column, Pattern.at(SEED, first + row, column));
        }
    }

    /** Averages the four neighbours of each element. */
    void relax(int row) {
        int last = now.columns() - 1;
        for (int column = 1; column < last; column++) {
            double sum =
                    now.get(row - 1, column)
                            + now.get(row + 1, column)
                            + now.get(row, column - 1)
                            + now.get(row, column + 1);
            next.set(row, column, 0.25 * sum);
        }
    }

    /** Takes the new values; returns the largest change. */
    double accept(int row) {
        int last = now.columns() - 1;
        double change = 0;
        for (int column = 1; column < last; column++) {
            double value = next.get(row, column);
            change = Math.max(change, Math.abs(value - now.get(row, column)));
            now.set(row, column, value);
        }
        return change;
    }

    /** Simple operations to relax a row, and to accept one. */
    static long relaxUnits(int columns) {
        return 4L * columns;
    }

    static long acceptUnits(int columns) {
        return 2L * columns;
    }
}
