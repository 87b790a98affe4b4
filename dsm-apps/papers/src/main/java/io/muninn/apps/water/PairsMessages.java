package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Water by pairs with messages: in each step every thread sends its positions to all threads, and
 * the forces of its pairs to the owners of the molecules.
 */
final class PairsMessages {
    private final WaterSize size;
    private final WaterModel model;
    private final DsmNode node;
    private final Exchange exchange;
    private final Band mine;
    private final PairTable table;
    private final double[] positions;
    private final double[] velocities;

    private PairsMessages(WaterSize size, DsmNode node) {
        this.size = size;
        this.node = node;
        model = new WaterModel(size.molecules());
        exchange = new Exchange(node);
        mine = size.band(node.position(), node.positions());
        table = new PairTable(size, model, mine);
        positions = new double[WIDTH * mine.length()];
        velocities = new double[WIDTH * mine.length()];
        for (int i = 0; i < mine.length(); i++) {
            model.place(mine.from() + i, positions, WIDTH * i);
            model.start(mine.from() + i, velocities, WIDTH * i);
        }
    }

    static double[] run(WaterSize size, DsmNode node) {
        return new PairsMessages(size, node).run();
    }

    private double[] run() {
        double[] energies = new double[2 * (size.steps() + 1)];
        double[] forces = new double[positions.length];
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                for (int i = 0; i < positions.length; i += WIDTH) {
                    model.kick(velocities, i, forces, i);
                    model.drift(positions, i, velocities, i);
                }
            }
            exchange.share(MemorySegment.ofArray(positions), bands(table.positions));
            double[] energy = new double[2];
            forces = forces(energy);
            for (int i = 0; i < positions.length; i += WIDTH) {
                if (step > 0) {
                    model.kick(velocities, i, forces, i);
                }
                energy[1] += model.kinetic(velocities, i);
            }
            addUp(energy, energies, 2 * step);
        }
        double[] all = new double[node.position() == 0 ? size.length() : 0];
        double[] allVelocities = all.clone();
        collect(positions, all);
        collect(velocities, allVelocities);
        return node.position() == 0
                ? WaterOracle.results(energies, all, allVelocities)
                : new double[0];
    }

    /**
     * The forces on this thread's molecules. Stores the potential energy of its pairs in {@code
     * energy[0]}.
     */
    private double[] forces(double[] energy) {
        table.clear();
        energy[0] = table.inside(node);
        for (int i = 0; i < table.reach(); i++) {
            energy[0] += table.with(node, table.following(i));
        }
        double[][] in = new double[node.positions()][positions.length];
        MemorySegment[] parts = new MemorySegment[in.length];
        Arrays.setAll(parts, i -> MemorySegment.ofArray(in[i]));
        exchange.swap(bands(table.forces), parts);
        double[] sum = new double[positions.length];
        for (double[] part : in) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += part[i];
            }
        }
        return sum;
    }

    /** Adds two energies of all threads. */
    private void addUp(double[] energy, double[] target, int at) {
        double[][] in = new double[node.positions()][2];
        MemorySegment[] parts = new MemorySegment[in.length];
        Arrays.setAll(parts, i -> MemorySegment.ofArray(in[i]));
        exchange.share(MemorySegment.ofArray(energy), parts);
        for (double[] part : in) {
            target[at] += part[0];
            target[at + 1] += part[1];
        }
    }

    private void collect(double[] part, double[] all) {
        MemorySegment[] in =
                node.position() == 0 ? bands(all) : new MemorySegment[node.positions()];
        exchange.collect(MemorySegment.ofArray(part), in);
    }

    /** The part of each thread in an array of all molecules, by position. */
    private MemorySegment[] bands(double[] all) {
        MemorySegment[] bands = new MemorySegment[node.positions()];
        for (int i = 0; i < bands.length; i++) {
            Band band = size.band(i, bands.length);
            long bytes = (long) WIDTH * Double.BYTES;
            bands[i] =
                    MemorySegment.ofArray(all).asSlice(band.from() * bytes, band.length() * bytes);
        }
        return bands;
    }
}
