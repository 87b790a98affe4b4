package io.muninn.apps.cg;

import io.muninn.apps.Pattern;
import java.util.Arrays;

/**
 * The matrix and the right-hand sides, as functions of the size only. Off-diagonal elements are
 * pairs of equal value at random symmetric places. An element of the diagonal is 1 more than the
 * sum of the absolute values in the rest of its row, so the matrix is symmetric and positive
 * definite, and by Gershgorin's theorem its eigenvalues are at least 1. Pairs at the same place are
 * added.
 */
final class CgMatrix {
    private static final long PLACES = 7;
    private static final long VALUES = 8;
    private static final long RIGHT_SIDES = 9;

    private CgMatrix() {}

    /** Row of pair {@code pair}; pairs are assigned to rows cyclically. */
    static int row(CgSize size, long pair) {
        return (int) (pair % size.unknowns());
    }

    /** Column of a pair, which differs from its row. */
    static int column(CgSize size, long pair) {
        long distance = Long.remainderUnsigned(Pattern.mix(PLACES ^ Pattern.mix(pair)), gaps(size));
        return (int) ((row(size, pair) + 1 + distance) % size.unknowns());
    }

    private static int gaps(CgSize size) {
        return size.unknowns() - 1;
    }

    /** Value of a pair, from -1 (inclusive) to 1 (exclusive). */
    static double value(CgSize size, long pair) {
        return Pattern.at(VALUES, row(size, pair), (int) (pair / size.unknowns()));
    }

    /** The diagonal, by row. */
    static double[] diagonal(CgSize size) {
        double[] diagonal = new double[size.unknowns()];
        Arrays.fill(diagonal, 1);
        for (long pair = 0; pair < size.pairs(); pair++) {
            double amount = Math.abs(value(size, pair));
            diagonal[row(size, pair)] += amount;
            diagonal[column(size, pair)] += amount;
        }
        return diagonal;
    }

    /** One element of the right-hand side of system {@code turn}. */
    static double right(int turn, int row) {
        return Pattern.at(RIGHT_SIDES, turn, row);
    }
}
