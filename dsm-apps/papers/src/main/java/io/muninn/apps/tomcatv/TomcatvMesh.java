package io.muninn.apps.tomcatv;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;

/**
 * The mesh of TOMCATV, and its loops over a row. The places of its points solve Winslow's elliptic
 * equations; edges never change. Each step computes by how much the equations fail, the residuals,
 * solves for corrections along each row, which is a tridiagonal system, and moves the points.
 *
 * <p>Source: Thompson, Warsi and Mastin, "Numerical Grid Generation", 1985, chapter VI. As in CVM
 * (section 4.2) lines that are solved for lie along the rows.
 *
 * @param x coordinate of points
 * @param y coordinate of points
 * @param residualX of x, then the correction of it
 * @param residualY of y, then the correction of it
 * @param side elements of the tridiagonal system beside its diagonal
 * @param diagonal of the tridiagonal system
 * @param size rows and columns of the mesh
 * @param first the row of the mesh that is row 0 of these matrices
 */
record TomcatvMesh(
        DoubleMatrix x,
        DoubleMatrix y,
        DoubleMatrix residualX,
        DoubleMatrix residualY,
        DoubleMatrix side,
        DoubleMatrix diagonal,
        int size,
        int first) {
    /** Of the part that is not solved for; below 1, since all rows move at once. */
    private static final double RELAXATION = 0.9;

    private static final double BULGE = 0.3;
    private static final double DISORDER = 0.2;
    private static final long SEED = 30;

    /** In plain memory, with first values. */
    static TomcatvMesh filled(int rows, int size, int first) {
        TomcatvMesh mesh =
                new TomcatvMesh(
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        DoubleMatrix.local(rows, size),
                        size,
                        first);
        for (int row = 0; row < rows; row++) {
            mesh.fill(row);
        }
        return mesh;
    }

    /** A square whose lower edge bulges inwards; points within are off their places at first. */
    void fill(int row) {
        double last = size - 1;
        int at = first + row;
        double s = at / last;
        for (int column = 0; column < size; column++) {
            double t = column / last;
            boolean isEdge = at == 0 || at == size - 1 || column == 0 || column == size - 1;
            double disorder = isEdge ? 0 : DISORDER / last;
            double floor = BULGE * 4 * s * (1 - s);
            x.set(row, column, s + disorder * Pattern.at(SEED, at, column));
            y.set(
                    row,
                    column,
                    floor + (1 - floor) * t + disorder * Pattern.at(SEED + 1, at, column));
        }
    }

    /**
     * First loop: residuals, and the system for their corrections.
     *
     * @return the largest absolute residual
     */
    double residual(int row) {
        double largest = 0;
        for (int column = 1; column < size - 1; column++) {
            largest = Math.max(largest, residual(row, column));
        }
        return largest;
    }

    private double residual(int row, int column) {
        double xs = x.get(row + 1, column) - x.get(row - 1, column);
        double ys = y.get(row + 1, column) - y.get(row - 1, column);
        double xt = x.get(row, column + 1) - x.get(row, column - 1);
        double yt = y.get(row, column + 1) - y.get(row, column - 1);
        double a = 0.25 * (xt * xt + yt * yt);
        double b = 0.25 * (xs * xs + ys * ys);
        double c = 0.125 * (xs * xt + ys * yt);
        side.set(row, column, -b);
        diagonal.set(row, column, 2 * b + 2 / RELAXATION * a);
        double ofX = residual(x, row, column, a, b, c);
        double ofY = residual(y, row, column, a, b, c);
        residualX.set(row, column, ofX);
        residualY.set(row, column, ofY);
        return Math.max(Math.abs(ofX), Math.abs(ofY));
    }

    private static double residual(
            DoubleMatrix q, int row, int column, double a, double b, double c) {
        double here = 2 * q.get(row, column);
        double across = q.get(row + 1, column) - here + q.get(row - 1, column);
        double along = q.get(row, column + 1) - here + q.get(row, column - 1);
        double mixed =
                q.get(row + 1, column + 1)
                        - q.get(row + 1, column - 1)
                        - q.get(row - 1, column + 1)
                        + q.get(row - 1, column - 1);
        return a * across + b * along - c * mixed;
    }

    /** Second loop: the corrections of a row, by elimination forwards and substitution back. */
    void solve(int row) {
        int last = size - 2;
        double[] inverse = new double[size];
        inverse[1] = 1 / diagonal.get(row, 1);
        for (int column = 2; column <= last; column++) {
            double factor = side.get(row, column) * inverse[column - 1];
            inverse[column] = 1 / (diagonal.get(row, column) - side.get(row, column - 1) * factor);
            eliminate(residualX, row, column, factor);
            eliminate(residualY, row, column, factor);
        }
        residualX.set(row, last, residualX.get(row, last) * inverse[last]);
        residualY.set(row, last, residualY.get(row, last) * inverse[last]);
        for (int column = last - 1; column >= 1; column--) {
            double beside = side.get(row, column);
            substitute(residualX, row, column, beside, inverse[column]);
            substitute(residualY, row, column, beside, inverse[column]);
        }
    }

    private static void eliminate(DoubleMatrix q, int row, int column, double factor) {
        q.set(row, column, q.get(row, column) - q.get(row, column - 1) * factor);
    }

    private static void substitute(
            DoubleMatrix q, int row, int column, double beside, double inverse) {
        q.set(row, column, (q.get(row, column) - beside * q.get(row, column + 1)) * inverse);
    }

    /** Third loop: the points of a row move. */
    void move(int row) {
        for (int column = 1; column < size - 1; column++) {
            x.set(row, column, x.get(row, column) + residualX.get(row, column));
            y.set(row, column, y.get(row, column) + residualY.get(row, column));
        }
    }

    /** Simple operations of the loops for a row. */
    static long residualUnits(int columns) {
        return 30L * columns;
    }

    static long solveUnits(int columns) {
        return 9L * columns;
    }

    static long moveUnits(int columns) {
        return 2L * columns;
    }
}
