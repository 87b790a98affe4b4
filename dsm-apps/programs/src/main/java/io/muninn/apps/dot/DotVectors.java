package io.muninn.apps.dot;

import io.muninn.api.DoubleArray;
import io.muninn.apps.Pattern;

/**
 * The vectors of DOT.
 *
 * <p>Source: McMahon, "The Livermore Fortran Kernels", UCRL-53745, 1986, kernel 3.
 */
record DotVectors(DoubleArray x, DoubleArray z) {
    private static final long SEED = 40;

    void fill(int index) {
        x.set(index, xAt(index));
        z.set(index, zAt(index));
    }

    double product(int index) {
        return x.get(index) * z.get(index);
    }

    static double xAt(int index) {
        return Pattern.at(SEED, 0, index);
    }

    static double zAt(int index) {
        return Pattern.at(SEED, 1, index);
    }
}
