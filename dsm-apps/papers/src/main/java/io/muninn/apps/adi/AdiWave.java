package io.muninn.apps.adi;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.NearEqual;

/**
 * What ADI does to a wave along the grid that is zero at its ends. A difference of the rows on both
 * sides multiplies the part of a quantity that is such a wave by an imaginary number, and one
 * across the grid by a real number; edges add the same in each step. So three complex numbers, one
 * for each quantity, are known after any number of steps. Nothing here looks at neighbours.
 *
 * <p>The wave is {@code i^row sin(row angle)}: the eigenvectors of a tridiagonal matrix with -1
 * below and 1 above its diagonal.
 */
final class AdiWave {
    /** Those of {@link AdiGrid}, written down once more. */
    private static final double[][] ALONG = {
        {0.020, -0.007, 0.011}, {0.005, 0.017, -0.013}, {-0.009, 0.003, 0.015}
    };

    private static final double ACROSS = 0.25;
    private static final int QUANTITIES = 3;

    /** A complex number. */
    private record Complex(double re, double im) {
        static final Complex ZERO = new Complex(0, 0);

        Complex plus(Complex other) {
            return new Complex(re + other.re, im + other.im);
        }

        Complex times(double factor) {
            return new Complex(factor * re, factor * im);
        }

        /** Times i to some power. */
        Complex turned(int quarters) {
            return switch (Math.floorMod(quarters, 4)) {
                case 0 -> this;
                case 1 -> new Complex(-im, re);
                case 2 -> new Complex(-re, -im);
                default -> new Complex(im, -re);
            };
        }
    }

    private final int rows;
    private final double angle;

    private AdiWave(int rows) {
        this.rows = rows;
        this.angle = Math.PI / (rows - 1);
    }

    /**
     * @param first all elements of the three quantities before the first step
     * @param last the same after the steps
     */
    static Verdict verify(LoopSize size, double[] first, double[] last) {
        AdiWave wave = new AdiWave(size.size());
        Complex[] expected = wave.after(size.steps(), first);
        for (int i = 0; i < QUANTITIES; i++) {
            Complex found = wave.part(last, i, 1, AdiGrid.WIDTH - 2);
            String what = "the longest wave of quantity " + (i + 1);
            double scale = (double) size.size() * AdiGrid.WIDTH;
            Verdict real = NearEqual.verdict(what, found.re(), expected[i].re(), scale);
            Verdict imaginary = NearEqual.verdict(what, found.im(), expected[i].im(), scale);
            if (!real.right() || !imaginary.right()) {
                return real.right() ? imaginary : real;
            }
        }
        return Verdict.right("the longest wave is right");
    }

    private Complex[] after(int steps, double[] first) {
        Complex[] parts = new Complex[QUANTITIES];
        Complex[] ends = new Complex[QUANTITIES];
        Complex[] sides = new Complex[QUANTITIES];
        for (int i = 0; i < QUANTITIES; i++) {
            parts[i] = part(first, i, 1, AdiGrid.WIDTH - 2);
            ends[i] = ends(first, i);
            sides[i] = part(first, i, 0, 0).plus(part(first, i, AdiGrid.WIDTH - 1, 3));
        }
        for (int step = 0; step < steps; step++) {
            Complex[] next = new Complex[QUANTITIES];
            for (int i = 0; i < QUANTITIES; i++) {
                Complex across = parts[i].times(-1).plus(sides[i]);
                next[i] = parts[i].plus(across.times(ACROSS));
                for (int j = 0; j < QUANTITIES; j++) {
                    Complex along = parts[j].turned(-1).times(2 * Math.cos(angle)).plus(ends[j]);
                    next[i] = next[i].plus(along.times(ALONG[i][j]));
                }
            }
            parts = next;
        }
        return parts;
    }

    /** The wave's part of a quantity in the inner rows of some columns. */
    private Complex part(double[] elements, int quantity, int from, int to) {
        Complex sum = Complex.ZERO;
        for (int row = 1; row < rows - 1; row++) {
            sum = sum.plus(at(row, sum(elements, quantity, row, from, to)));
        }
        return sum;
    }

    /** What differences along the grid take from its first row and its last. */
    private Complex ends(double[] elements, int quantity) {
        double above = sum(elements, quantity, 0, 1, AdiGrid.WIDTH - 2);
        double below = sum(elements, quantity, rows - 1, 1, AdiGrid.WIDTH - 2);
        return at(rows - 2, below).plus(at(1, -above));
    }

    private double sum(double[] elements, int quantity, int row, int from, int to) {
        double sum = 0;
        for (int column = from; column <= to; column++) {
            sum += elements[(quantity * rows + row) * AdiGrid.WIDTH + column];
        }
        return sum;
    }

    private Complex at(int row, double value) {
        return new Complex(Math.sin(row * angle) * value, 0).turned(row);
    }
}
