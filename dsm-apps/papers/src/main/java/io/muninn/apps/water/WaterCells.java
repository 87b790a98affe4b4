package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;

/**
 * The box as a cube of cells. Cells are so wide that a molecule interacts only with molecules of
 * its own cell and of neighbouring cells. A molecule is in the cell of its O atom. Each thread has
 * a band of cells and the molecules in them, and computes the forces on these. So a pair of
 * molecules of two threads is computed by both, and no thread adds to the forces of another.
 *
 * <p>A molecule is an array of {@link #RECORD} elements: positions, velocities and forces.
 *
 * <p>Source: Allen and Tildesley, "Computer Simulation of Liquids", section 5.3 (cells and lists).
 */
final class WaterCells {
    static final int RECORD = 3 * WIDTH;
    static final int VELOCITIES = WIDTH;
    static final int FORCES = 2 * WIDTH;

    private final WaterModel model;
    private final int edge;

    WaterCells(WaterModel model) {
        this.model = model;
        edge = Math.max(1, (int) (model.side() / model.range()));
    }

    int cells() {
        return edge * edge * edge;
    }

    /** The cells of a thread. */
    Band band(int position, int positions) {
        return Band.of(cells(), position, positions);
    }

    /** The initial record of a molecule. */
    double[] placed(int molecule) {
        double[] record = new double[RECORD];
        model.place(molecule, record, 0);
        model.start(molecule, record, VELOCITIES);
        return record;
    }

    /** The cell of a molecule. */
    int cell(double[] record) {
        return (index(record[2]) * edge + index(record[1])) * edge + index(record[0]);
    }

    private int index(double position) {
        double inBox = position - model.side() * Math.floor(position / model.side());
        return Math.min(edge - 1, (int) (inBox / model.side() * edge));
    }

    /** A cell and its neighbours, each once, in ascending order on every axis. */
    int[] around(int cell) {
        int[] x = aroundIndex(cell % edge);
        int[] y = aroundIndex(cell / edge % edge);
        int[] z = aroundIndex(cell / edge / edge);
        int[] around = new int[x.length * y.length * z.length];
        int next = 0;
        for (int k : z) {
            for (int j : y) {
                for (int i : x) {
                    around[next++] = (k * edge + j) * edge + i;
                }
            }
        }
        return around;
    }

    private int[] aroundIndex(int index) {
        if (edge == 1) {
            return new int[] {0};
        }
        return edge == 2
                ? new int[] {0, 1}
                : new int[] {(index + edge - 1) % edge, index, (index + 1) % edge};
    }

    /** Advances velocities by half a time step and positions by a time step. */
    void move(double[] record) {
        model.kick(record, VELOCITIES, record, FORCES);
        model.drift(record, 0, record, VELOCITIES);
    }

    /**
     * Computes the forces on the molecules of a cell, and advances their velocities by half a time
     * step.
     *
     * @param mine molecules of the cell
     * @param cell index of the cell in {@code others}
     * @param others molecules of the cell and its neighbours, by cell, in the same order in every
     *     version
     * @param energy receives potential and kinetic energy of the molecules, and half the energy of
     *     pairs
     */
    void force(
            DsmNode node,
            double[][] mine,
            int cell,
            double[][][] others,
            boolean hasMoved,
            double[] energy) {
        double[] unused = new double[WIDTH];
        for (int i = 0; i < mine.length; i++) {
            double[] forces = new double[WIDTH];
            energy[0] += model.inside(mine[i], 0, forces, 0);
            double pairs = 0;
            for (int other : around(cell)) {
                for (int j = 0; j < others[other].length; j++) {
                    if (other != cell || i != j) {
                        pairs +=
                                model.between(
                                        mine[i], 0, others[other][j], 0, forces, 0, unused, 0);
                    }
                }
                node.work((long) WaterModel.PAIR_UNITS * others[other].length);
            }
            energy[0] += pairs / 2;
            System.arraycopy(forces, 0, mine[i], FORCES, WIDTH);
            if (hasMoved) {
                model.kick(mine[i], VELOCITIES, mine[i], FORCES);
            }
            energy[1] += model.kinetic(mine[i], VELOCITIES);
            node.work(WaterModel.MOLECULE_UNITS);
        }
    }

    /**
     * The results of a run.
     *
     * @param records records of all molecules, in order
     */
    static double[] results(double[] energies, double[][] records) {
        double[] positions = new double[WIDTH * records.length];
        double[] velocities = new double[WIDTH * records.length];
        for (int i = 0; i < records.length; i++) {
            System.arraycopy(records[i], 0, positions, WIDTH * i, WIDTH);
            System.arraycopy(records[i], VELOCITIES, velocities, WIDTH * i, WIDTH);
        }
        return WaterOracle.results(energies, positions, velocities);
    }
}
