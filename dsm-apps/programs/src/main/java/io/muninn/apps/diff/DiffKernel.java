package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.Verdict;
import java.util.Locale;

/**
 * The common part of all versions of DIFF: initial values, the two half-sweeps and the oracle. The
 * equal grids of several repetitions are stored one below another.
 */
final class DiffKernel {
    private DiffKernel() {}

    static void fill(DoubleMatrix grid, DiffSize size) {
        for (int row = 0; row < grid.rows(); row++) {
            for (int column = 0; column < grid.columns(); column++) {
                grid.set(row, column, size.heat().at(row % size.rows(), column, size));
            }
        }
    }

    /**
     * First half-sweep: computes new values of rows {@code band} from the old values of neighbours.
     *
     * @param scratch receives the new values; row 0 belongs to the first row of the band
     */
    static void average(DoubleMatrix grid, DoubleMatrix scratch, Band band) {
        for (int row = band.from(); row < band.to(); row++) {
            averageRow(grid, row, scratch, row - band.from());
        }
    }

    private static void averageRow(DoubleMatrix grid, int row, DoubleMatrix scratch, int target) {
        int last = grid.columns() - 1;
        for (int column = 1; column < last; column++) {
            double sum =
                    grid.get(row - 1, column)
                            + grid.get(row + 1, column)
                            + grid.get(row, column - 1)
                            + grid.get(row, column + 1);
            scratch.set(target, column, 0.25 * sum);
        }
    }

    /** Second half-sweep: copies the new values to the grid. */
    static void copyBack(DoubleMatrix scratch, DoubleMatrix grid, Band band) {
        for (int row = band.from(); row < band.to(); row++) {
            copyRow(scratch, row - band.from(), grid, row);
        }
    }

    private static void copyRow(DoubleMatrix scratch, int source, DoubleMatrix grid, int row) {
        int last = grid.columns() - 1;
        for (int column = 1; column < last; column++) {
            grid.set(row, column, scratch.get(source, column));
        }
    }

    /** Compares the grid, bit by bit, with the result of loops over two arrays of arrays. */
    static Verdict verify(DoubleMatrix grid, DiffSize size) {
        double[][] expected = oracle(size);
        for (int row = 0; row < grid.rows(); row++) {
            double[] wanted = expected[row % size.rows()];
            for (int column = 0; column < size.columns(); column++) {
                double actual = grid.get(row, column);
                if (Double.doubleToRawLongBits(actual)
                        != Double.doubleToRawLongBits(wanted[column])) {
                    return Verdict.wrong(
                            "element ("
                                    + row
                                    + ", "
                                    + column
                                    + ") is "
                                    + actual
                                    + ", not "
                                    + wanted[column]);
                }
            }
        }
        return Verdict.right(
                String.format(
                        Locale.ROOT,
                        "grid of %dx%d after %d sweeps equals the sequential one",
                        size.rows(),
                        size.columns(),
                        size.sweeps()));
    }

    private static double[][] oracle(DiffSize size) {
        double[][] old = new double[size.rows()][size.columns()];
        double[][] next = new double[size.rows()][size.columns()];
        for (int row = 0; row < size.rows(); row++) {
            for (int column = 0; column < size.columns(); column++) {
                old[row][column] = size.heat().at(row, column, size);
                next[row][column] = old[row][column];
            }
        }
        for (int sweep = 0; sweep < size.sweeps(); sweep++) {
            for (int row = 1; row < size.rows() - 1; row++) {
                oracleRow(old[row - 1], old[row], old[row + 1], next[row]);
            }
            double[][] swapped = old;
            old = next;
            next = swapped;
        }
        return old;
    }

    private static void oracleRow(double[] above, double[] row, double[] below, double[] next) {
        for (int column = 1; column < row.length - 1; column++) {
            double sum = above[column] + below[column] + row[column - 1] + row[column + 1];
            next[column] = 0.25 * sum;
        }
    }
}
