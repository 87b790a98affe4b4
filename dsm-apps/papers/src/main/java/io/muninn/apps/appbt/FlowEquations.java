package io.muninn.apps.appbt;

/**
 * The equations of the simulated application BT, at points of a cube. A point has density, momentum
 * on three axes, and energy. The derivative in time is a sum over the axes: minus the derivative of
 * a flux, the second derivative of viscous terms and of the point itself, and a dissipation of
 * fourth order; a forcing makes the exact solution steady.
 *
 * <p>The matrices of the implicit scheme are the derivatives of flux and viscous terms, derived
 * here from these.
 *
 * <p>Source: Bailey, Barton, Lasinski and Simon, "The NAS Parallel Benchmarks", report RNR-91-002,
 * section 3 (equations, constants, exact solution, initial values, difference scheme).
 */
final class FlowEquations {
    /** Components of a point. */
    static final int WIDTH = 5;

    private static final int ENERGY = 4;
    private static final double C1 = 1.4;
    private static final double C2 = 0.4;
    private static final double C3_C4 = 0.1;
    private static final double C1_C5 = 1.4 * 1.4;
    private static final double DISSIPATION = 0.25;

    /** Factors of second derivatives of the point itself, by axis. */
    private static final double[] SMOOTHING = {0.75, 0.75, 1.0};

