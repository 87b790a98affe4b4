package io.muninn.apps;

import io.muninn.api.Verdict;

/**
 * The longest wave on a square grid that is zero at the edges, which averaging four neighbours only
 * makes smaller. Verification of stencils compares its part of the elements with what it must be.
 * Elements whose row and column have an even sum are of colour 0, others of colour 1.
 *
 * <p>Source: Young, "Iterative Solution of Large Linear Systems", 1971, chapter 4.
 */
public final class Waves {
    private final int size;
    private final double[] wave; // the factor of a row, and of a column
    private final double factor;

    /**
     * @param size rows and columns, edges included
     */
    public Waves(int size) {
        this.size = size;
        double angle = Math.PI / (size - 1);
        this.factor = Math.cos(angle);
        this.wave = new double[size];
        for (int i = 1; i < size - 1; i++) {
            wave[i] = Math.sin(angle * i);
        }
    }

    /** By what averaging four neighbours multiplies the wave. */
    public double factor() {
        return factor;
    }

    /** The wave's part of the inner elements of each colour. */
    public double[] parts(double[] elements) {
        double[] parts = new double[2];
        for (int row = 1; row < size - 1; row++) {
            for (int column = 1; column < size - 1; column++) {
                parts[(row + column) % 2] +=
                        wave[row] * wave[column] * elements[row * size + column];
            }
        }
        return parts;
    }

    /** The sum over the elements of each colour of their neighbours at edges, times the wave. */
    public double[] edges(double[] elements) {
        double[] edges = new double[2];
        int last = size - 1;
        for (int i = 1; i < last; i++) {
            int near = (1 + i) % 2; // colour of an element in the first inner row or column
            int far = (last - 1 + i) % 2;
            edges[near] += wave[1] * wave[i] * (elements[i] + elements[i * size]);
            edges[far] +=
                    wave[last - 1]
                            * wave[i]
                            * (elements[last * size + i] + elements[i * size + last]);
        }
        return edges;
    }

    /** Whether a sum is what it must be, but for rounding. */
    public Verdict verdict(String what, double sum, double expected) {
        return NearEqual.verdict(what + ": the longest wave", sum, expected, (double) size * size);
    }
}
