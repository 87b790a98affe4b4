package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;

/**
 * How much FFT computes, and how the work is divided.
 *
 * @param points complex numbers to be transformed, a power of two
 */
record FftSize(int points) {
    static final int POINTS_MIN = 2;
    static final int POINTS_MAX = 1 << 22;

    /**
     * The share of one thread.
     *
     * @throws IllegalArgumentException as {@link #checkPositions}
     */
    FftShare share(int position, int positions) {
        checkPositions(positions);
        return new FftShare(position, positions, points / positions);
    }

    /**
     * Checks that so many threads can share the work: each has to have as many points as there are
     * threads, or the passes after the exchange would reach into another thread's points.
     *
     * @throws IllegalArgumentException if they cannot; the text is for the user
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

    /** Room for all points, in plain memory. */
    DoubleMatrix local() {
        return FftKernel.local(points);
    }
}
