package io.muninn.apps.raytrace;

import java.util.Arrays;

/**
 * Builds a hierarchical uniform grid. The unit cube is one cell. A cell with many primitives is
 * divided into a uniform grid of finer cells.
 *
 * <p><b>Shape.</b> A cell is one element. It is 0 if no primitive overlaps the cell. It is positive
 * if the cell has a list, and is then the index of the list. The first element of a list is the
 * number of primitives; their indices follow. It is negative if the cell is divided: its absolute
 * value is then the index of the first of {@link #CELLS} finer cells, and cell (x, y, z) is number
 * x + {@link #SIDE} (y + {@link #SIDE} z) of these. Element 0 is the cell of the whole cube.
 *
 * <p>Source: Jevans and Wyvill, "Adaptive Voxel Subdivision for Ray Tracing", Graphics Interface
 * 1989.
 */
final class RayGrid {
    /** Cells of a finer grid on each axis. */
    static final int SIDE = 4;

    /** Cells of a finer grid. */
    static final int CELLS = SIDE * SIDE * SIDE;

    /** A cell with more primitives is divided. */
    private static final int LIST_MAX = 8;

    /** Number of divisions that lead to the finest cells. */
    private static final int DEPTH_MAX = 4;

    /** Added to the bounds of primitives because of rounding. */
    private static final double MARGIN = 1e-9;

    private final int[] cells;

    /** For each primitive, its least and greatest x, y and z. */
    private final double[] bounds;

    private final int count;

    /** Elements in use. */
    private int used = 1;

    /**
     * Elements left for divisions. The elements of a list are reserved before its cell is created.
     */
    private int left;

    /**
     * @param primitives records of {@link RayScene}
     */
    RayGrid(RaySize size, double[] primitives) {
        count = size.primitives();
        cells = new int[size.gridLength()];
        left = cells.length - 2 - count;
        bounds = new double[6 * count];
        for (int i = 0; i < count; i++) {
            bound(primitives, RayScene.WIDTH * i, 6 * i);
        }
    }

    private void bound(double[] primitives, int at, int to) {
        for (int axis = 0; axis < 3; axis++) {
            double from = primitives[at + 1 + axis];
            double low = -primitives[at + 4];
            double high = primitives[at + 4];
            if (primitives[at] == RayScene.TRIANGLE) {
                double edge = primitives[at + 4 + axis];
                double other = primitives[at + 7 + axis];
                low = Math.min(0, Math.min(edge, other));
                high = Math.max(0, Math.max(edge, other));
            }
            bounds[to + axis] = from + low - MARGIN;
            bounds[to + 3 + axis] = from + high + MARGIN;
        }
    }

    /** The elements of the grid. */
    int[] build() {
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = i;
        }
        cells[0] = cell(all, 0, 0, 0, 1, 0);
        return cells;
    }

    /**
     * Stores a list or a finer grid.
     *
     * @param inside primitives that overlap the cell
     * @return the cell's element
     */
    private int cell(int[] inside, double x, double y, double z, double width, int depth) {
        if (inside.length == 0) {
            return 0;
        }
        if (inside.length > LIST_MAX && depth < DEPTH_MAX) {
            double finer = width / SIDE;
            int[][] lists = new int[CELLS][];
            int needed = CELLS - 1 - inside.length; // the list of this cell is not stored
            for (int i = 0; i < CELLS; i++) {
                lists[i] =
                        inside(inside, x + finer * x(i), y + finer * y(i), z + finer * z(i), finer);
                needed += 1 + lists[i].length;
            }
            if (needed <= left) {
                left -= needed;
                return -divide(lists, x, y, z, finer, depth);
            }
        }
        int begin = used;
        used += 1 + inside.length;
        cells[begin] = inside.length;
        System.arraycopy(inside, 0, cells, begin + 1, inside.length);
        return begin;
    }

    /** Stores the cells of a finer grid; returns the index of the first. */
    private int divide(int[][] lists, double x, double y, double z, double finer, int depth) {
        int begin = used;
        used += CELLS;
        for (int i = 0; i < CELLS; i++) {
            cells[begin + i] =
                    cell(
                            lists[i],
                            x + finer * x(i),
                            y + finer * y(i),
                            z + finer * z(i),
                            finer,
                            depth + 1);
        }
        return begin;
    }

    private static int x(int cell) {
        return cell % SIDE;
    }

    private static int y(int cell) {
        return cell / SIDE % SIDE;
    }

    private static int z(int cell) {
        return cell / (SIDE * SIDE);
    }

    /** The primitives of {@code some} whose bounds overlap a cell. */
    private int[] inside(int[] some, double x, double y, double z, double width) {
        int[] inside = new int[some.length];
        int length = 0;
        for (int i : some) {
            int at = 6 * i;
            boolean isInside =
                    bounds[at] <= x + width
                            && bounds[at + 1] <= y + width
                            && bounds[at + 2] <= z + width
                            && bounds[at + 3] >= x
                            && bounds[at + 4] >= y
                            && bounds[at + 5] >= z;
            if (isInside) {
                inside[length++] = i;
            }
        }
        return Arrays.copyOf(inside, length);
    }
}
