package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.Verdict;

/**
 * Verifies a transform. A small one is compared with its definition. A large one must satisfy
 * Parseval's theorem, and its inverse transform must be the input. Arrays of complex numbers
 * alternate real and imaginary parts.
 */
final class FftOracle {
    /** Most points for which the direct transform is computed; its time is quadratic. */
    static final int DIRECT_MAX = 2048;

    /**
     * Largest error, relative to the norm of the input. Rounding causes errors of about 1e-15; a
     * lost element causes an error of about 1e-3.
     */
    private static final double TOLERANCE = 1e-12;

    private FftOracle() {}

    /** Verifies the {@code points} after the last pass, in bit-reversed order. */
    static Verdict verify(DoubleMatrix points) {
        return verify(FftKernel.inOrder(points));
    }

    /** Verifies a transform in natural order. */
    static Verdict verify(double[] spectrum) {
        int length = spectrum.length / 2;
        double[] input = input(length);
        return length <= DIRECT_MAX
                ? verifyDirectly(input, spectrum)
                : verifyInversely(input, spectrum);
    }

    private static double[] input(int length) {
        double[] input = new double[2 * length];
        for (int i = 0; i < input.length; i++) {
            input[i] = FftKernel.input(i / 2, i % 2);
        }
        return input;
    }

    private static Verdict verifyDirectly(double[] input, double[] spectrum) {
        double[] expected = direct(input);
        double norm = Math.sqrt(energy(input));
        for (int i = 0; i < spectrum.length; i++) {
            if (!(Math.abs(spectrum[i] - expected[i]) <= TOLERANCE * norm)) {
                return Verdict.wrong(
                        (i % 2 == 0 ? "real" : "imaginary")
                                + " part of frequency "
                                + i / 2
                                + " is "
                                + spectrum[i]
                                + ", not "
                                + expected[i]);
            }
        }
        return Verdict.right("transform of " + input.length / 2 + " points equals the direct one");
    }

    static Verdict verifyInversely(double[] input, double[] spectrum) {
        int length = input.length / 2;
        double expected = length * energy(input);
        double energy = energy(spectrum);
        if (!(Math.abs(energy - expected) <= TOLERANCE * expected)) {
            return Verdict.wrong(
                    "energy of the transform is " + energy + ", by Parseval " + expected);
        }
        double[] back = inverse(spectrum);
        double distance = 0;
        for (int i = 0; i < back.length; i++) {
            double error = back[i] / length - input[i];
            distance += error * error;
        }
        if (!(distance <= TOLERANCE * TOLERANCE * energy(input))) {
            return Verdict.wrong(
                    "inverse transform is " + Math.sqrt(distance) + " away from the input");
        }
        return Verdict.right(
                "transform of "
                        + length
                        + " points agrees with Parseval, and its inverse with the input");
    }

    /** The sum of squares. */
    private static double energy(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        return sum;
    }

    /** The transform by definition: every frequency is a sum over all points. */
    static double[] direct(double[] input) {
        int length = input.length / 2;
        double[] roots = roots(length);
        double[] sums = new double[input.length];
        for (int frequency = 0; frequency < length; frequency++) {
            for (int i = 0; i < length; i++) {
                int root = (int) ((long) frequency * i % length);
                double cosine = roots[2 * root];
                double sine = -roots[2 * root + 1];
                sums[2 * frequency] += input[2 * i] * cosine - input[2 * i + 1] * sine;
                sums[2 * frequency + 1] += input[2 * i] * sine + input[2 * i + 1] * cosine;
            }
        }
        return sums;
    }

    /** All roots of unity of the given order, counter-clockwise. */
    private static double[] roots(int order) {
        double[] roots = new double[2 * order];
        for (int i = 0; i < order; i++) {
            double angle = 2 * Math.PI * i / order;
            roots[2 * i] = StrictMath.cos(angle);
            roots[2 * i + 1] = StrictMath.sin(angle);
        }
        return roots;
    }

    /**
     * The inverse transform, multiplied by the number of points, by recursion on even and odd
     * points.
     */
    static double[] inverse(double[] spectrum) {
        int length = spectrum.length / 2;
        return inverse(spectrum, 0, 1, length, roots(length));
    }

    private static double[] inverse(
            double[] spectrum, int first, int stride, int length, double[] roots) {
        if (length == 1) {
            return new double[] {spectrum[2 * first], spectrum[2 * first + 1]};
        }
        double[] even = inverse(spectrum, first, 2 * stride, length / 2, roots);
        double[] odd = inverse(spectrum, first + stride, 2 * stride, length / 2, roots);
        double[] sums = new double[2 * length];
        for (int i = 0; i < length / 2; i++) {
            double cosine = roots[2 * stride * i];
            double sine = roots[2 * stride * i + 1];
            double real = odd[2 * i] * cosine - odd[2 * i + 1] * sine;
            double imaginary = odd[2 * i] * sine + odd[2 * i + 1] * cosine;
            sums[2 * i] = even[2 * i] + real;
            sums[2 * i + 1] = even[2 * i + 1] + imaginary;
            sums[length + 2 * i] = even[2 * i] - real;
            sums[length + 2 * i + 1] = even[2 * i + 1] - imaginary;
        }
        return sums;
    }
}