    /** Coefficients of the exact solution, a polynomial of each coordinate, by component. */
    private static final double[][] EXACT = {
        {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
        {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
        {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
        {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
        {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}
    };

    private final int size;
    private final double step;
    private final double first; // of first central differences
    private final double second; // of second differences

    /**
     * @param size points along each axis, at least 5
     * @param step of time
     */
    FlowEquations(int size, double step) {
        this.size = size;
        this.step = step;
        first = (size - 1) / 2.0;
        second = (double) (size - 1) * (size - 1);
    }

    /** The exact solution at fractions of the cube's edge. */
    private static double[] exact(double... at) {
        double[] point = new double[WIDTH];
        for (int m = 0; m < WIDTH; m++) {
            double[] c = EXACT[m];
            point[m] = c[0];
            for (int axis = 0; axis < 3; axis++) {
                double x = at[axis];
                point[m] +=
                        x
                                * (c[1 + axis]
                                        + x * (c[4 + axis] + x * (c[7 + axis] + x * c[10 + axis])));
            }
        }
        return point;
    }

    /** The exact solution at a point of the grid. */
    double[] exact(int i, int j, int k) {
        double edge = size - 1;
        return exact(i / edge, j / edge, k / edge);
    }

    /** The initial values at a point: interpolated between the exact ones on the faces. */
    double[] initial(int i, int j, int k) {
        int last = size - 1;
        if (i == 0 || i == last || j == 0 || j == last || k == 0 || k == last) {
            return exact(i, j, k);
        }
        double[] at = {(double) i / last, (double) j / last, (double) k / last};
        double[][] onAxis = new double[3][WIDTH];
        for (int axis = 0; axis < 3; axis++) {
            double[] low = at.clone();
            double[] high = at.clone();
            low[axis] = 0;
            high[axis] = 1;
            double[] from = exact(low);
            double[] to = exact(high);
            for (int m = 0; m < WIDTH; m++) {
                onAxis[axis][m] = at[axis] * to[m] + (1 - at[axis]) * from[m];
            }
        }
        double[] point = new double[WIDTH];
        for (int m = 0; m < WIDTH; m++) {
            double x = onAxis[0][m];
            double y = onAxis[1][m];
            double z = onAxis[2][m];
            point[m] = x + y + z - x * y - x * z - y * z + x * y * z;
        }
        return point;
    }

    private static double half(double[] u) {
        return (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]);
    }

    private static double[] flux(int axis, double[] u) {
        int normal = 1 + axis;
        double speed = u[normal] / u[0];
        double half = half(u);
        double[] flux = new double[WIDTH];
        flux[0] = u[normal];
        for (int m = 1; m <= 3; m++) {
            flux[m] = u[m] * speed;
        }
        flux[normal] += C2 * (u[ENERGY] - half);
        flux[ENERGY] = (C1 * u[ENERGY] - C2 * half) * speed;
        return flux;
    }

    /** What viscous terms are second derivatives of, divided by their common factor. */
    private static double[] viscous(int axis, double[] u) {
        int normal = 1 + axis;
        double[] terms = new double[WIDTH];
        for (int m = 1; m <= 3; m++) {
            terms[m] = u[m] / u[0];
        }
        double speed = terms[normal];
        terms[normal] *= 4.0 / 3;
        terms[ENERGY] = C1_C5 * u[ENERGY] / u[0] + (1 - C1_C5) * half(u) / u[0] + speed * speed / 6;
        return terms;
    }

    /**
     * Adds the derivative in time along an axis at an inner point.
     *
     * @param line points along the axis, all in order
     * @param at index of the point in the line
     */
    void addChange(int axis, double[][] line, int at, double[] change) {
        double[] low = line[at - 1];
        double[] here = line[at];
        double[] high = line[at + 1];
        double[] fluxLow = flux(axis, low);
        double[] fluxHigh = flux(axis, high);
        double[] viscousLow = viscous(axis, low);
        double[] viscousHere = viscous(axis, here);
        double[] viscousHigh = viscous(axis, high);
        for (int m = 0; m < WIDTH; m++) {
            double bend = high[m] - 2 * here[m] + low[m];
            double viscousBend = viscousHigh[m] - 2 * viscousHere[m] + viscousLow[m];
            change[m] +=
                    -first * (fluxHigh[m] - fluxLow[m])
                            + second * (C3_C4 * viscousBend + SMOOTHING[axis] * bend)
                            - DISSIPATION * fourth(line, at, m);
        }
    }

    /** The fourth difference, which beside a face takes what there is. */
    private double fourth(double[][] line, int at, int m) {
        int last = size - 1;
        double sum = (at == 1 || at == last - 1 ? 5 : 6) * line[at][m];
        sum -= at > 1 ? 4 * line[at - 1][m] : 0;
        sum -= at < last - 1 ? 4 * line[at + 1][m] : 0;
        sum += at > 2 ? line[at - 2][m] : 0;
        sum += at < last - 2 ? line[at + 2][m] : 0;
        return sum;
    }

    /** Derivatives of the flux by the components of the point. */
    private static double[][] fluxMatrix(int axis, double[] u) {
        int normal = 1 + axis;
        double speed = u[normal] / u[0];
        double half = half(u);
        double[][] a = new double[WIDTH][WIDTH];
        a[0][normal] = 1;
        for (int m = 1; m <= 3; m++) {
            a[m][0] = -speed * u[m] / u[0];
            a[m][normal] += u[m] / u[0];
            a[m][m] += speed;
        }
        a[normal][0] += C2 * half / u[0];
        a[ENERGY][0] = (-C1 * u[ENERGY] + 2 * C2 * half) * speed / u[0];
        for (int m = 1; m <= 3; m++) {
            a[normal][m] -= C2 * u[m] / u[0];
            a[ENERGY][m] = -C2 * u[m] * speed / u[0];
        }
        a[normal][ENERGY] = C2;
        a[ENERGY][normal] += (C1 * u[ENERGY] - C2 * half) / u[0];
        a[ENERGY][ENERGY] = C1 * speed;
        return a;
    }

    /** Derivatives of the viscous terms by the components of the point. */
    private static double[][] viscousMatrix(int axis, double[] u) {
        int normal = 1 + axis;
        double speed = u[normal] / u[0];
        double[][] n = new double[WIDTH][WIDTH];
        for (int m = 1; m <= 3; m++) {
            double factor = m == normal ? 4.0 / 3 : 1;
            n[m][0] = -factor * u[m] / (u[0] * u[0]);
            n[m][m] = factor / u[0];
            n[ENERGY][m] = (1 - C1_C5) * u[m] / (u[0] * u[0]);
        }
        n[ENERGY][normal] += speed / (3 * u[0]);
        n[ENERGY][0] =
                -C1_C5 * u[ENERGY] / (u[0] * u[0])
                        - 2 * ((1 - C1_C5) * half(u) / u[0] + speed * speed / 6) / u[0];
        n[ENERGY][ENERGY] = C1_C5 / u[0];
        return n;
    }

    /** The matrix of a neighbour's change; {@code side} is 1 above the point, -1 below it. */
    private double[][] beside(int axis, double[] u, int side) {
        double[][] flux = fluxMatrix(axis, u);
        double[][] viscous = viscousMatrix(axis, u);
        double[][] block = new double[WIDTH][WIDTH];
        for (int m = 0; m < WIDTH; m++) {
            for (int l = 0; l < WIDTH; l++) {
                block[m][l] = step * (side * first * flux[m][l] - second * C3_C4 * viscous[m][l]);
            }
            block[m][m] -= step * second * SMOOTHING[axis];
        }
        return block;
    }

    private double[][] own(int axis, double[] u) {
        double[][] viscous = viscousMatrix(axis, u);
        double[][] block = new double[WIDTH][WIDTH];
        for (int m = 0; m < WIDTH; m++) {
            for (int l = 0; l < WIDTH; l++) {
                block[m][l] = 2 * step * second * C3_C4 * viscous[m][l];
            }
            block[m][m] += 1 + 2 * step * second * SMOOTHING[axis];
        }
        return block;
    }

    /**
     * Solves the implicit equations of a line: a tridiagonal system of matrices, whose ends do not
     * change.
     *
     * @param line points along the axis
     * @param changes right-hand sides of inner points, which become the solution
     */
    void solve(int axis, double[][] line, double[][] changes) {
        double[][][] above = new double[size][][];
        for (int i = 1; i < size - 1; i++) {
            double[][] block = own(axis, line[i]);
            if (i > 1) {
                double[][] low = beside(axis, line[i - 1], -1);
                for (int m = 0; m < WIDTH; m++) {
                    for (int l = 0; l < WIDTH; l++) {
                        changes[i][m] -= low[m][l] * changes[i - 1][l];
                        for (int p = 0; p < WIDTH; p++) {
                            block[m][p] -= low[m][l] * above[i - 1][l][p];
                        }
                    }
                }
            }
            above[i] = beside(axis, line[i + 1], 1);
            eliminate(block, above[i], changes[i]);
        }
        for (int i = size - 3; i >= 1; i--) {
            for (int m = 0; m < WIDTH; m++) {
                for (int l = 0; l < WIDTH; l++) {
                    changes[i][m] -= above[i][m][l] * changes[i + 1][l];
                }
            }
        }
    }

    /** Multiplies a matrix and a vector by the inverse of another matrix, which is overwritten. */
    private static void eliminate(double[][] block, double[][] matrix, double[] vector) {
        for (int p = 0; p < WIDTH; p++) {
            double pivot = 1 / block[p][p];
            for (int l = 0; l < WIDTH; l++) {
                block[p][l] *= pivot;
                matrix[p][l] *= pivot;
            }
            vector[p] *= pivot;
            for (int m = 0; m < WIDTH; m++) {
                double factor = block[m][p];
                if (m != p) {
                    for (int l = 0; l < WIDTH; l++) {
                        block[m][l] -= factor * block[p][l];
                        matrix[m][l] -= factor * matrix[p][l];
                    }
                    vector[m] -= factor * vector[p];
                }
            }
        }
    }
}
