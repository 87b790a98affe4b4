package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.ThreadGrid;
import java.util.List;

/** A thread's loops over its parts of grids, and what threads compute together. */
final class OceanLoops {
    /** Sums are of integers, so that they do not depend on which thread adds when. */
    private static final double FIXED_POINT = 0x1p40;

    private final OceanSize size;
    private final DsmNode node;
    private final ThreadGrid threads;
    private final int position;
    private final OceanLinks links;

    /** By row and column of a grid. */
    interface Cell {
        void visit(int row, int column);
    }

    /**
     * @param position of this thread, among those that divide the grids
     * @param positions how many these are
     */
    OceanLoops(OceanSize size, DsmNode node, int position, int positions, OceanLinks links) {
        this.size = size;
        this.node = node;
        this.position = position;
        this.links = links;
        threads = ThreadGrid.of(positions);
    }

    /**
     * A loop over a thread's part.
     *
     * @param units simple operations for a cell
     * @param around the grids of which a cell looks at its neighbours
     */
    void each(int level, int units, List<OceanGrid> around, Cell cell) {
        Band rows = threads.rowsOf(position, size.cells(level));
        Band columns = threads.columnsOf(position, size.cells(level));
        links.begin();
        if (columns.isEmpty()) {
            return;
        }
        for (int row = rows.from(); row < rows.to(); row++) {
            for (OceanGrid grid : around) {
                links.come(grid, level, row);
            }
            for (int column = columns.from(); column < columns.to(); column++) {
                cell.visit(row, column);
            }
            node.work((long) units * columns.length());
        }
    }

    void changed(OceanGrid... grids) {
        links.changed(List.of(grids));
    }

    void changed(List<OceanGrid> grids) {
        links.changed(grids);
    }

    void soon(List<OceanGrid> grids) {
        links.soon(grids);
    }

    /**
     * The largest number of all threads, at the end of a loop that has changed grids.
     *
     * @param mine 0 or more: the bits of such numbers are in their order
     */
    double most(double mine, OceanGrid... changed) {
        long bits = Double.doubleToRawLongBits(mine);
        return Double.longBitsToDouble(links.all(OceanLinks.Join.MOST, bits, List.of(changed)));
    }

    /** The largest value of all cells, without signs. */
    double most(OceanGrid grid) {
        double[] most = {0};
        each(
                0,
                1,
                List.of(),
                (row, column) -> most[0] = Math.max(most[0], Math.abs(grid.get(row, column))));
        return most(most[0]);
    }

    /** The sum of all cells of a finest grid. */
    double sum(OceanGrid grid) {
        long[] sum = {0};
        each(
                0,
                1,
                List.of(),
                (row, column) -> sum[0] += Math.round(FIXED_POINT * grid.get(row, column)));
        return links.all(OceanLinks.Join.SUM, sum[0], List.of()) / FIXED_POINT;
    }
}
