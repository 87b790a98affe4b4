package io.muninn.apps;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Verdict;
import java.util.Arrays;
import java.util.Locale;

/** Compares results of a program with results of its sequential version bit by bit. */
public final class SameBits {
    private SameBits() {}

    /** Copies all elements of matrices to one array, matrix by matrix and row by row. */
    public static double[] of(DoubleMatrix... matrices) {
        int length = 0;
        for (DoubleMatrix matrix : matrices) {
            length += matrix.rows() * matrix.columns();
        }
        double[] all = new double[length];
        int next = 0;
        for (DoubleMatrix matrix : matrices) {
            double[] row = new double[matrix.columns()];
            for (int i = 0; i < matrix.rows(); i++) {
                matrix.copyTo(i, row);
                System.arraycopy(row, 0, all, next, row.length);
                next += row.length;
            }
        }
        return all;
    }

    /** Concatenates elements and other results. */
    public static double[] append(double[] elements, double... others) {
        double[] all = Arrays.copyOf(elements, elements.length + others.length);
        System.arraycopy(others, 0, all, elements.length, others.length);
        return all;
    }

    /**
     * @param what description of the results, the subject of a sentence
     * @return right if all are equal, with a hash of their bits. All NaNs are equal
     */
    public static Verdict verdict(String what, double[] actual, double[] expected) {
        if (actual.length != expected.length) {
            return Verdict.wrong(
                    String.format(
                            Locale.ROOT,
                            "%s has %d elements, not %d",
                            what,
                            actual.length,
                            expected.length));
        }
        long bits = 0;
        for (int i = 0; i < expected.length; i++) {
            long wanted = Double.doubleToLongBits(expected[i]);
            if (Double.doubleToLongBits(actual[i]) != wanted) {
                return Verdict.wrong(
                        String.format(
                                Locale.ROOT,
                                "%s: element %d is %s, not %s",
                                what,
                                i,
                                actual[i],
                                expected[i]));
            }
            bits = Pattern.mix(bits ^ wanted);
        }
        return Verdict.right(
                String.format(Locale.ROOT, "%s has bits %016x, as the sequential one", what, bits));
    }
}
