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
 * LU over shared memory, with two barriers per step. After barrier <em>factored</em> the tile on
 * the diagonal has been factored; after <em>solved</em> the tiles below and right of it have been
 * solved. The owner of the next tile on the diagonal factors it, which needs no barrier.
 *
 * <p>With prefetches, a thread prefetches the tiles of a product some products ahead: the tiles of
 * other threads, and its own tiles in the first step, because the root has filled them, and
 * wherever they share pages with tiles of other threads. It prefetches the tiles that it solves in
 * the same way, and the whole tile on the diagonal at once. Only the first thread of a node that
 * reaches a tile prefetches it.
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

    /**
     * Whether tiles of several threads share a page, so that a thread's own tiles become invalid.
     */
    private final boolean sharesPages;

    /** For tiles of L by row, then for tiles of U by column; for tiles on the diagonal by step. */
    private final FirstThread first;

    /** A tile from which a product is subtracted. */
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

    /**
     * Prefetches this thread's tiles at index {@code i} of the step's column and row, if they
     * exist.
     */
    private void prefetchEdge(DsmNode node, ThreadGrid grid, int step, int i) {
        if (i < size.tiles() && grid.owner(i, step) == node.position()) {
            prefetchOwn(grid, i, step, step);
        }
        if (i < size.tiles() && grid.owner(step, i) == node.position()) {
            prefetchOwn(grid, step, i, step);
        }
    }

    /** Prefetches a tile to which only this thread stores, if its copy may be invalid. */
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

    /** The tasks of a step for a thread's tiles, row by row. */
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

    /** Prefetches the tiles of tasks {@code from} to {@code to}, as far as they exist. */
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
