package io.muninn.apps.lu;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;
import io.muninn.apps.ThreadGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * LU over shared memory. Two barriers a step: behind <em>factored</em> all have the factors of the
 * diagonal's tile, behind <em>solved</em> those below and right of it. The next tile on the
 * diagonal is factored by the thread that has it, which needs no barrier for that.
 *
 * <p>With prefetches a thread asks for the tiles of a product some products ahead: for those of
 * other threads, and in the first step for its own, which the root has filled. Of the threads of a
 * node only the first that comes to a tile asks for it.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (the first thread).
 */
final class LuShared implements DsmProgram {
    @Shared(Protocol.LAZY)
    private final DoubleArray elements;

    private final LuSize size;
    private final LuTiles tiles;
    private final Prefetching prefetching;

    /** Of tiles of L by row, then of tiles of U by column. */
    private final FirstThread first;

    /** A product for a tile. */
    private record Task(int row, int column) {}

    LuShared(LuSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        tiles = new LuTiles(size);
        first = new FirstThread(2 * size.tiles());
        elements = DoubleArray.of(size.size() * size.size());
    }

    @Override
    public void initialize(DsmNode root) {
        for (int row = 0; row < size.tiles(); row++) {
            for (int column = 0; column < size.tiles(); column++) {
                store(row, column, LuTiles.filled(size, row, column));
            }
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier factored = node.barrier("factored");
        DsmBarrier solved = node.barrier("solved");
        ThreadGrid grid = ThreadGrid.of(node.positions());
        for (int step = 0; step < size.tiles(); step++) {
            if (grid.owner(step, step) == node.position()) {
                double[] diagonal = load(step, step);
                tiles.factor(diagonal);
                node.work(tiles.factorUnits());
                store(step, step, diagonal);
            }
            factored.await();
            solve(node, grid, step);
            solved.await();
            multiply(node, grid, step);
        }
    }

    private void solve(DsmNode node, ThreadGrid grid, int step) {
        boolean hasColumn = grid.hasColumn(node.position(), step);
        boolean hasRow = grid.hasRow(node.position(), step);
        if (!hasColumn && !hasRow) {
            return;
        }
        double[] diagonal = load(step, step);
        for (int i = step + 1; i < size.tiles(); i++) {
            if (grid.owner(i, step) == node.position()) {
                double[] lower = load(i, step);
                tiles.solveUpper(lower, diagonal);
                node.work(tiles.solveUnits());
                store(i, step, lower);
            }
            if (grid.owner(step, i) == node.position()) {
                double[] upper = load(step, i);
                tiles.solveLower(upper, diagonal);
                node.work(tiles.solveUnits());
                store(step, i, upper);
            }
        }
    }

    private void multiply(DsmNode node, ThreadGrid grid, int step) {
        List<Task> tasks = tasks(node, grid, step);
        double[][] uppers = new double[size.tiles()][];
        double[] lower = {};
        int lowerRow = -1;
        prefetch(tasks, 0, prefetching.distance(), step);
        for (int i = 0; i < tasks.size(); i++) {
            prefetch(tasks, i + prefetching.distance(), i + prefetching.distance() + 1, step);
            int row = tasks.get(i).row();
            int column = tasks.get(i).column();
            if (row != lowerRow) {
                lower = load(row, step);
                lowerRow = row;
            }
            if (uppers[column] == null) {
                uppers[column] = load(step, column);
            }
            double[] tile = load(row, column);
            tiles.multiply(tile, lower, uppers[column]);
            node.work(tiles.multiplyUnits());
            store(row, column, tile);
        }
    }

    /** The products of a step for a thread's tiles, row by row. */
    private List<Task> tasks(DsmNode node, ThreadGrid grid, int step) {
        List<Task> tasks = new ArrayList<>();
        for (int row = step + 1; row < size.tiles(); row++) {
            for (int column = step + 1; column < size.tiles(); column++) {
                if (grid.owner(row, column) == node.position()) {
                    tasks.add(new Task(row, column));
                }
            }
        }
        return tasks;
    }

    /** Asks for what some products need, as far as there are so many. */
    private void prefetch(List<Task> tasks, int from, int to, int step) {
        if (!prefetching.isOn()) {
            return;
        }
        for (int i = from; i < Math.min(to, tasks.size()); i++) {
            int row = tasks.get(i).row();
            int column = tasks.get(i).column();
            if (first.isFirst(row, step)) {
                prefetch(row, step, Mode.READ);
            }
            if (first.isFirst(size.tiles() + column, step)) {
                prefetch(step, column, Mode.READ);
            }
            if (step == 0) {
                prefetch(row, column, Mode.WRITE);
            }
        }
    }

    private void prefetch(int row, int column, Mode mode) {
        for (int run = 0; run < size.runs(); run++) {
            int from = size.start(row, column, run);
            elements.prefetch(from, from + size.runLength(), mode);
        }
    }

    private double[] load(int row, int column) {
        double[] tile = new double[size.area()];
        int length = size.runLength();
        for (int run = 0; run < size.runs(); run++) {
            elements.copyTo(size.start(row, column, run), tile, run * length, length);
        }
        return tile;
    }

    private void store(int row, int column, double[] tile) {
        int length = size.runLength();
        for (int run = 0; run < size.runs(); run++) {
            elements.copyFrom(size.start(row, column, run), tile, run * length, length);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        int n = size.tiles();
        double[][] all = new double[n * n][];
        for (int i = 0; i < all.length; i++) {
            all[i] = load(i / n, i % n);
        }
        return LuOracle.verify(size, LuSequential.inRows(size, all));
    }
}
