package io.muninn.apps.barnes;

import static io.muninn.apps.barnes.Bodies.MASS;
import static io.muninn.apps.barnes.Bodies.X;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;

/**
 * Computes accelerations from a complete tree. A cell that does not contain the body and is far
 * enough away acts as one body at its centre of mass; any other cell is opened. Contributions are
 * added in the order of the tree. Distances are softened.
 *
 * <p><b>Threads.</b> Each has its own instance.
 */
final class Gravity {
    /** Elements of a result: three of an acceleration, then its cost. */
    static final int WIDTH = 4;

    /** Simple operations of an interaction. */
    private static final int UNITS = 15;

    private static final double SOFTENING = 0.05;

    private final double theta;
    private final DoubleArray bodies;
    private final Octree tree;

    /** The body whose acceleration is computed. */
    private int self;

    private double x;
    private double y;
    private double z;

    private double[] target = {};
    private int at;

    Gravity(BarnesSize size, DoubleArray bodies, Octree tree) {
        this.theta = size.theta();
        this.bodies = bodies;
        this.tree = tree;
    }

    /** For each body, its acceleration and its number of interactions, at least 1. */
    double[] on(int[] which, DsmNode node) {
        target = new double[WIDTH * which.length];
        for (int i = 0; i < which.length; i++) {
            at = WIDTH * i;
            self = which[i];
            int record = Bodies.WIDTH * self + X;
            x = bodies.get(record);
            y = bodies.get(record + 1);
            z = bodies.get(record + 2);
            open(Octree.ROOT, 0, true);
            double cost = Math.max(1, target[at + Bodies.AXES]);
            target[at + Bodies.AXES] = cost;
            node.work(UNITS * (long) cost);
        }
        return target;
    }

    private void open(int cell, int level, boolean isAround) {
        int own = isAround && level < Octree.LEVELS ? tree.octant(self, level) : -1;
        for (int octant = 0; octant < Octree.OCTANTS; octant++) {
            int slot = tree.slot(cell, octant);
            if (Octree.isCell(slot)) {
                look(slot, level + 1, octant == own);
            } else if (Octree.isBody(slot) && Octree.body(slot) != self) {
                int record = Bodies.WIDTH * Octree.body(slot);
                add(
                        bodies.get(record + MASS),
                        bodies.get(record + X) - x,
                        bodies.get(record + X + 1) - y,
                        bodies.get(record + X + 2) - z);
            }
        }
    }

    /**
     * @param isAround whether the body is in the cell
     */
    private void look(int cell, int level, boolean isAround) {
        double dx = tree.centre(cell, 0) - x;
        double dy = tree.centre(cell, 1) - y;
        double dz = tree.centre(cell, 2) - z;
        double edge = tree.edge(level);
        double reach = theta * theta * (dx * dx + dy * dy + dz * dz);
        if (!isAround && edge * edge < reach) {
            add(tree.mass(cell), dx, dy, dz);
        } else {
            open(cell, level, isAround);
        }
    }

    private void add(double mass, double dx, double dy, double dz) {
        double square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
        double pull = mass / (square * Math.sqrt(square));
        target[at] += pull * dx;
        target[at + 1] += pull * dy;
        target[at + 2] += pull * dz;
        target[at + Bodies.AXES]++;
    }
}
