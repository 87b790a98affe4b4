package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import java.util.Arrays;

/**
 * A thread's copy of the positions, and the forces of its pairs. The pairs of a thread are each of
 * its molecules with the half of the other molecules that follow it cyclically. So each pair
 * belongs to one thread, and all threads have about the same number.
 */
final class PairTable {
    /** Positions of all molecules; valid only where they have been set. */
    final double[] positions;

    /** For each molecule, the sum of the forces of this thread's pairs. */
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

    /** The number of molecules, from the first of this thread on, that occur in its pairs. */
    int reach() {
        return mine.isEmpty()
                ? 0
                : Math.min(size.molecules(), mine.length() + size.molecules() / 2);
    }

    /** The molecule that is {@code count} after this thread's first, cyclically. */
    int following(int count) {
        return (mine.from() + count) % size.molecules();
    }

    /** Adds the forces of bonds and angles of this thread's molecules; returns their energy. */
    double inside(DsmNode node) {
        double energy = 0;
        for (int i = mine.from(); i < mine.to(); i++) {
            energy += model.inside(positions, WIDTH * i, forces, WIDTH * i);
        }
        node.work((long) WaterModel.MOLECULE_UNITS * mine.length());
        return energy;
    }

    /** Adds the forces of this thread's pairs with another molecule; returns their energy. */
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
