package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.ThreadGrid;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * One thread's part of OCEAN, in all versions: of every grid it has a part that is nearly square.
 * In each step of time all vorticities move; then cycles of relaxation, from the finest grid to the
 * coarsest and back, solve for the stream function, until no residual is larger than {@link
 * #TOLERANCE} times the largest vorticity. Each value is computed from others in one way, whoever
 * computes it, so that all versions give the same bits.
 */
final class OceanRun {
    /** Largest residual of a solution, as a part of the largest vorticity. */
    static final double TOLERANCE = 1e-3;

    /** More than are needed; a solver that needs more is wrong. */
    private static final int CYCLES_MAX = 100;

    /** Relaxations on the way to coarser grids, and as many on the way back. */
    private static final int SWEEPS = 2;

    private static final int SWEEPS_OF_COARSEST = 8;

    private final OceanSize size;
    private final DsmNode node;
    private final Links links;
    private final ThreadGrid threads;
    private final int position;

    /** By level: the stream function or a correction, its Laplacian, what that lacks. */
    private final List<OceanGrid> streams;

    private final List<OceanGrid> rights;
    private final List<OceanGrid> residuals;
    private final OceanGrid moved;

    /** The operations that differ between versions. */
    interface Links {
        /** All threads have ended a loop; of these grids each is going to look at others' parts. */
        void changed(OceanGrid... grids);

        /** The largest number of any thread. */
        double max(double mine);

        /** A loop over a part of a grid begins. */
        default void begin() {}

        /**
         * The loop comes to a row of the part, and looks at cells of a grid there and around.
         *
         * @param level of the loop
         */
        default void come(OceanGrid read, int level, int row) {}
    }

    /**
     * @param position of this thread, among those that divide the grids
     * @param positions how many these are
     * @param matrices makes the grids
     */
    OceanRun(OceanSize size, DsmNode node, int position, int positions, Links links, Grids grids) {
        this.size = size;
        this.node = node;
        this.position = position;
        this.links = links;
        threads = ThreadGrid.of(positions);
        streams = levels(level -> grids.of("stream-" + level, size.cells(level)));
        rights = levels(level -> grids.of("vorticity-" + level, size.cells(level)));
        residuals = levels(level -> grids.of("residual-" + level, size.cells(level)));
        moved = grids.of("moved", size.cells());
    }

    /** Makes grids of zeros. */
    interface Grids {
        OceanGrid of(String name, int cells);
    }

    private List<OceanGrid> levels(IntFunction<OceanGrid> grid) {
        return IntStream.range(0, size.levels()).mapToObj(grid).toList();
    }

    void run() {
        for (int step = 0; step < size.steps(); step++) {
            move();
            int cycles = 0;
            double limit = TOLERANCE * largest(rights.getFirst());
            while (links.max(residual(0)) > limit) {
                if (cycles++ == CYCLES_MAX) {
                    throw new IllegalStateException(
                            "no solution after " + CYCLES_MAX + " cycles of relaxation");
                }
                cycle(0);
            }
        }
    }

    /** The stream function, and the vorticity. */
    List<OceanGrid> results() {
        return List.of(streams.getFirst(), rights.getFirst());
    }

    /** The cells of all results, one after the other. */
    static double[] values(List<OceanGrid> results) {
        return results.stream().flatMapToDouble(grid -> Arrays.stream(grid.values())).toArray();
    }

    /** By row and column of this thread's part of a grid. */
    private interface Cell {
        void visit(int row, int column);
    }

    private void each(int level, int units, OceanGrid read, Cell cell) {
        Band rows = threads.rowsOf(position, size.cells(level));
        Band columns = threads.columnsOf(position, size.cells(level));
        links.begin();
        if (columns.isEmpty()) {
            return;
        }
        for (int row = rows.from(); row < rows.to(); row++) {
            links.come(read, level, row);
            for (int column = columns.from(); column < columns.to(); column++) {
                cell.visit(row, column);
            }
            node.work((long) units * columns.length());
        }
    }

    /** Vorticities after a step of time. */
    private void move() {
        OceanGrid stream = streams.getFirst();
        OceanGrid vorticity = rights.getFirst();
        each(
                0,
                OceanCells.MOTION_UNITS,
                stream,
                (row, column) ->
                        moved.set(row, column, OceanCells.moved(stream, vorticity, row, column)));
        links.changed();
        each(0, 1, moved, (row, column) -> vorticity.set(row, column, moved.get(row, column)));
        links.changed(vorticity);
    }

    private double largest(OceanGrid values) {
        double[] most = {0};
        each(
                0,
                1,
                values,
                (row, column) -> most[0] = Math.max(most[0], Math.abs(values.get(row, column))));
        return links.max(most[0]);
    }

    /** Computes the residuals of this thread's part of a grid; returns the largest. */
    private double residual(int level) {
        OceanGrid residual = residuals.get(level);
        double[] most = {0};
        each(
                level,
                OceanCells.RELAX_UNITS,
                streams.get(level),
                (row, column) -> {
                    double value =
                            OceanCells.residual(streams.get(level), rights.get(level), row, column);
                    residual.set(row, column, value);
                    most[0] = Math.max(most[0], Math.abs(value));
                });
        return most[0];
    }

    /** Improves a solution, by corrections from coarser grids. */
    private void cycle(int level) {
        if (level == size.levels() - 1) {
            relax(level, SWEEPS_OF_COARSEST);
            return;
        }
        relax(level, SWEEPS);
        residual(level);
        links.changed(residuals.get(level));
        OceanGrid coarse = streams.get(level + 1);
        each(
                level + 1,
                OceanCells.RELAX_UNITS,
                residuals.get(level),
                (row, column) -> {
                    double mean = OceanCells.restricted(residuals.get(level), row, column);
                    rights.get(level + 1).set(row, column, mean);
                    coarse.set(row, column, 0);
                });
        links.changed(coarse);
        cycle(level + 1);
        OceanGrid fine = streams.get(level);
        each(
                level,
                OceanCells.RELAX_UNITS,
                coarse,
                (row, column) ->
                        fine.set(
                                row,
                                column,
                                fine.get(row, column)
                                        + OceanCells.interpolated(coarse, row, column)));
        links.changed(fine);
        relax(level, SWEEPS);
    }

    private void relax(int level, int sweeps) {
        OceanGrid stream = streams.get(level);
        for (int half = 0; half < 2 * sweeps; half++) {
            int colour = half % 2 == 0 ? OceanCells.RED : OceanCells.BLACK;
            each(
                    level,
                    OceanCells.RELAX_UNITS / 2,
                    stream,
                    (row, column) -> {
                        if ((row + column) % 2 == colour) {
                            OceanCells.relax(stream, rights.get(level), row, column);
                        }
                    });
            links.changed(stream);
        }
    }

    /** Runs on one thread; the results, on the heap. */
    static double[] alone(OceanSize size, DsmNode node) {
        Links none =
                new Links() {
                    @Override
                    public void changed(OceanGrid... grids) {}

                    @Override
                    public double max(double mine) {
                        return mine;
                    }
                };
        OceanRun run =
                new OceanRun(size, node, 0, 1, none, (name, cells) -> OceanGrid.local(cells));
        run.run();
        return values(run.results());
    }
}
