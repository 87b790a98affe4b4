package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.SHARED;
import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteDoubles;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Structure;

/**
 * Water by pairs over shared memory, at some levels of structure. Energies are sums under a lock.
 *
 * <p>Structure. At first the lock of the sums lies on their page, and a molecule has 576 bytes. A
 * molecule is then padded to 1024 bytes, four on a page; the lock is separated; the sums become
 * remote variables.
 *
 * <p>Source: Kontothanassis and Scott, sections 3 and 4.3. Departure: the sums stand for all
 * synchronization variables of the program; the locks of molecules do not lie in pages.
 */
final class PairsLevels implements DsmProgram {
    /** Elements of a molecule that is padded. */
    private static final int PADDED = 128;

    /** The first element of the forces in a record; positions begin at element 0. */
    private static final int FORCES = SHARED - WIDTH;

    /** One record for each molecule. */
    @Shared(Protocol.LAZY)
    private final DoubleArray molecules;

    /** Velocities at the end of the run. */
    @Shared(Protocol.LAZY)
    private final DoubleArray velocities;

    /** Potential and kinetic energy of each step. */
    @Shared private final DoubleArray sums;

    @Shared private final RemoteDoubles remoteSums;

    private final WaterSize size;
    private final WaterModel model;
    private final Structure structure;
    private final int record;

    PairsLevels(WaterSize size) {
        this.size = size;
        structure = size.structure();
        model = new WaterModel(size.molecules());
        record = structure.has(Structure.PADDED) ? PADDED : SHARED;
        molecules = DoubleArray.of(record * size.molecules());
        velocities = DoubleArray.of(size.length());
        sums = DoubleArray.of(2 * (size.steps() + 1));
        remoteSums = RemoteDoubles.of(2 * (size.steps() + 1));
    }

    @Override
    public void initialize(DsmNode root) {
        double[] molecule = new double[WIDTH];
        for (int i = 0; i < size.molecules(); i++) {
            model.place(i, molecule, 0);
            molecules.copyFrom(record * i, molecule, 0, WIDTH);
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("phase");
        DsmLock lock = node.lock("sums");
        if (!structure.has(Structure.SEPARATED)) {
            lock.guards(sums, 0, Math.min(sums.length(), 2));
        }
        Band mine = size.band(node.position(), node.positions());
        PairTable table = new PairTable(size, model, mine);
        double[] speeds = new double[WIDTH * mine.length()];
        for (int i = 0; i < mine.length(); i++) {
            model.start(mine.from() + i, speeds, WIDTH * i);
        }
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                move(node, mine, speeds);
            }
            barrier.await();
            addSum(lock, 2 * step, compute(node, table));
            addForces(node, table);
            barrier.await();
            addSum(lock, 2 * step + 1, kick(node, mine, speeds, step > 0));
            barrier.await();
        }
        velocities.copyFrom(WIDTH * mine.from(), speeds, 0, speeds.length);
    }

    private void addSum(DsmLock lock, int index, double amount) {
        if (structure.has(Structure.REMOTE)) {
            remoteSums.add(index, amount);
            return;
        }
        lock.lock();
        try {
            sums.set(index, sums.get(index) + amount);
        } finally {
            lock.unlock();
        }
    }

    private void move(DsmNode node, Band mine, double[] speeds) {
        double[] x = new double[WIDTH];
        double[] f = new double[WIDTH];
        for (int i = 0; i < mine.length(); i++) {
            int at = record * (mine.from() + i);
            molecules.copyTo(at, x, 0, WIDTH);
            molecules.copyTo(at + FORCES, f, 0, WIDTH);
            model.kick(speeds, WIDTH * i, f, 0);
            model.drift(x, 0, speeds, WIDTH * i);
            molecules.copyFrom(at, x, 0, WIDTH);
            molecules.copyFrom(at + FORCES, new double[WIDTH], 0, WIDTH);
            node.work(WaterModel.MOLECULE_UNITS);
        }
    }

    private double kick(DsmNode node, Band mine, double[] speeds, boolean hasMoved) {
        double[] f = new double[WIDTH];
        double kinetic = 0;
        for (int i = 0; i < mine.length(); i++) {
            molecules.copyTo(record * (mine.from() + i) + FORCES, f, 0, WIDTH);
            if (hasMoved) {
                model.kick(speeds, WIDTH * i, f, 0);
            }
            kinetic += model.kinetic(speeds, WIDTH * i);
            node.work(WaterModel.MOLECULE_UNITS);
        }
        return kinetic;
    }

    /** Computes the forces of this thread's pairs; returns their potential energy. */
    private double compute(DsmNode node, PairTable table) {
        table.clear();
        for (int i = 0; i < table.reach(); i++) {
            int molecule = table.following(i);
            molecules.copyTo(record * molecule, table.positions, WIDTH * molecule, WIDTH);
        }
        double energy = table.inside(node);
        for (int i = 0; i < table.reach(); i++) {
            energy += table.with(node, table.following(i));
        }
        return energy;
    }

    /** Adds the forces of the table to the shared ones. */
    private void addForces(DsmNode node, PairTable table) {
        double[] f = new double[WIDTH];
        for (int i = 0; i < table.reach(); i++) {
            int molecule = table.following(i);
            int at = record * molecule + FORCES;
            DsmLock lock = node.lock("molecule-" + molecule);
            lock.lock();
            try {
                molecules.copyTo(at, f, 0, WIDTH);
                for (int j = 0; j < WIDTH; j++) {
                    f[j] += table.forces[WIDTH * molecule + j];
                }
                molecules.copyFrom(at, f, 0, WIDTH);
            } finally {
                lock.unlock();
            }
            node.work(WIDTH);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] positions = new double[size.length()];
        for (int i = 0; i < size.molecules(); i++) {
            molecules.copyTo(record * i, positions, WIDTH * i, WIDTH);
        }
        double[] energies = new double[sums.length()];
        for (int i = 0; i < energies.length; i++) {
            energies[i] = structure.has(Structure.REMOTE) ? remoteSums.get(i) : sums.get(i);
        }
        double[] speeds = new double[size.length()];
        velocities.copyTo(0, speeds, 0, speeds.length);
        double[] results = WaterOracle.results(energies, positions, speeds);
        return WaterOracle.verifyPairs(size, results, PairsSequential.run(size, root));
    }
}
