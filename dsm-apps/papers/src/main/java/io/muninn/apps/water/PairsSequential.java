package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.DsmNode;

/** Water by pairs on one thread. */
final class PairsSequential {
    private PairsSequential() {}

    static double[] run(WaterSize size, DsmNode node) {
        WaterModel model = new WaterModel(size.molecules());
        double[] positions = new double[size.length()];
        double[] velocities = new double[size.length()];
        double[] forces = new double[size.length()];
        for (int i = 0; i < size.molecules(); i++) {
            model.place(i, positions, WIDTH * i);
            model.start(i, velocities, WIDTH * i);
        }
        double[] energies = new double[2 * (size.steps() + 1)];
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                for (int i = 0; i < size.length(); i += WIDTH) {
                    model.kick(velocities, i, forces, i);
                    model.drift(positions, i, velocities, i);
                }
            }
            forces = new double[size.length()];
            for (int i = 0; i < size.length(); i += WIDTH) {
                energies[2 * step] += model.inside(positions, i, forces, i);
                for (int j = i + WIDTH; j < size.length(); j += WIDTH) {
                    energies[2 * step] +=
                            model.between(positions, i, positions, j, forces, i, forces, j);
                }
            }
            long n = size.molecules();
            node.work(n * (n - 1) / 2 * WaterModel.PAIR_UNITS + n * WaterModel.MOLECULE_UNITS);
            for (int i = 0; i < size.length(); i += WIDTH) {
                if (step > 0) {
                    model.kick(velocities, i, forces, i);
                }
                energies[2 * step + 1] += model.kinetic(velocities, i);
            }
        }
        return WaterOracle.results(energies, positions, velocities);
    }
}
