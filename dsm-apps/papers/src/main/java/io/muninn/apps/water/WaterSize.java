package io.muninn.apps.water;

import io.muninn.api.Band;
import io.muninn.apps.Structure;
import java.util.List;

/**
 * The parameters of a program of water.
 *
 * @param molecules at least {@link #MOLECULES_MIN}
 * @param steps time steps, 0 or more
 * @param structure of the program by pairs over shared memory
 */
record WaterSize(int molecules, int steps, Structure structure) {
    /** The box of fewer molecules would be too small for a cutoff. */
    static final int MOLECULES_MIN = 8;

    /** The name of the structure of other sources; then those of Kontothanassis and Scott. */
    static final List<String> STRUCTURES =
            List.of(
                    "usual",
                    Structure.PLAIN,
                    Structure.PADDED,
                    Structure.SEPARATED,
                    Structure.REMOTE);

    /** Parameters of a program of the usual structure. */
    WaterSize(int molecules, int steps) {
        this(molecules, steps, new Structure(STRUCTURES, 0));
    }

    /** Elements of the positions of a molecule: three atoms, O, H and H, with three axes each. */
    static final int WIDTH = 9;

    /**
     * Elements of a molecule's record in shared memory: positions, their derivatives up to the
     * sixth, and forces. Derivatives that the integrator does not need are unused. They make
     * records as large as in the source, so that the same number of molecules share a page.
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
