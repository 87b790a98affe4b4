package io.muninn.apps.mult;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;

/**
 * The common part of all versions of MULT: inputs, inner loop and oracle. The matrices of several
 * repetitions, which are square and equal, are stored one below another.
 */
final class MultKernel {
    private static final long LEFT_SEED = 1;
    private static final long RIGHT_SEED = 2;

    private MultKernel() {}

    static void fill(DoubleMatrix left, DoubleMatrix right) {
        int size = left.columns();
        for (int row = 0; row < left.rows(); row++) {
            for (int column = 0; column < size; column++) {
                left.set(row, column, Pattern.at(LEFT_SEED, row % size, column));
                right.set(row, column, Pattern.at(RIGHT_SEED, row % size, column));
            }
        }
    }

    /**
     * Computes one row of the product. Multiples of the rows of {@code right} are added in order,
     * so every element is the same sum, in the same order, as its dot product.
     *
     * @param first the row of {@code right} in which its matrix begins
     * @param row the row of {@code left} and {@code product}
     * @param sums scratch memory with the length of a row; overwritten
     */
    static void multiplyRow(
            DoubleMatrix left,
            DoubleMatrix right,
            int first,
            DoubleMatrix product,
            int row,
            double[] sums) {
        int size = right.columns();
        for (int column = 0; column < size; column++) {
            sums[column] = 0;
        }
        for (int k = 0; k < size; k++) {
            addScaled(left.get(row, k), right, first + k, sums);
        }
        for (int column = 0; column < size; column++) {
            product.set(row, column, sums[column]);
        }
    }

    /** The inner loop, a separate method so that it is compiled before the program ends. */
    private static void addScaled(double factor, DoubleMatrix right, int row, double[] sums) {
        int columns = right.columns();
        for (int column = 0; column < columns; column++) {
            sums[column] += factor * right.get(row, column);
        }
    }

    /** Compares the product, bit by bit, with a triple loop over arrays. */
    static Verdict verify(DoubleMatrix product) {
        int size = product.columns();
        double[] transposed = new double[size * size];
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                transposed[column * size + row] = Pattern.at(RIGHT_SEED, row, column);
            }
        }
        double[] left = new double[size];
        for (int row = 0; row < size; row++) {
            for (int k = 0; k < size; k++) {
                left[k] = Pattern.at(LEFT_SEED, row, k);
            }
            for (int column = 0; column < size; column++) {
                double expected = dot(left, transposed, column * size);
                for (int same = row; same < product.rows(); same += size) {
                    double actual = product.get(same, column);
                    if (isOther(expected, actual)) {
                        return Verdict.wrong(
                                "element ("
                                        + same
                                        + ", "
                                        + column
                                        + ") is "
                                        + actual
                                        + ", not "
                                        + expected);
                    }
                }
            }
        }
        return Verdict.right("product of " + size + "x" + size + " equals the sequential one");
    }

    private static boolean isOther(double expected, double actual) {
        return Double.doubleToRawLongBits(expected) != Double.doubleToRawLongBits(actual);
    }

    private static double dot(double[] row, double[] transposed, int from) {
        double sum = 0;
        for (int k = 0; k < row.length; k++) {
            sum += row[k] * transposed[from + k];
        }
        return sum;
    }
}
