package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;

/**
 * The number of points of FFT, and the division of work.
 *
 * @param points complex numbers to be transformed, a power of two
 */
record FftSize(int points) {
    static final int POINTS_MIN = 2;
    static final int POINTS_MAX = 1 << 22;

    /**
     * The share of one thread.
     *
     * @throws IllegalArgumentException as for {@link #checkPositions}
     */
    FftShare share(int position, int positions) {
        checkPositions(positions);
        return new FftShare(position, positions, points / positions);
    }

    /**
     * Checks that {@code positions} threads can share the work. Each thread needs at least as many
     * points as there are threads; otherwise the passes after the exchange would need points of
     * other threads.
     *
     * @throws IllegalArgumentException if they cannot; the message is for the user
     */
    void checkPositions(int positions) {
        if (Integer.bitCount(positions) != 1) {
            throw new IllegalArgumentException(
                    "runs on a power of two of threads (nodes times threads), not on " + positions);
        }
        if ((long) positions * positions > points) {
            throw new IllegalArgumentException(
                    points
                            + " points are too few for "
                            + positions
                            + " threads, each of which needs at least "
                            + positions);
        }
    }

    /** Local memory for all points. */
    DoubleMatrix local() {
        return FftKernel.local(points);
    }
}
