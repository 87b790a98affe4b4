package io.muninn.apps.ocean;

/**
 * The operations of OCEAN on a cell of a square grid. The basin's side is 1. Walls are between
 * cells: a value beyond a wall is the negative of the one inside, so that it is zero at the wall.
 *
 * <p><b>Motion.</b> The stream function ψ and the vorticity ζ = ∇²ψ of a layer of water on a
 * rotating planet, without dimensions: <em>∂ζ/∂t = -I J(ψ, ζ) - ∂ψ/∂x - sin πy - S ζ + M ∇²ζ</em>:
 * inertia, the change of rotation with latitude, the wind, friction at the bottom and at walls. Its
 * flow is a wide eddy and a narrow current along the western wall. Steps of time are explicit.
 *
 * <p><b>Poisson's equation.</b> Red-black Gauss-Seidel on grids of half the cells each: residuals
 * are averaged over four cells, corrections are interpolated between four.
 *
 * <p>Source: Pedlosky, "Ocean Circulation Theory", chapter 2 (equation); Arakawa, "Computational
 * design for long-term numerical integration of the equations of fluid motion", J. Comp. Physics 1,
 * 1966 (J); Trottenberg, Oosterlee and Schüller, "Multigrid", sections 2.4 to 2.8 (solver).
 */
final class OceanCells {
    static final int RED = 0;
    static final int BLACK = 1;

    /** Simple operations for a cell. */
    static final int RELAX_UNITS = 6;

    static final int MOTION_UNITS = 40;

    private static final double TIME_STEP = 0.1;
    private static final double INERTIA = 0.0004;
    private static final double BOTTOM = 0.05;
    private static final double WALLS = 8e-6;

    private OceanCells() {}

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
    static double laplacian(OceanGrid values, int row, int column) {
        double perSquare = (double) values.cells() * values.cells();
        return perSquare * (neighbours(values, row, column) - 4 * values.get(row, column));
    }

    /** Makes ∇² of a cell right; of those beyond walls, which change with it, too. */
    static void relax(OceanGrid values, OceanGrid right, int row, int column) {
        int n = values.cells();
        double sum = 0;
        int weight = 4;
        if (row > 0) {
            sum += values.get(row - 1, column);
        }
        if (row < n - 1) {
            sum += values.get(row + 1, column);
        }
        if (column > 0) {
            sum += values.get(row, column - 1);
        }
        if (column < n - 1) {
            sum += values.get(row, column + 1);
        }
        weight += row == 0 || row == n - 1 ? 1 : 0;
        weight += column == 0 || column == n - 1 ? 1 : 0;
        values.set(row, column, (sum - right.get(row, column) / ((double) n * n)) / weight);
    }

    /** The residual of a cell: the difference between its ∇² and the right-hand side. */
    static double residual(OceanGrid values, OceanGrid right, int row, int column) {
        return right.get(row, column) - laplacian(values, row, column);
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

    /** The vorticity of a cell after a step of time. */
    static double moved(OceanGrid stream, OceanGrid vorticity, int row, int column) {
        int n = stream.cells();
        double east = (at(stream, row, column + 1) - at(stream, row, column - 1)) * n / 2;
        double wind = StrictMath.sin(Math.PI * (row + 0.5) / n);
        double change =
                -INERTIA * jacobian(stream, vorticity, row, column)
                        - east
                        - wind
                        - BOTTOM * vorticity.get(row, column)
                        + WALLS * laplacian(vorticity, row, column);
        return vorticity.get(row, column) + TIME_STEP * change;
    }

    /** Arakawa's mean of three forms of the Jacobian, which keeps energy and squared vorticity. */
    static double jacobian(OceanGrid p, OceanGrid z, int i, int j) {
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
        double perSquare = (double) p.cells() * p.cells();
        return perSquare * (plus + cross + other) / 12;
    }
}
