package io.muninn.apps.swm;

import io.muninn.api.DoubleMatrix;

/**
 * The fields of SWM on a staggered grid, and its three loops over a row. The last row is followed
 * by the first, and so are columns. A loop over a row gets the rows around it, because the matrices
 * of a thread with messages have copies of them.
 *
 * <p>Source: Sadourny, "The Dynamics of Finite-Difference Models of the Shallow-Water Equations",
 * Journal of the Atmospheric Sciences 32, 1975, the scheme that conserves potential enstrophy; in
 * time leapfrog steps, with the filter of Asselin, Monthly Weather Review 100, 1972.
 *
 * @param u velocity along the rows, between two elements of a row
 * @param v velocity across the rows, between two elements of a column
 * @param p pressure
 * @param massU mass that flows along the rows
 * @param massV mass that flows across the rows
 * @param vorticity potential vorticity, between four elements
 * @param height energy of a unit of mass
 * @param next of velocities and pressure, at the end of the step
 * @param old of the same, at the end of the last step but one, and filtered
 * @param size rows and columns of the grid
 * @param first the row of the grid that is row 0 of these matrices
 */
record SwmGrid(
        DoubleMatrix u,
        DoubleMatrix v,
        DoubleMatrix p,
        DoubleMatrix massU,
        DoubleMatrix massV,
        DoubleMatrix vorticity,
        DoubleMatrix height,
        Level next,
        Level old,
        int size,
        int first) {
    /** Velocities and pressure at a moment. */
    record Level(DoubleMatrix u, DoubleMatrix v, DoubleMatrix p) {
        static Level local(int rows, int columns) {
            return new Level(
                    DoubleMatrix.local(rows, columns),
                    DoubleMatrix.local(rows, columns),
                    DoubleMatrix.local(rows, columns));
        }
    }

    /** Of a step, in seconds; the first one is half of it. */
    static final double STEP = 180;

    private static final double SPACING = 100_000;
    private static final double AMPLITUDE = 1_000_000;
    private static final double MEAN_PRESSURE = 50_000;
    private static final double FILTER = 0.001;

    /** In plain memory, with first values. */
    static SwmGrid filled(int rows, int size, int first) {
        Level now = Level.local(rows, size);
        SwmGrid grid =
                new SwmGrid(
                        now.u,
                        now.v,
                        now.p,
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        Level.local(rows, size),
                        Level.local(rows, size),
                        size,
                        first);
        for (int row = 0; row < rows; row++) {
            grid.fill(row);
        }
        return grid;
    }

    /** Velocities are differences of a stream function, a wave in both directions. */
    void fill(int row) {
        int at = Math.floorMod(first + row, size);
        double angle = 2 * Math.PI / size;
        double wave = Math.PI * Math.PI * AMPLITUDE * AMPLITUDE / ((double) size * size);
        for (int column = 0; column < size; column++) {
            double here = stream(at, column);
            u.set(row, column, -(stream(at + 1, column) - here) / SPACING);
            v.set(row, column, (stream(at, column + 1) - here) / SPACING);
            p.set(
                    row,
                    column,
                    MEAN_PRESSURE
                            + wave
                                    / (SPACING * SPACING)
                                    * (StrictMath.cos(2 * angle * column)
                                            + StrictMath.cos(2 * angle * at)));
            old.u.set(row, column, u.get(row, column));
            old.v.set(row, column, v.get(row, column));
            old.p.set(row, column, p.get(row, column));
        }
    }

    private double stream(int row, int column) {
        double angle = 2 * Math.PI / size;
        return AMPLITUDE
                * StrictMath.sin((column + 0.5) * angle)
                * StrictMath.sin((row + 0.5) * angle);
    }

    /** First loop: the flows, and the energy. */
    void flow(int above, int row, int below) {
        int last = size - 1;
        flow(above, row, below, last, 0, 1);
        for (int column = 1; column < last; column++) {
            flow(above, row, below, column - 1, column, column + 1);
        }
        flow(above, row, below, last - 1, last, 0);
    }

    private void flow(int above, int row, int below, int left, int column, int right) {
        double pressure = p.get(row, column);
        double speedU = u.get(row, column);
        double speedV = v.get(row, column);
        massU.set(row, column, 0.5 * (pressure + p.get(row, left)) * speedU);
        massV.set(row, column, 0.5 * (pressure + p.get(above, column)) * speedV);
        double turns =
                4 / SPACING * (speedV - v.get(row, left))
                        - 4 / SPACING * (speedU - u.get(above, column));
        vorticity.set(
                row,
                column,
                turns / (p.get(above, left) + p.get(above, column) + pressure + p.get(row, left)));
        double nextU = u.get(row, right);
        double nextV = v.get(below, column);
        double squares = nextU * nextU + speedU * speedU + nextV * nextV + speedV * speedV;
        height.set(row, column, pressure + 0.25 * squares);
    }

    /**
     * Second loop: the next velocities and pressure.
     *
     * @param seconds since the old ones
     */
    void advance(int above, int row, int below, double seconds) {
        int last = size - 1;
        advance(above, row, below, last, 0, 1, seconds);
        for (int column = 1; column < last; column++) {
            advance(above, row, below, column - 1, column, column + 1, seconds);
        }
        advance(above, row, below, last - 1, last, 0, seconds);
    }

    private void advance(
            int above, int row, int below, int left, int column, int right, double seconds) {
        double turn = vorticity.get(row, column);
        double flowV =
                massV.get(below, column)
                        + massV.get(below, left)
                        + massV.get(row, left)
                        + massV.get(row, column);
        double flowU =
                massU.get(row, right)
                        + massU.get(row, column)
                        + massU.get(above, column)
                        + massU.get(above, right);
        double high = height.get(row, column);
        double per = seconds / SPACING;
        next.u.set(
                row,
                column,
                old.u.get(row, column)
                        + seconds / 8 * (vorticity.get(below, column) + turn) * flowV
                        - per * (high - height.get(row, left)));
        next.v.set(
                row,
                column,
                old.v.get(row, column)
                        - seconds / 8 * (vorticity.get(row, right) + turn) * flowU
                        - per * (high - height.get(above, column)));
        next.p.set(
                row,
                column,
                old.p.get(row, column)
                        - per * (massU.get(row, right) - massU.get(row, column))
                        - per * (massV.get(below, column) - massV.get(row, column)));
    }

    /** Third loop: the next step begins. The filter keeps odd and even steps together. */
    void shift(int row) {
        shift(u, next.u, old.u, row);
        shift(v, next.v, old.v, row);
        shift(p, next.p, old.p, row);
    }

    private void shift(DoubleMatrix now, DoubleMatrix later, DoubleMatrix before, int row) {
        for (int column = 0; column < size; column++) {
            double here = now.get(row, column);
            double ahead = later.get(row, column);
            double bend = ahead - 2 * here + before.get(row, column);
            before.set(row, column, here + FILTER * bend);
            now.set(row, column, ahead);
        }
    }

    /** The mass of a row. */
    double weight(int row) {
        double sum = 0;
        for (int column = 0; column < size; column++) {
            sum += p.get(row, column);
        }
        return sum;
    }

    /** Seconds between old and next in a step. */
    static double seconds(int step) {
        return step == 0 ? STEP / 2 : STEP;
    }

    /** Simple operations of the loops for a row. */
    static long flowUnits(int columns) {
        return 14L * columns;
    }

    static long advanceUnits(int columns) {
        return 16L * columns;
    }

    static long shiftUnits(int columns) {
        return 9L * columns;
    }
}
