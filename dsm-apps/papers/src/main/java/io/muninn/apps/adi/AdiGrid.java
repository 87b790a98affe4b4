package io.muninn.apps.adi;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;

/**
 * The grid of ADI at one moment, and the operations of all versions on a row of it: three
 * quantities on a long grid that is {@link #WIDTH} wide. Edges never change.
 *
 * <p>Source: McMahon, "The Livermore Fortran Kernels", UCRL-53745, 1986, kernel 8. Departure: the
 * two time levels change their roles after each step, so that each step goes on from the last.
 *
 * @param first the row of the grid that is row 0 of these matrices
 */
record AdiGrid(DoubleMatrix u1, DoubleMatrix u2, DoubleMatrix u3, int first) {
    static final int WIDTH = 4;

    /** Simple operations for a row. */
    static final long ROW_UNITS = 18L * (WIDTH - 2);

    /** How much the quantities move each other along the grid. */
    private static final double[][] ALONG = {
        {0.020, -0.007, 0.011}, {0.005, 0.017, -0.013}, {-0.009, 0.003, 0.015}
    };

    /** How much each spreads across it. */
    private static final double ACROSS = 0.25;

    private static final long SEED = 22;

    /** In plain memory, with first values. */
    static AdiGrid filled(int rows, int first) {
        AdiGrid grid =
                new AdiGrid(
                        DoubleMatrix.local(rows, WIDTH),
                        DoubleMatrix.local(rows, WIDTH),
                        DoubleMatrix.local(rows, WIDTH),
                        first);
        for (int row = 0; row < rows; row++) {
            grid.fill(row);
        }
        return grid;
    }

    void fill(int row) {
        for (int column = 0; column < WIDTH; column++) {
            u1.set(row, column, Pattern.at(SEED, first + row, column));
            u2.set(row, column, Pattern.at(SEED + 1, first + row, column));
            u3.set(row, column, Pattern.at(SEED + 2, first + row, column));
        }
    }

    /** Computes a row of the next moment. */
    void advance(int row, AdiGrid next) {
        for (int column = 1; column < WIDTH - 1; column++) {
            double d1 = u1.get(row + 1, column) - u1.get(row - 1, column);
            double d2 = u2.get(row + 1, column) - u2.get(row - 1, column);
            double d3 = u3.get(row + 1, column) - u3.get(row - 1, column);
            next.u1.set(row, column, next(u1, row, column, d1, d2, d3, ALONG[0]));
            next.u2.set(row, column, next(u2, row, column, d1, d2, d3, ALONG[1]));
            next.u3.set(row, column, next(u3, row, column, d1, d2, d3, ALONG[2]));
        }
    }

    private static double next(
            DoubleMatrix u, int row, int column, double d1, double d2, double d3, double[] along) {
        double here = u.get(row, column);
        double across = u.get(row, column + 1) - 2 * here + u.get(row, column - 1);
        return here + along[0] * d1 + along[1] * d2 + along[2] * d3 + ACROSS * across;
    }
}
