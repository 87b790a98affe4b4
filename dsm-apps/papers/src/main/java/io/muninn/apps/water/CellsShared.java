package io.muninn.apps.water;

import static io.muninn.apps.water.WaterCells.RECORD;
import static io.muninn.apps.water.WaterSize.SHARED;
import static io.muninn.apps.water.WaterSize.WIDTH;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Water by cells over shared memory: each cell has a linked list of its molecules, in ascending
 * order. After barrier <em>moved</em> all molecules have moved. After <em>sorted</em> the molecules
 * that have left their cell are in the list of the new cell; each list is changed under its lock.
 * After <em>counted</em> no thread reads positions.
 *
 * <p>With prefetches, a thread records the order in which it visits molecules. In the next step it
 * prefetches molecules some places ahead in that order, since lists change rarely. Before the first
 * step it follows the lists without loading molecules. Only the first thread of a node that reaches
 * a molecule prefetches it.
 *
 * <p>Source: Mowry §3.2 (prefetches by history, for linked lists), §5.1 (the first thread).
 */
final class CellsShared implements DsmProgram {
    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Reduction.Operator.SUM);

    /** Ends a list. */
    private static final int NONE = -1;

    @Shared(Protocol.LAZY)
    private final DoubleArray molecules;

    /** For each molecule, the next in its list. */
    @Shared(Protocol.LAZY)
    private final IntArray next;

    /** For each cell, the first molecule of its list. */
    @Shared(Protocol.LAZY)
    private final IntArray heads;

    private final WaterSize size;
    private final Prefetching prefetching;
    private final WaterCells cells;

    /** For molecules, and for lists at higher indices. */
    private final FirstThread first;

    /** Energies of each step, stored by the root's first thread. */
    private final double[] energies;

    /** A molecule that has moved from one cell to another. */
    private record Move(int molecule, int from, int to) {}

    CellsShared(WaterSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        cells = new WaterCells(new WaterModel(size.molecules()));
        first = new FirstThread(size.molecules() + 1);
        energies = new double[2 * (size.steps() + 1)];
        molecules = DoubleArray.of(SHARED * size.molecules());
        next = IntArray.of(size.molecules());
        heads = IntArray.of(cells.cells());
    }

    @Override
    public void initialize(DsmNode root) {
        heads.fill(NONE);
        for (int molecule = size.molecules() - 1; molecule >= 0; molecule--) {
            double[] record = cells.placed(molecule);
            store(molecule, record);
            int cell = cells.cell(record);
            next.set(molecule, heads.get(cell));
            heads.set(cell, molecule);
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier moved = node.barrier("moved");
        DsmBarrier sorted = node.barrier("sorted");
        DsmBarrier counted = node.barrier("counted");
        DsmLock[] locks = new DsmLock[cells.cells()];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = node.lock("cell-" + i);
        }
        Band mine = cells.band(node.position(), node.positions());
        History history = new History();
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                List<Move> moves = move(mine);
                moved.await();
                moves.forEach(one -> relink(one, locks));
                sorted.await();
            }
            history.begin(step, mine);
            double[] sums = counted.await(SUMS, force(node, mine, step, history));
            if (node.position() == 0) {
                System.arraycopy(sums, 0, energies, 2 * step, 2);
            }
        }
    }

    /** Moves the molecules of some cells; returns those that have left their cell. */
    private List<Move> move(Band mine) {
        List<Move> moves = new ArrayList<>();
        for (int cell = mine.from(); cell < mine.to(); cell++) {
            for (int i = heads.get(cell); i != NONE; i = next.get(i)) {
                double[] record = load(i);
                cells.move(record);
                store(i, record);
                int now = cells.cell(record);
                if (now != cell) {
                    moves.add(new Move(i, cell, now));
                }
            }
        }
        return moves;
    }

    private void relink(Move move, DsmLock[] locks) {
        int molecule = move.molecule();
        DsmLock from = locks[move.from()];
        from.lock();
        try {
            int before = before(move.from(), molecule);
            link(move.from(), before, next.get(molecule));
        } finally {
            from.unlock();
        }
        DsmLock to = locks[move.to()];
        to.lock();
        try {
            int before = before(move.to(), molecule);
            next.set(molecule, before == NONE ? heads.get(move.to()) : next.get(before));
            link(move.to(), before, molecule);
        } finally {
            to.unlock();
        }
    }

    /** The last molecule of a list whose number is lower than {@code molecule}. */
    private int before(int cell, int molecule) {
        int before = NONE;
        for (int i = heads.get(cell); i != NONE && i < molecule; i = next.get(i)) {
            before = i;
        }
        return before;
    }

    private void link(int cell, int before, int molecule) {
        if (before == NONE) {
            heads.set(cell, molecule);
        } else {
            next.set(before, molecule);
        }
    }

    /** Computes the forces on the molecules of some cells; returns their energies. */
    private double[] force(DsmNode node, Band mine, int step, History history) {
        double[] energy = new double[2];
        double[][][] loaded = new double[cells.cells()][][];
        for (int cell = mine.from(); cell < mine.to(); cell++) {
            for (int other : cells.around(cell)) {
                if (loaded[other] == null) {
                    loaded[other] = load(other, mine.contains(other) ? RECORD : WIDTH, history);
                }
            }
            cells.force(node, loaded[cell], cell, loaded, step > 0, energy);
        }
        for (int cell = mine.from(); cell < mine.to(); cell++) {
            int i = heads.get(cell);
            for (double[] record : loaded[cell]) {
                int from = WaterCells.VELOCITIES;
                molecules.copyFrom(SHARED * i + from, record, from, RECORD - from);
                i = next.get(i);
            }
        }
        return energy;
    }

    /**
     * Loads the first elements of the molecules of a list. Other threads may be changing the rest.
     */
    private double[][] load(int cell, int elements, History history) {
        List<double[]> records = new ArrayList<>();
        for (int i = heads.get(cell); i != NONE; i = next.get(i)) {
            history.come(i);
            double[] record = new double[RECORD];
            molecules.copyTo(SHARED * i, record, 0, elements);
            records.add(record);
        }
        return records.toArray(double[][]::new);
    }

    private double[] load(int molecule) {
        double[] record = new double[RECORD];
        molecules.copyTo(SHARED * molecule, record, 0, RECORD);
        return record;
    }

    private void store(int molecule, double[] record) {
        molecules.copyFrom(SHARED * molecule, record, 0, RECORD);
    }

    /** The order in which a thread visited molecules in the last step and in this one. */
    private final class History {
        private int[] last = {};
        private int[] now = {};
        private int count;
        private int step;

        void begin(int number, Band mine) {
            if (prefetching.isOn() && first.isFirst(size.molecules(), number)) {
                heads.prefetch(0, heads.length());
                next.prefetch(0, next.length());
            }
            last = prefetching.isOn() && number == 0 ? order(mine) : Arrays.copyOf(now, count);
            step = number;
            count = 0;
            for (int i = 0; i < prefetching.distance(); i++) {
                prefetch(i);
            }
        }

        /** The order in which the thread will visit molecules, from the lists only. */
        private int[] order(Band mine) {
            BitSet seen = new BitSet();
            IntStream.Builder order = IntStream.builder();
            for (int cell = mine.from(); cell < mine.to(); cell++) {
                for (int other : cells.around(cell)) {
                    if (!seen.get(other)) {
                        seen.set(other);
                        for (int i = heads.get(other); i != NONE; i = next.get(i)) {
                            order.add(i);
                        }
                    }
                }
            }
            return order.build().toArray();
        }

        /** Called before the thread loads a molecule. */
        void come(int molecule) {
            prefetch(count + prefetching.distance());
            if (count == now.length) {
                now = Arrays.copyOf(now, 2 * count + 64);
            }
            now[count++] = molecule;
        }

        private void prefetch(int place) {
            if (prefetching.isOn() && place < last.length && first.isFirst(last[place], step)) {
                long from = (long) SHARED * last[place];
                molecules.prefetch(from, from + RECORD);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[][] records = new double[size.molecules()][];
        Arrays.setAll(records, this::load);
        double[] results = WaterCells.results(energies, records);
        return WaterOracle.verifyCells(size, results, CellsSequential.run(size, root));
    }
}
