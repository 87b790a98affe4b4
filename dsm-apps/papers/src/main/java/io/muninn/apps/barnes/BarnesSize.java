package io.muninn.apps.barnes;

/**
 * The parameters of a program.
 *
 * @param bodies at least 1
 * @param steps time steps, 0 or more
 * @param theta largest ratio of a cell's edge to its distance at which the cell stands for its
 *     bodies; 0 for all pairs of bodies
 * @param seed seed of the initial positions and velocities
 */
record BarnesSize(int bodies, int steps, double theta, int seed) {
    /** Cells of a tree beyond one per body, needed when there are few bodies. */
    private static final int CELLS_MIN = 64;

    /**
     * Most cells that one thread can add to a tree; at least the number of cells of the whole tree.
     */
    int cells() {
        return bodies + CELLS_MIN;
    }
}
