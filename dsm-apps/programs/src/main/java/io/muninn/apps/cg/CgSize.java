package io.muninn.apps.cg;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;

/**
 * The size of the systems of CG.
 *
 * @param unknowns number of unknowns and of equations, at least 1
 * @param others average number of off-diagonal elements of a row, 0 or more
 * @param iterations number of iterations, at least 1
 * @param repeat number of systems to be solved in sequence, at least 1; all have the same matrix,
 *     but different right-hand sides
 */
record CgSize(int unknowns, int others, int iterations, int repeat) {
    /** Maximum number of elements of a matrix. */
    static final long ELEMENTS_MAX = 100_000_000;

    /** Number of pairs of off-diagonal elements; each element equals its mirror image. */
    long pairs() {
        return unknowns == 1 ? 0 : (long) unknowns * others / 2;
    }

    /** Number of stored elements of the matrix. */
    long elements() {
        return unknowns + 2 * pairs();
    }

    /** The rows of thread {@code position} of {@code positions}. */
    Band band(int position, int positions) {
        return Band.of(unknowns, position, positions);
    }

    /** Local memory for the solutions of all systems. */
    DoubleArray localSolutions() {
        return DoubleArray.local(repeat * unknowns);
    }
}
