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
 * other threads, and for its own in the first step, because the root has filled them, and wherever
 * they share pages with those of others. In the same way it asks for the tiles that it solves, and
 * at once for all of the diagonal's. Of the threads of a node only the first that comes to a tile
 * asks for it.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (the first thread).
 */
final class LuShared implements DsmProgram {
    /** Elements of a page. */
    private static final int PAGE = 4096 / Double.BYTES;

    @Shared(Protocol.LAZY)
    private final DoubleArray elements;

    private final LuSize size;
    private final LuTiles tiles;
    private final Prefetching prefetching;

    /** Whether tiles of several threads are in one page, so that each loses those of its own. */
    private final boolean sharesPages;

    /** Of tiles of L by row, then of tiles of U by column; of the diagonal's by step. */
    private final FirstThread first;

    /** A product for a tile. */
    private record Task(int row, int column) {}

    LuShared(LuSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        tiles = new LuTiles(size);
        sharesPages = size.layout() != LuSize.Layout.OWNED && size.runLength() % PAGE != 0;
        first = new FirstThread(2 * size.tiles());
        elements = DoubleArray.of(size.size() * size.size());
    }

    @Override
    public void initialize(DsmNode root) {
        ThreadGrid grid = ThreadGrid.of(root.positions());
        for (int row = 0; row < size.tiles(); row++) {
            for (int column = 0; column < size.tiles(); column++) {
                store(grid, row, column, LuTiles.filled(size, row, column));
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
                double[] diagonal = load(grid, step, step);
                tiles.factor(diagonal);
                node.work(tiles.factorUnits());
                store(grid, step, step, diagonal);
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
        if (prefetching.isOn() && first.isFirst(step, step)) {
            prefetch(grid, step, step, Mode.READ);
        }
        for (int i = step + 1; i <= step + prefetching.distance(); i++) {
            prefetchEdge(node, grid, step, i);
        }
        double[] diagonal = load(grid, step, step);
        for (int i = step + 1; i < size.tiles(); i++) {
            prefetchEdge(node, grid, step, i + prefetching.distance());
            if (grid.owner(i, step) == node.position()) {
                double[] lower = load(grid, i, step);
                tiles.solveUpper(lower, diagonal);
                node.work(tiles.solveUnits());
                store(grid, i, step, lower);
            }
            if (grid.owner(step, i) == node.position()) {
                double[] upper = load(grid, step, i);
                tiles.solveLower(upper, diagonal);
                node.work(tiles.solveUnits());
                store(grid, step, i, upper);
            }
        }
    }

    /** Asks for a thread's tiles of a column and a row, as far as there are so many. */
    private void prefetchEdge(DsmNode node, ThreadGrid grid, int step, int i) {
        if (i < size.tiles() && grid.owner(i, step) == node.position()) {
            prefetchOwn(grid, i, step, step);
        }
        if (i < size.tiles() && grid.owner(step, i) == node.position()) {
            prefetchOwn(grid, step, i, step);
        }
    }

    /** Asks for a tile that only this thread stores to, if it may lack it. */
    private void prefetchOwn(ThreadGrid grid, int row, int column, int step) {
        if (prefetching.isOn() && (step == 0 || sharesPages)) {
            prefetch(grid, row, column, Mode.WRITE);
        }
    }

    private void multiply(DsmNode node, ThreadGrid grid, int step) {
        List<Task> tasks = tasks(node, grid, step);
        double[][] uppers = new double[size.tiles()][];
        double[] lower = {};
        int lowerRow = -1;
        prefetch(grid, tasks, 0, prefetching.distance(), step);
        for (int i = 0; i < tasks.size(); i++) {
            prefetch(grid, tasks, i + prefetching.distance(), i + prefetching.distance() + 1, step);
            int row = tasks.get(i).row();
            int column = tasks.get(i).column();
            if (row != lowerRow) {
                lower = load(grid, row, step);
                lowerRow = row;
            }
            if (uppers[column] == null) {
                uppers[column] = load(grid, step, column);
            }
            double[] tile = load(grid, row, column);
            tiles.multiply(tile, lower, uppers[column]);
            node.work(tiles.multiplyUnits());
            store(grid, row, column, tile);
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

    /** Prefetches the tiles of the next products, if there are so many. */
    private void prefetch(ThreadGrid grid, List<Task> tasks, int from, int to, int step) {
        if (!prefetching.isOn()) {
            return;
        }
        for (int i = from; i < Math.min(to, tasks.size()); i++) {
            int row = tasks.get(i).row();
            int column = tasks.get(i).column();
            if (first.isFirst(row, step)) {
                prefetch(grid, row, step, Mode.READ);
            }
            if (first.isFirst(size.tiles() + column, step)) {
                prefetch(grid, step, column, Mode.READ);
            }
            prefetchOwn(grid, row, column, step);
        }
    }

    private void prefetch(ThreadGrid grid, int row, int column, Mode mode) {
        for (int run = 0; run < size.runs(); run++) {
            int from = size.start(row, column, run, grid);
            elements.prefetch(from, from + size.runLength(), mode);
        }
    }

    private double[] load(ThreadGrid grid, int row, int column) {
        double[] tile = new double[size.area()];
        int length = size.runLength();
        for (int run = 0; run < size.runs(); run++) {
            elements.copyTo(size.start(row, column, run, grid), tile, run * length, length);
        }
        return tile;
    }

    private void store(ThreadGrid grid, int row, int column, double[] tile) {
        int length = size.runLength();
        for (int run = 0; run < size.runs(); run++) {
            elements.copyFrom(size.start(row, column, run, grid), tile, run * length, length);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        ThreadGrid grid = ThreadGrid.of(root.positions());
        int n = size.tiles();
        double[][] all = new double[n * n][];
        for (int i = 0; i < all.length; i++) {
            all[i] = load(grid, i / n, i % n);
        }
        return LuOracle.verify(size, LuSequential.inRows(size, all));
    }
}
