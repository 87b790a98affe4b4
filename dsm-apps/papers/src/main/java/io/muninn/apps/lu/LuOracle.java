package io.muninn.apps.lu;

import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;
import java.util.Locale;

/**
 * Verifies the factors. They must be bit-identical to the result of elimination without tiles, and
 * their product must be the matrix, except for rounding. Matrices are arrays, row by row.
 */
final class LuOracle {
    private LuOracle() {}

    static Verdict verify(LuSize size, double[] factors) {
        Verdict bits =
                SameBits.verdict("factorization of " + size.size() + " rows", factors, plain(size));
        if (!bits.right()) {
            return bits;
        }
        double part = residual(size, factors);
        return part <= 1
                ? Verdict.right(text(bits.detail(), "", part))
                : Verdict.wrong(text(bits.detail(), "not ", part));
    }

    private static String text(String bits, String not, double part) {
        return String.format(
                Locale.ROOT, "%s; |A - LU| is %swithin the bound, %.4f of it", bits, not, part);
    }

    /** The matrix before it is factored. */
    static double[] matrix(LuSize size) {
        int n = size.size();
        double[] matrix = new double[n * n];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = LuTiles.element(size, i / n, i % n);
        }
        return matrix;
    }

    /** The factors by elimination without tiles. */
    static double[] plain(LuSize size) {
        int n = size.size();
        double[] a = matrix(size);
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) {
                double factor = a[i * n + k] / a[k * n + k];
                a[i * n + k] = factor;
                for (int j = k + 1; j < n; j++) {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
        return a;
    }

    /**
     * The largest error of an element of LU, relative to its bound: {@code n u / (1 - n u)} times
     * the element of |L||U|, where {@code u} is 2<sup>-53</sup>. The bound is doubled, because
     * rounding in this method may add as much again.
     *
     * <p>Source: Higham, "Accuracy and Stability of Numerical Algorithms", theorem 9.3.
     */
    static double residual(LuSize size, double[] factors) {
        int n = size.size();
        double[] matrix = matrix(size);
        double unit = n * 0x1p-53;
        double bound = 2 * unit / (1 - unit);
        double worst = 0;
        for (int i = 0; i < n; i++) {
            double[] products = new double[n];
            double[] sizes = new double[n];
            for (int k = 0; k <= i; k++) {
                double lower = k == i ? 1 : factors[i * n + k];
                for (int j = k; j < n; j++) {
                    double product = lower * factors[k * n + j];
                    products[j] += product;
                    sizes[j] += Math.abs(product);
                }
            }
            for (int j = 0; j < n; j++) {
                double error = Math.abs(matrix[i * n + j] - products[j]);
                worst = Math.max(worst, error / (bound * sizes[j]));
            }
        }
        return worst;
    }
}
