package io.muninn.apps.cg;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;
import java.util.Locale;

/**
 * Verifies the solutions. They must have the bits that one thread computes from the same bands, and
 * they must solve the systems. The residual is computed from the pairs of {@link CgMatrix}
 * directly, without code that computes the solution.
 */
final class CgVerification {
    /**
     * Largest residual due to rounding after any number of iterations, relative to the right-hand
     * side.
     */
    private static final double ROUNDING = 1e-12;

    private CgVerification() {}

    /**
     * @param solutions solutions of all systems, concatenated
     */
    static Verdict verify(DsmNode root, CgSize size, DoubleArray solutions) {
        SparseRows matrix = SparseRows.whole(size);
        DoubleArray expected = size.localSolutions();
        double[] diagonal = CgMatrix.diagonal(size);
        double tolerance = tolerance(size, diagonal);
        double worst = 0;
        for (int turn = 0; turn < size.repeat(); turn++) {
            CgSequential.solve(root, size, matrix, turn, expected);
            worst = Math.max(worst, residual(size, diagonal, turn, solutions));
        }
        for (int i = 0; i < expected.length(); i++) {
            if (Double.doubleToRawLongBits(solutions.get(i))
                    != Double.doubleToRawLongBits(expected.get(i))) {
                return Verdict.wrong(
                        String.format(
                                Locale.ROOT,
                                "unknown %d of system %d is %s, not %s",
                                i % size.unknowns(),
                                i / size.unknowns(),
                                solutions.get(i),
                                expected.get(i)));
            }
        }
        String text =
                String.format(
                        Locale.ROOT,
                        "solution of %d equations has bits %016x, as the sequential one, and a"
                                + " residual of %.1e, %s %.1e",
                        size.unknowns(),
                        bits(expected),
                        worst,
                        worst <= tolerance ? "at most" : "not at most",
                        tolerance);
        return worst <= tolerance ? Verdict.right(text) : Verdict.wrong(text);
    }

    /** A hash of the bits of the elements. */
    private static long bits(DoubleArray elements) {
        long bits = 0;
        for (int i = 0; i < elements.length(); i++) {
            bits = Pattern.mix(bits ^ Double.doubleToRawLongBits(elements.get(i)));
        }
        return bits;
    }

    /**
     * Largest residual, relative to the right-hand side, after the iterations of {@code size}:
     * {@code 2 √c ((√c - 1) / (√c + 1))^iterations}, where {@code c} bounds the condition number.
     * The largest eigenvalue is at most the largest sum of absolute values of a row, and the
     * smallest one is at least 1.
     *
     * <p>Source: Saad, "Iterative Methods for Sparse Linear Systems", section 6.11.
     */
    static double tolerance(CgSize size, double[] diagonal) {
        double largest = 1;
        for (double element : diagonal) {
            largest = Math.max(largest, 2 * element - 1);
        }
        double root = Math.sqrt(largest);
        double left = 2 * root * Math.pow((root - 1) / (root + 1), size.iterations());
        return left + ROUNDING;
    }

    /** The Euclidean length of {@code b - Ax}, divided by the length of {@code b}. */
    static double residual(CgSize size, double[] diagonal, int turn, DoubleArray solutions) {
        int first = turn * size.unknowns();
        double[] rest = new double[size.unknowns()];
        double rightSquare = 0;
        for (int row = 0; row < rest.length; row++) {
            double right = CgMatrix.right(turn, row);
            rightSquare += right * right;
            rest[row] = right - diagonal[row] * solutions.get(first + row);
        }
        for (long pair = 0; pair < size.pairs(); pair++) {
            int row = CgMatrix.row(size, pair);
            int column = CgMatrix.column(size, pair);
            double value = CgMatrix.value(size, pair);
            rest[row] -= value * solutions.get(first + column);
            rest[column] -= value * solutions.get(first + row);
        }
        double square = 0;
        for (double element : rest) {
            square += element * element;
        }
        return Math.sqrt(square / rightSquare);
    }
}
