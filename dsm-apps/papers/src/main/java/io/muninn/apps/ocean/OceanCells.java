package io.muninn.apps.ocean;

/**
 * The operations of OCEAN on a cell of a square grid. Walls are between cells: a value beyond a
 * wall is the negative of the one inside, so that it is zero at the wall.
 *
 * <p>Source: Arakawa, "Computational design for long-term numerical integration of the equations of
 * fluid motion", J. Comp. Physics 1, 1966 (J); Trottenberg, Oosterlee and Schüller, "Multigrid",
 * sections 2.4 to 2.8 (solver).
 *
 * @param centre the weight of a cell in its own Laplacian, where each neighbour has 1: {@link
 *     #CENTRE}, and another value to see whether results with it are refused
 */
record OceanCells(double centre) {
    static final double CENTRE = 4;

    static final int RED = 0;
    static final int BLACK = 1;

    /** A value of a cell, or beyond a wall. */
    static double at(OceanGrid values, int row, int column) {
        int last = values.cells() - 1;
        boolean isBeyondRow = row < 0 || row > last;
        boolean isBeyondColumn = column < 0 || column > last;
        double value =
                values.get(Math.max(0, Math.min(row, last)), Math.max(0, Math.min(column, last)));
        return isBeyondRow == isBeyondColumn ? value : -value;
    }

    private static double neighbours(OceanGrid values, int row, int column) {
        return at(values, row - 1, column)
                + at(values, row + 1, column)
                + at(values, row, column - 1)
                + at(values, row, column + 1);
    }

    /** ∇² of values, at a cell. */
    double laplacian(OceanGrid values, int row, int column) {
        double sum = neighbours(values, row, column) - centre * values.get(row, column);
        return OceanBasin.perSquare(values.cells()) * sum;
    }

    /** The residual of ∇²values - k values = right, at a cell. */
    double residual(OceanGrid values, OceanGrid right, double k, int row, int column) {
        return right.get(row, column)
                + k * values.get(row, column)
                - laplacian(values, row, column);
    }

    /**
     * Solves ∇²values - k values = right for a cell, whose values beyond walls change with it.
     *
     * @return the residual before, without its sign
     */
    double relax(OceanGrid values, OceanGrid right, double k, int row, int column) {
        int last = values.cells() - 1;
        double perSquare = OceanBasin.perSquare(values.cells());
        double weight = centre + k / perSquare;
        weight += row == 0 || row == last ? 1 : 0;
        weight += column == 0 || column == last ? 1 : 0;
        double lacks = residual(values, right, k, row, column);
        values.set(row, column, values.get(row, column) - lacks / (perSquare * weight));
        return Math.abs(lacks);
    }

    /** The average of the four cells that a cell of the next grid covers. */
    static double restricted(OceanGrid fine, int row, int column) {
        return 0.25
                * (fine.get(2 * row, 2 * column)
                        + fine.get(2 * row, 2 * column + 1)
                        + fine.get(2 * row + 1, 2 * column)
                        + fine.get(2 * row + 1, 2 * column + 1));
    }

    /** A value between the four cells of the next grid that are nearest to a cell. */
    static double interpolated(OceanGrid coarse, int row, int column) {
        int i = row / 2;
        int j = column / 2;
        int nextI = row % 2 == 0 ? i - 1 : i + 1;
        int nextJ = column % 2 == 0 ? j - 1 : j + 1;
        return 0.0625
                * (9 * at(coarse, i, j)
                        + 3 * at(coarse, nextI, j)
                        + 3 * at(coarse, i, nextJ)
                        + at(coarse, nextI, nextJ));
    }

    /** ∂values/∂x, at a cell. */
    static double east(OceanGrid values, int row, int column) {
        double across = at(values, row, column + 1) - at(values, row, column - 1);
        return across * values.cells() / (2 * OceanBasin.SIDE);
    }

    /** J(z, p), as the mean of three forms, which keeps energy and squared vorticity. */
    static double jacobian(OceanGrid z, OceanGrid p, int i, int j) {
        double n = at(z, i + 1, j);
        double s = at(z, i - 1, j);
        double e = at(z, i, j + 1);
        double w = at(z, i, j - 1);
        double ne = at(z, i + 1, j + 1);
        double nw = at(z, i + 1, j - 1);
        double se = at(z, i - 1, j + 1);
        double sw = at(z, i - 1, j - 1);
        double pn = at(p, i + 1, j);
        double ps = at(p, i - 1, j);
        double pe = at(p, i, j + 1);
        double pw = at(p, i, j - 1);
        double pne = at(p, i + 1, j + 1);
        double pnw = at(p, i + 1, j - 1);
        double pse = at(p, i - 1, j + 1);
        double psw = at(p, i - 1, j - 1);
        double plus = (pe - pw) * (n - s) - (pn - ps) * (e - w);
        double cross = pe * (ne - se) - pw * (nw - sw) - pn * (ne - nw) + ps * (se - sw);
        double other = n * (pne - pnw) - s * (pse - psw) - e * (pne - pse) + w * (pnw - psw);
        return -OceanBasin.perSquare(p.cells()) * (plus + cross + other) / 12;
    }
}
