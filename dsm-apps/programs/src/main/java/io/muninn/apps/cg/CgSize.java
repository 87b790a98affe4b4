package io.muninn.apps.cg;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;

/**
 * How much CG computes.
 *
 * @param unknowns as many as equations, at least 1
 * @param others elements of a row beside the diagonal, on average, 0 or more
 * @param iterations at least 1
 * @param repeat systems to be solved one after the other, at least 1: the same matrix, with another
 *     right-hand side each
 */
record CgSize(int unknowns, int others, int iterations, int repeat) {
    /** Most elements of a matrix. */
    static final long ELEMENTS_MAX = 100_000_000;

    /** Pairs of elements beside the diagonal: each element equals its mirror image. */
    long pairs() {
        return unknowns == 1 ? 0 : (long) unknowns * others / 2;
    }

    /** Elements of the matrix that are stored. */
    long elements() {
        return unknowns + 2 * pairs();
    }

    /** The rows of thread {@code position} of {@code positions}. */
    Band band(int position, int positions) {
        return Band.of(unknowns, position, positions);
    }

    /** Room for the solutions of all systems, in plain memory. */
    DoubleArray localSolutions() {
        return DoubleArray.local(repeat * unknowns);
    }
}
