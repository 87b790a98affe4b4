package io.muninn.apps.barnes;

/**
 * How much a program computes.
 *
 * @param bodies at least 1
 * @param steps of time, 0 or more
 * @param theta largest ratio of a cell's edge to its distance at which the cell stands for its
 *     bodies; 0 for all pairs of bodies
 * @param seed of the first positions and velocities
 */
record BarnesSize(int bodies, int steps, double theta, int seed) {
    /** Cells that a tree has in addition when there are few bodies. */
    private static final int CELLS_MIN = 64;

    /** Most cells that one thread can add to a tree: the whole tree has fewer. */
    int cells() {
        return bodies + CELLS_MIN;
    }
}
