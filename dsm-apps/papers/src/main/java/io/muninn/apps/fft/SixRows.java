package io.muninn.apps.fft;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;

/**
 * The operations of all versions of the six-step FFT on rows of points, and the roots of unity. The
 * points are a square matrix, row by row. Its columns are transformed, multiplied with roots of
 * unity, and its rows are transformed; three transposes turn columns into rows and bring the result
 * into natural order:
 *
 * <ol>
 *   <li>transpose; transform each row; multiply element <em>c</em> of row <em>r</em> with the root
 *       of order <em>n</em> and index <em>r c</em>
 *   <li>transpose; transform each row
 *   <li>transpose
 * </ol>
 *
 * <p>Arrays of complex numbers alternate real and imaginary parts.
 *
 * <p><b>Threads.</b> The threads of a node share one instance, so that there is one table of roots
 * per node (Mowry §4.2).
 *
 * <p>Source: Bailey, "FFTs in external or hierarchical memory", Journal of Supercomputing 4, 1990.
 */
final class SixRows {
    /** Number of transposes; no transform follows the last one. */
    static final int PHASES = 3;

    /** Simple operations of a butterfly: ten multiplications and additions. */
    private static final int BUTTERFLY_UNITS = 5;

    /** Simple operations to copy a point, or to multiply it with a root. */
    private static final int POINT_UNITS = 3;

    private final int side;

    /** All roots of unity of order {@code side * side}, clockwise. */
    private final double[] roots;

    /**
     * @param points a power of four
     */
    SixRows(int points) {
        side = 1 << Integer.numberOfTrailingZeros(points) / 2;
        roots = new double[2 * points];
        for (int i = 0; i < points; i++) {
            double angle = -2 * Math.PI * i / points;
            roots[2 * i] = StrictMath.cos(angle);
            roots[2 * i + 1] = StrictMath.sin(angle);
        }
    }

    /** Number of rows of the matrix, and of points of a row. */
    int side() {
        return side;
    }

    /** Elements of a row. */
    int rowLength() {
        return 2 * side;
    }

    /** Elements of all rows. */
    int length() {
        return rowLength() * side;
    }

    /** The rows of a thread. */
    Band band(int position, int positions) {
        return Band.of(side, position, positions);
    }

    /** A row before the transform. */
    double[] input(int row) {
        double[] points = new double[rowLength()];
        for (int i = 0; i < points.length; i++) {
            points[i] = FftKernel.input(row * side + i / 2, i % 2);
        }
        return points;
    }

    /** The work on a row after a transpose. */
    void work(DsmNode node, int phase, int row, double[] points) {
        if (phase < 2) {
            transform(points);
            node.work((long) BUTTERFLY_UNITS * side / 2 * Integer.numberOfTrailingZeros(side));
        }
        if (phase == 0) {
            turn(row, points);
            node.work((long) POINT_UNITS * side);
        }
        node.work((long) POINT_UNITS * side);
    }

    /** Multiplies each point of a row with its root of unity. */
    private void turn(int row, double[] points) {
        for (int column = 0; column < side; column++) {
            int root = row * column;
            double x = points[2 * column];
            double y = points[2 * column + 1];
            double cosine = roots[2 * root];
            double sine = roots[2 * root + 1];
            points[2 * column] = x * cosine - y * sine;
            points[2 * column + 1] = x * sine + y * cosine;
        }
    }

    /** The transform of a row, radix 2, decimation in time, in natural order before and after. */
    void transform(double[] points) {
        reverse(points);
        for (int half = 1; half < side; half *= 2) {
            int stride = side / (2 * half) * side; // between the roots of order 2 * half
            for (int start = 0; start < side; start += 2 * half) {
                for (int k = 0; k < half; k++) {
                    butterfly(points, start + k, start + k + half, k * stride);
                }
            }
        }
    }

    private void butterfly(double[] points, int first, int second, int root) {
        double cosine = roots[2 * root];
        double sine = roots[2 * root + 1];
        double x = points[2 * second] * cosine - points[2 * second + 1] * sine;
        double y = points[2 * second] * sine + points[2 * second + 1] * cosine;
        points[2 * second] = points[2 * first] - x;
        points[2 * second + 1] = points[2 * first + 1] - y;
        points[2 * first] += x;
        points[2 * first + 1] += y;
    }

    /** Swaps each point with the point at the bit-reversed index. */
    private void reverse(double[] points) {
        int unused = Integer.numberOfLeadingZeros(side) + 1;
        for (int i = 1; i < side; i++) {
            int other = Integer.reverse(i) >>> unused;
            if (i < other) {
                swap(points, 2 * i, 2 * other);
                swap(points, 2 * i + 1, 2 * other + 1);
            }
        }
    }

    private static void swap(double[] values, int i, int j) {
        double value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
