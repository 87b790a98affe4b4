package io.muninn.apps.water;

import static io.muninn.apps.water.WaterSize.SHARED;
import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Water by pairs over shared memory. Each thread moves its molecules and computes the forces of its
 * pairs in a private table. The threads of a node add the sums of their tables to the shared
 * forces, each molecule under its lock. After barrier <em>moved</em> all molecules have moved and
 * their forces are zero. After <em>forced</em> the forces are complete.
 *
 * <p>With prefetches, a thread prefetches the positions of molecules some groups ahead of their
 * pairs. Only the first thread of a node that reaches a page does so. It prefetches forces some
 * locks ahead, and again before it takes their own lock, since each lock brings write notices for
 * their page.
 *
 * <p>Source: Mowry §3.2 (prefetches before locks), §4.2 (tables in common), §5.1 (the first
 * thread).
 */
final class PairsShared implements DsmProgram {
    /** Number of molecules that are loaded at a time. */
    private static final int GROUP = 64;

    /** Elements of a page. */
    private static final int PAGE = 4096 / Double.BYTES;

    /** Forces are prefetched so many locks ahead, and once more before their own lock. */
    private static final int LOCKS_AHEAD = 2;

    /** The first element of the forces in a record; positions begin at element 0. */
    private static final int FORCES = SHARED - WIDTH;

    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Reduction.Operator.SUM);

    /** One record for each molecule. */
    @Shared(Protocol.LAZY)
    private final DoubleArray molecules;

    /** Velocities at the end of the run. */
    @Shared(Protocol.LAZY)
    private final DoubleArray velocities;

    private final WaterSize size;
    private final Prefetching prefetching;
    private final WaterModel model;
    private final FirstThread firstAtPositions;

    /** Tables of this node's threads, by thread. */
    private final Map<Integer, PairTable> tables = new ConcurrentHashMap<>();

    /** Energies of each step, stored by the root's first thread. */
    private final double[] energies;

    PairsShared(WaterSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        model = new WaterModel(size.molecules());
        energies = new double[2 * (size.steps() + 1)];
        molecules = DoubleArray.of(SHARED * size.molecules());
        velocities = DoubleArray.of(size.length());
        firstAtPositions = new FirstThread(molecules.length() / PAGE + 1);
    }

    @Override
    public void initialize(DsmNode root) {
        double[] molecule = new double[WIDTH];
        for (int i = 0; i < size.molecules(); i++) {
            model.place(i, molecule, 0);
            molecules.copyFrom(SHARED * i, molecule, 0, WIDTH);
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier moved = node.barrier("moved");
        DsmBarrier forced = node.barrier("forced");
        DsmBarrier counted = node.barrier("counted");
        DsmLock[] locks = new DsmLock[size.molecules()];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = node.lock("molecule-" + i);
        }
        Band mine = size.band(node.position(), node.positions());
        tables.put(node.thread(), new PairTable(size, model, mine));
        double[] speeds = new double[WIDTH * mine.length()];
        for (int i = 0; i < mine.length(); i++) {
            model.start(mine.from() + i, speeds, WIDTH * i);
        }
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                move(mine, speeds);
            }
            moved.await();
            double potential = compute(node, mine, step);
            add(node, locks);
            forced.await();
            double kinetic = kick(mine, speeds, step > 0);
            double[] sums = counted.await(SUMS, new double[] {potential, kinetic});
            if (node.position() == 0) {
                System.arraycopy(sums, 0, energies, 2 * step, 2);
            }
        }
        velocities.copyFrom(WIDTH * mine.from(), speeds, 0, speeds.length);
    }

    private void move(Band mine, double[] speeds) {
        double[] x = load(mine, 0);
        double[] f = load(mine, FORCES);
        for (int i = 0; i < x.length; i += WIDTH) {
            model.kick(speeds, i, f, i);
            model.drift(x, i, speeds, i);
        }
        for (int i = 0; i < mine.length(); i++) {
            int record = SHARED * (mine.from() + i);
            molecules.copyFrom(record, x, WIDTH * i, WIDTH);
            molecules.copyFrom(record + FORCES, new double[WIDTH], 0, WIDTH);
        }
    }

    private double kick(Band mine, double[] speeds, boolean hasMoved) {
        double[] f = load(mine, FORCES);
        double kinetic = 0;
        for (int i = 0; i < f.length; i += WIDTH) {
            if (hasMoved) {
                model.kick(speeds, i, f, i);
            }
            kinetic += model.kinetic(speeds, i);
        }
        return kinetic;
    }

    /** Positions or forces of some molecules. */
    private double[] load(Band which, int element) {
        double[] values = new double[WIDTH * which.length()];
        for (int i = 0; i < which.length(); i++) {
            int record = SHARED * (which.from() + i);
            molecules.copyTo(record + element, values, WIDTH * i, WIDTH);
        }
        return values;
    }

    /** Computes the forces of this thread's pairs; returns their potential energy. */
    private double compute(DsmNode node, Band mine, int step) {
        PairTable table = table(node.thread());
        table.clear();
        int reach = table.reach();
        prefetchPositions(table, mine.length(), prefetching.distance(), step);
        loadPositions(table, 0, mine.length());
        double energy = table.inside(node);
        for (int i = 0; i < mine.length(); i++) {
            energy += table.with(node, table.following(i));
        }
        for (int from = mine.length(); from < reach; from += GROUP) {
            prefetchPositions(table, from + GROUP * prefetching.distance(), 1, step);
            int to = Math.min(from + GROUP, reach);
            loadPositions(table, from, to);
            for (int i = from; i < to; i++) {
                energy += table.with(node, table.following(i));
            }
        }
        return energy;
    }

    /** Loads positions of molecules, counted cyclically from this thread's first. */
    private void loadPositions(PairTable table, int from, int to) {
        for (int next = from; next < to; next++) {
            int molecule = table.following(next);
            molecules.copyTo(SHARED * molecule, table.positions, WIDTH * molecule, WIDTH);
        }
    }

    private void prefetchPositions(PairTable table, int from, int groups, int step) {
        if (!prefetching.isOn()) {
            return;
        }
        int to = Math.min(from + GROUP * groups, table.reach());
        for (int i = from; i < to; i++) {
            prefetchPosition(table.following(i), step);
        }
    }

    /** Prefetches the page of a molecule, unless a thread of this node has done so in this step. */
    private void prefetchPosition(int molecule, int step) {
        int page = SHARED * molecule / PAGE;
        if (firstAtPositions.isFirst(page, step)) {
            long end = Math.min((page + 1L) * PAGE, molecules.length());
            molecules.prefetch((long) page * PAGE, end);
        }
    }

    /**
     * Adds the forces in the tables of this node's threads to the shared forces. Each thread does
     * so for a part of the molecules.
     */
    private void add(DsmNode node, DsmLock[] locks) {
        if (node.threads() > 1) {
            node.barrier("tables-" + node.id(), node.threads()).await();
        }
        int begin = node.id() * node.threads();
        int first = size.band(begin, node.positions()).from();
        int own = size.band(begin + node.threads() - 1, node.positions()).to() - first;
        int reach = own == 0 ? 0 : Math.min(size.molecules(), own + size.molecules() / 2);
        Band share = Band.of(reach, node.thread(), node.threads());
        double[] sum = new double[WIDTH];
        for (int i = share.from(); i < share.to(); i++) {
            int molecule = (first + i) % size.molecules();
            int later = (first + Math.min(i + LOCKS_AHEAD, share.to() - 1)) % size.molecules();
            sum(node, molecule, sum);
            prefetchForces(molecule);
            prefetchForces(later);
            add(locks[molecule], molecule, sum);
        }
    }

    /** Prefetches the forces of a molecule. */
    private void prefetchForces(int molecule) {
        if (prefetching.isOn()) {
            long from = (long) SHARED * molecule + FORCES;
            molecules.prefetch(from, from + WIDTH, Mode.WRITE);
        }
    }

    private PairTable table(int thread) {
        return Objects.requireNonNull(tables.get(thread), "a thread without a table");
    }

    /** The sum of a molecule's forces over the tables. */
    private void sum(DsmNode node, int molecule, double[] sum) {
        for (int i = 0; i < WIDTH; i++) {
            sum[i] = 0;
            for (int thread = 0; thread < node.threads(); thread++) {
                sum[i] += table(thread).forces[WIDTH * molecule + i];
            }
        }
        node.work((long) WIDTH * node.threads());
    }

    private void add(DsmLock lock, int molecule, double[] sum) {
        lock.lock();
        try {
            double[] f = new double[WIDTH];
            molecules.copyTo(SHARED * molecule + FORCES, f, 0, WIDTH);
            for (int i = 0; i < WIDTH; i++) {
                f[i] += sum[i];
            }
            molecules.copyFrom(SHARED * molecule + FORCES, f, 0, WIDTH);
        } finally {
            lock.unlock();
        }
    }

    private double[] velocities() {
        double[] all = new double[size.length()];
        velocities.copyTo(0, all, 0, all.length);
        return all;
    }

    @Override
    public Verdict verify(DsmNode root) {
        Band all = new Band(0, size.molecules());
        double[] results = WaterOracle.results(energies, load(all, 0), velocities());
        return WaterOracle.verifyPairs(size, results, PairsSequential.run(size, root));
    }
}
