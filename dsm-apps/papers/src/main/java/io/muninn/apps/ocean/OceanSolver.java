package io.muninn.apps.ocean;

import java.util.ArrayList;
import java.util.List;

/**
 * Solves ∇²values - k values = right, with zero at the walls, by red-black Gauss-Seidel on several
 * grids, each with half the cells in a row of the one before. After each relaxation of a grid all
 * threads compare its residuals: if they are small, its values correct the finer grid; if they
 * hardly shrink any more, a coarser grid computes an approximate correction.
 *
 * <p>Source: Brandt, "Multi-level adaptive solutions to boundary-value problems", Mathematics of
 * Computation 31, 1977 (cycle C: a grid is left according to its residuals), which Woo et al. name.
 */
final class OceanSolver {
    /** Largest residual of a solution, as a part of the largest value of the right-hand side. */
    static final double TOLERANCE = 1e-3;

    /** A coarser grid is next if a relaxation leaves more of the residual than this. */
    private static final double SLOW = 0.5;

    /** A correction is good enough if it leaves this part of the residual that it corrects. */
    private static final double CORRECTED = 0.2;

    /** More than are needed; a solver that needs more is wrong. */
    private static final int RELAXATIONS_MAX = 10_000;

    /** Simple operations for a cell. */
    private static final int UNITS = 6;

    private final int levels;
    private final OceanLoops loops;
    private final OceanCells cells;

    /** By level; the finest are those of {@link #solve}. */
    private final List<OceanGrid> values = new ArrayList<>();

    private final List<OceanGrid> rights = new ArrayList<>();
    private final List<OceanGrid> residuals = new ArrayList<>();

    OceanSolver(OceanSize size, OceanLoops loops, OceanCells cells, OceanRun.Grids grids) {
        this.levels = size.levels();
        this.loops = loops;
        this.cells = cells;
        for (int level = 0; level < levels; level++) {
            residuals.add(grids.of("residual-" + level, size.cells(level)));
            if (level > 0) {
                values.add(grids.of("correction-" + level, size.cells(level)));
                rights.add(grids.of("lack-" + level, size.cells(level)));
            }
        }
    }

    /**
     * Solves an equation. All threads have ended the loop that stored the right-hand side.
     *
     * @param value of cells, at first near the solution
     */
    void solve(OceanGrid value, OceanGrid right, double k) {
        values.addFirst(value);
        rights.addFirst(right);
        double[] goals = new double[levels];
        goals[0] = TOLERANCE * loops.most(right);
        int level = 0;
        double before = Double.POSITIVE_INFINITY;
        for (int count = 0; ; count++) {
            if (count == RELAXATIONS_MAX) {
                throw new IllegalStateException("no solution after " + count + " relaxations");
            }
            double now = relax(level, k);
            boolean isSolved = now <= goals[level];
            boolean isSlow = now > SLOW * before;
            before = now;
            if (isSolved && level == 0) {
                break;
            }
            if (isSolved) {
                level--;
                correct(level);
                before = Double.POSITIVE_INFINITY;
            } else if (isSlow && level < levels - 1) {
                restrict(level, k);
                level++;
                goals[level] = CORRECTED * now;
                before = Double.POSITIVE_INFINITY;
            }
        }
        values.removeFirst();
        rights.removeFirst();
    }

    /** Relaxes a grid; returns its largest residual, as each cell has found it. */
    private double relax(int level, double k) {
        double red = half(level, k, OceanCells.RED);
        loops.changed(values.get(level));
        double black = half(level, k, OceanCells.BLACK);
        return loops.most(Math.max(red, black), values.get(level));
    }

    private double half(int level, double k, int colour) {
        OceanGrid value = values.get(level);
        double[] most = {0};
        loops.each(
                level,
                UNITS / 2,
                List.of(value),
                (row, column) -> {
                    if ((row + column) % 2 == colour) {
                        double lacks = cells.relax(value, rights.get(level), k, row, column);
                        most[0] = Math.max(most[0], lacks);
                    }
                });
        return most[0];
    }

    /** Makes the residuals of a grid the right-hand side of the next. */
    private void restrict(int level, double k) {
        OceanGrid residual = residuals.get(level);
        OceanGrid coarse = values.get(level + 1);
        loops.each(
                level,
                UNITS,
                List.of(values.get(level)),
                (row, column) ->
                        residual.set(
                                row,
                                column,
                                cells.residual(
                                        values.get(level), rights.get(level), k, row, column)));
        loops.changed(residual);
        loops.each(
                level + 1,
                UNITS,
                List.of(residual),
                (row, column) -> {
                    double mean = OceanCells.restricted(residual, row, column);
                    rights.get(level + 1).set(row, column, mean);
                    coarse.set(row, column, 0);
                });
        loops.changed(coarse);
    }

    /** Adds the values of the next grid to those of a grid. */
    private void correct(int level) {
        OceanGrid coarse = values.get(level + 1);
        OceanGrid fine = values.get(level);
        loops.each(
                level,
                UNITS,
                List.of(coarse),
                (row, column) -> {
                    double correction = OceanCells.interpolated(coarse, row, column);
                    fine.set(row, column, fine.get(row, column) + correction);
                });
        loops.changed(fine);
    }
}
