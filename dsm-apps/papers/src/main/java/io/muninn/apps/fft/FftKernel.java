package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.apps.Pattern;

/**
 * The common part of all versions of FFT: input, butterflies and cleanup.
 *
 * <p>Points are rows of a matrix of two columns, real and imaginary part. The transform is
 * Cooley-Tukey, radix 2, decimation in time, in place and with the widest butterflies first: pass
 * <em>K</em> of <em>N</em> points combines points that are <em>N / 2<sup>K+1</sup></em> apart. Its
 * input is in natural order and its result in bit-reversed order, which the cleanup rectifies.
 *
 * <p>Source: Munin §6.5. Departure: the points are divided into slices, and each is transformed
 * like a whole, so that one kernel serves every distribution.
 */
final class FftKernel {
    /**
     * The charge for a butterfly, in multiplications with an addition each: ten for its arithmetic,
     * twenty each for sine and cosine, which it computes every time. The ratio of the time for 32K
     * points, hundreds of seconds (Munin §4.1), to 900 s for the 64 million steps of MULT (§6.1)
     * gives about the same number.
     */
    static final int BUTTERFLY_UNITS = 50;

    private static final long SEED = 4;
    private static final int REAL = 0;
    private static final int IMAGINARY = 1;

    /** Factor that scales an unsigned {@code int} to a fraction below 1. */
    private static final double FRACTION = 0x1p-32;

    private FftKernel() {}

    /** Local memory for {@code points} points. */
    static DoubleMatrix local(int points) {
        return DoubleMatrix.local(points, 2);
    }

    static void fill(DoubleMatrix points) {
        for (int i = 0; i < points.rows(); i++) {
            points.set(i, REAL, input(i, REAL));
            points.set(i, IMAGINARY, input(i, IMAGINARY));
        }
    }

    /** Real ({@code part} 0) or imaginary part (1) of point {@code index} before the transform. */
    static double input(int index, int part) {
        return Pattern.at(SEED, index, part);
    }

    /**
     * Performs the passes over a slice whose butterflies are at most {@code widest} points wide.
     */
    static void transform(DsmNode node, DoubleMatrix points, FftSlice slice, int widest) {
        for (int width = widest; width >= 1; width /= 2) {
            int group = slice.before() / (2 * width);
            for (int start = 0; start < slice.length(); start += 2 * width) {
                combine(node, points, slice, start, width, angle(group));
                group++;
            }
        }
    }

    /** Performs the butterflies of one group, which rotate by the same angle. */
    private static void combine(
            DsmNode node, DoubleMatrix points, FftSlice slice, int start, int width, double angle) {
        for (int k = start; k < start + width; k++) {
            butterfly(points, slice.row(k), slice.row(k + width), angle);
            node.work(BUTTERFLY_UNITS);
        }
    }

    /** The angle of a group, which depends only on its number. */
    static double angle(int group) {
        return -Math.PI * Integer.toUnsignedLong(Integer.reverse(group)) * FRACTION;
    }

    /**
     * Rotates the second point by an angle and replaces the two points by their sum and difference.
     * Uses {@link StrictMath}, so that every machine computes the same bits.
     */
    static void butterfly(DoubleMatrix points, int first, int second, double angle) {
        double cosine = StrictMath.cos(angle);
        double sine = StrictMath.sin(angle);
        double x = points.get(second, REAL);
        double y = points.get(second, IMAGINARY);
        double real = x * cosine - y * sine;
        double imaginary = x * sine + y * cosine;
        x = points.get(first, REAL);
        y = points.get(first, IMAGINARY);
        points.set(first, REAL, x + real);
        points.set(first, IMAGINARY, y + imaginary);
        points.set(second, REAL, x - real);
        points.set(second, IMAGINARY, y - imaginary);
    }

    /**
     * The cleanup: the transform in natural order.
     *
     * @return alternating real and imaginary parts, two elements per frequency
     */
    static double[] inOrder(DoubleMatrix points) {
        int length = points.rows();
        double[] spectrum = new double[2 * length];
        int unusedBits = Integer.numberOfLeadingZeros(length) + 1;
        for (int i = 0; i < length; i++) {
            int frequency = Integer.reverse(i) >>> unusedBits;
            spectrum[2 * frequency] = points.get(i, REAL);
            spectrum[2 * frequency + 1] = points.get(i, IMAGINARY);
        }
        return spectrum;
    }
}
