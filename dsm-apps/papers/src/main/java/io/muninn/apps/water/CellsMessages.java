package io.muninn.apps.water;

import static io.muninn.apps.water.WaterCells.RECORD;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Water by cells with messages: each thread has the molecules of its cells. In each step, molecules
 * that have left these cells are sent to the owner of their new cell. Copies of molecules are sent
 * to the threads that own neighbouring cells. The threads exchange the numbers of molecules before.
 */
final class CellsMessages {
    /** Elements of a molecule in a message: its number, then its record. */
    private static final int PARCEL = 1 + RECORD;

    private final WaterSize size;
    private final WaterCells cells;
    private final DsmNode node;
    private final Exchange exchange;
    private final int positions;
    private final int self;

    /** This thread's molecules, by number. */
    private final Map<Integer, double[]> mine = new TreeMap<>();

    private CellsMessages(WaterSize size, DsmNode node) {
        this.size = size;
        this.node = node;
        cells = new WaterCells(new WaterModel(size.molecules()));
        exchange = new Exchange(node);
        positions = node.positions();
        self = node.position();
        for (int i = 0; i < size.molecules(); i++) {
            double[] record = cells.placed(i);
            if (owner(cells.cell(record)) == self) {
                mine.put(i, record);
            }
        }
    }

    static double[] run(WaterSize size, DsmNode node) {
        return new CellsMessages(size, node).run();
    }

    private int owner(int cell) {
        int position = 0;
        while (!cells.band(position, positions).contains(cell)) {
            position++;
        }
        return position;
    }

    private double[] run() {
        double[] energies = new double[2 * (size.steps() + 1)];
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                mine.values().forEach(cells::move);
                migrate();
            }
            double[][][] lists = lists(withCopies());
            Band band = cells.band(self, positions);
            double[] energy = new double[2];
            for (int cell = band.from(); cell < band.to(); cell++) {
                cells.force(node, lists[cell], cell, lists, step > 0, energy);
            }
            addUp(energy, energies, 2 * step);
        }
        return collect(energies);
    }

    /** Sends molecules to the owners of their cells. */
    private void migrate() {
        double[][] out = new double[positions][];
        for (int other = 0; other < positions; other++) {
            Map<Integer, double[]> leaving = new TreeMap<>();
            for (Map.Entry<Integer, double[]> molecule : mine.entrySet()) {
                if (other != self && owner(cells.cell(molecule.getValue())) == other) {
                    leaving.put(molecule.getKey(), molecule.getValue());
                }
            }
            out[other] = parcels(leaving);
            leaving.keySet().forEach(mine::remove);
        }
        for (double[] in : swap(out)) {
            unpack(in, mine);
        }
    }

    /** This thread's molecules and copies of the molecules in neighbouring cells. */
    private Map<Integer, double[]> withCopies() {
        double[][] out = new double[positions][];
        for (int other = 0; other < positions; other++) {
            boolean[] isNear = new boolean[cells.cells()];
            Band band = cells.band(other, positions);
            for (int cell = band.from(); cell < band.to(); cell++) {
                for (int near : cells.around(cell)) {
                    isNear[near] = true;
                }
            }
            Map<Integer, double[]> near = new TreeMap<>();
            for (Map.Entry<Integer, double[]> molecule : mine.entrySet()) {
                if (other != self && isNear[cells.cell(molecule.getValue())]) {
                    near.put(molecule.getKey(), molecule.getValue());
                }
            }
            out[other] = parcels(near);
        }
        Map<Integer, double[]> all = new TreeMap<>(mine);
        for (double[] in : swap(out)) {
            unpack(in, all);
        }
        return all;
    }

    /** The molecules of each cell in ascending order. */
    private double[][][] lists(Map<Integer, double[]> molecules) {
        double[][][] lists = new double[cells.cells()][0][];
        for (double[] record : molecules.values()) {
            int cell = cells.cell(record);
            lists[cell] = Arrays.copyOf(lists[cell], lists[cell].length + 1);
            lists[cell][lists[cell].length - 1] = record;
        }
        return lists;
    }

    private static double[] parcels(Map<Integer, double[]> molecules) {
        double[] parcels = new double[PARCEL * molecules.size()];
        int at = 0;
        for (Map.Entry<Integer, double[]> molecule : molecules.entrySet()) {
            parcels[at] = molecule.getKey();
            System.arraycopy(molecule.getValue(), 0, parcels, at + 1, RECORD);
            at += PARCEL;
        }
        return parcels;
    }

    private static void unpack(double[] parcels, Map<Integer, double[]> target) {
        for (int at = 0; at < parcels.length; at += PARCEL) {
            target.put((int) parcels[at], Arrays.copyOfRange(parcels, at + 1, at + PARCEL));
        }
    }

    /** Swaps arrays whose lengths the receivers do not know. */
    private double[][] swap(double[][] out) {
        double[][] in = new double[positions][1];
        double[][] lengths = new double[positions][1];
        Arrays.setAll(lengths, i -> new double[] {out[i].length});
        exchange.swap(parts(lengths), parts(in));
        Arrays.setAll(in, i -> new double[(int) in[i][0]]);
        exchange.swap(parts(out), parts(in));
        return in;
    }

    private static MemorySegment[] parts(double[][] arrays) {
        return Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
    }

    /** Adds two energies of all threads. */
    private void addUp(double[] energy, double[] target, int at) {
        double[][] in = new double[positions][2];
        exchange.share(MemorySegment.ofArray(energy), parts(in));
        for (double[] part : in) {
            target[at] += part[0];
            target[at + 1] += part[1];
        }
    }

    private double[] collect(double[] energies) {
        double[][] counts = new double[positions][1];
        exchange.share(MemorySegment.ofArray(new double[] {mine.size()}), parts(counts));
        double[][] in = new double[positions][];
        Arrays.setAll(in, i -> new double[self == 0 ? PARCEL * (int) counts[i][0] : 0]);
        exchange.collect(MemorySegment.ofArray(parcels(mine)), parts(in));
        Map<Integer, double[]> all = new TreeMap<>();
        for (double[] parcels : in) {
            unpack(parcels, all);
        }
        return self == 0
                ? WaterCells.results(energies, all.values().toArray(double[][]::new))
                : new double[0];
    }
}
