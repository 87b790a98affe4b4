package io.muninn.apps.water;

import io.muninn.api.Band;

/**
 * How much a program of water computes.
 *
 * @param molecules at least {@link #MOLECULES_MIN}
 * @param steps of time, 0 or more
 */
record WaterSize(int molecules, int steps) {
    /** Fewer have no room for a cutoff. */
    static final int MOLECULES_MIN = 8;

    /** Elements of the positions of a molecule: three atoms, O, H and H, with three axes each. */
    static final int WIDTH = 9;

    /**
     * Elements of a molecule's record in shared memory: positions, their derivatives up to the
     * sixth, and forces. Those that an integrator does not need are unused, so that as many
     * molecules share a page as in the source.
     *
     * <p>Source: Singh, Weber and Gupta, "SPLASH: Stanford Parallel Applications for
     * Shared-Memory", 1992, section on Water.
     */
    static final int SHARED = 8 * WIDTH;

    /** Elements of the positions of all molecules. */
    int length() {
        return WIDTH * molecules;
    }

    /** The molecules of a thread. */
    Band band(int position, int positions) {
        return Band.of(molecules, position, positions);
    }
}
