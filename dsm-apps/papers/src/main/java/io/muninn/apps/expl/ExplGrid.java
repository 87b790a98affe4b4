package io.muninn.apps.expl;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;

/**
 * The fields of EXPL, and its three loops over a row. Edges never change.
 *
 * <p>Source: McMahon, "The Livermore Fortran Kernels", UCRL-53745, 1986, kernel 18.
 *
 * @param pressure and viscosity, in one: the kernel uses their sum only
 * @param mass of a cell
 * @param r coordinate
 * @param z coordinate
 * @param u velocity along r
 * @param v velocity along z
 * @param a forces across the rows
 * @param b forces along the rows
 * @param first the row of the grid that is row 0 of these matrices
 */
record ExplGrid(
        DoubleMatrix pressure,
        DoubleMatrix mass,
        DoubleMatrix r,
        DoubleMatrix z,
        DoubleMatrix u,
        DoubleMatrix v,
        DoubleMatrix a,
        DoubleMatrix b,
        int first) {
    private static final double FORCE = 0.0041;
    private static final double TIME = 0.0037;
    private static final long SEED = 25;

    /** In plain memory, with first values. */
    static ExplGrid filled(int rows, int columns, int first) {
        ExplGrid grid =
                new ExplGrid(
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        DoubleMatrix.local(rows, columns),
                        first);
        for (int row = 0; row < rows; row++) {
            grid.fill(row);
        }
        return grid;
    }

    /** Forces are zero at first, and remain so at the edges. */
    void fill(int row) {
        int at = first + row;
        for (int column = 0; column < mass.columns(); column++) {
            pressure.set(row, column, 1.5 + Pattern.at(SEED, at, column));
            mass.set(row, column, 2 + Pattern.at(SEED + 1, at, column));
            r.set(row, column, at + 0.1 * Pattern.at(SEED + 2, at, column));
            z.set(row, column, column + 0.1 * Pattern.at(SEED + 3, at, column));
            u.set(row, column, Pattern.at(SEED + 4, at, column));
            v.set(row, column, Pattern.at(SEED + 5, at, column));
            a.set(row, column, 0);
            b.set(row, column, 0);
        }
    }

    /** First loop: the forces between cells. */
    void push(int row) {
        int last = mass.columns() - 1;
        for (int column = 1; column < last; column++) {
            a.set(
                    row,
                    column,
                    (pressure.get(row + 1, column - 1) - pressure.get(row, column - 1))
                            * (r.get(row, column) + r.get(row, column - 1))
                            / (mass.get(row, column - 1) + mass.get(row + 1, column - 1)));
            b.set(
                    row,
                    column,
                    (pressure.get(row, column - 1) - pressure.get(row, column))
                            * (r.get(row, column) + r.get(row - 1, column))
                            / (mass.get(row, column) + mass.get(row, column - 1)));
        }
    }

    /** Second loop: the velocities. */
    void accelerate(int row) {
        int last = mass.columns() - 1;
        for (int column = 1; column < last; column++) {
            u.set(row, column, u.get(row, column) + FORCE * pull(z, row, column));
            v.set(row, column, v.get(row, column) + FORCE * pull(r, row, column));
        }
    }

    private double pull(DoubleMatrix at, int row, int column) {
        double here = at.get(row, column);
        return a.get(row, column) * (here - at.get(row, column + 1))
                - a.get(row, column - 1) * (here - at.get(row, column - 1))
                - b.get(row, column) * (here - at.get(row - 1, column))
                + b.get(row + 1, column) * (here - at.get(row + 1, column));
    }

    /** Third loop: the coordinates. */
    void move(int row) {
        int last = mass.columns() - 1;
        for (int column = 1; column < last; column++) {
            r.set(row, column, r.get(row, column) + TIME * u.get(row, column));
            z.set(row, column, z.get(row, column) + TIME * v.get(row, column));
        }
    }

    /** Simple operations of the three loops for a row. */
    static long pushUnits(int columns) {
        return 10L * columns;
    }

    static long accelerateUnits(int columns) {
        return 18L * columns;
    }

    static long moveUnits(int columns) {
        return 2L * columns;
    }
}
