package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import java.util.Arrays;

/**
 * A thread's copy of the positions, and the forces of the pairs that are its part: of each of its
 * molecules with the half of the others that follow it, around the end. So each pair is one
 * thread's, and all have as many.
 */
final class PairTable {
    /** Of all molecules; right for those that have been set. */
    final double[] positions;

    /** By molecule: the sum that this thread's pairs add. */
    final double[] forces;

    private final WaterSize size;
    private final WaterModel model;
    private final Band mine;

    PairTable(WaterSize size, WaterModel model, Band mine) {
        this.size = size;
        this.model = model;
        this.mine = mine;
        positions = new double[size.length()];
        forces = new double[size.length()];
    }

    void clear() {
        Arrays.fill(forces, 0);
    }

    /** How many molecules from the first of this thread on take part in its pairs. */
    int reach() {
        return mine.isEmpty()
                ? 0
                : Math.min(size.molecules(), mine.length() + size.molecules() / 2);
    }

    /** The molecule that is so many after this thread's first. */
    int following(int count) {
        return (mine.from() + count) % size.molecules();
    }

    /** The bonds and angles of this thread's molecules. */
    double inside(DsmNode node) {
        double energy = 0;
        for (int i = mine.from(); i < mine.to(); i++) {
            energy += model.inside(positions, WIDTH * i, forces, WIDTH * i);
        }
        node.work((long) WaterModel.MOLECULE_UNITS * mine.length());
        return energy;
    }

    /** The pairs of this thread's molecules with another molecule. */
    double with(DsmNode node, int other) {
        int n = size.molecules();
        double energy = 0;
        int pairs = 0;
        for (int i = mine.from(); i < mine.to(); i++) {
            int distance = Math.floorMod(other - i, n);
            boolean isOpposite = 2 * distance == n;
            if (distance > 0 && 2 * distance <= n && (!isOpposite || i < other)) {
                energy +=
                        model.between(
                                positions,
                                WIDTH * i,
                                positions,
                                WIDTH * other,
                                forces,
                                WIDTH * i,
                                forces,
                                WIDTH * other);
                pairs++;
            }
        }
        node.work((long) WaterModel.PAIR_UNITS * pairs);
        return energy;
    }
}
