package io.muninn.apps.expl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.DoubleMatrix;
import org.junit.jupiter.api.Test;

/** The loops of EXPL, beside the kernel's formulas over plain arrays. */
class ExplGridTest {
    private static final int N = 6;
    private static final double T = 0.0037;
    private static final double S = 0.0041;

    private static double[][] copy(DoubleMatrix matrix) {
        double[][] copy = new double[N][N];
        for (int row = 0; row < N; row++) {
            matrix.copyTo(row, copy[row]);
        }
        return copy;
    }

    private static void step(ExplGrid grid) {
        for (int row = 1; row < N - 1; row++) {
            grid.push(row);
        }
        for (int row = 1; row < N - 1; row++) {
            grid.accelerate(row);
        }
        for (int row = 1; row < N - 1; row++) {
            grid.move(row);
        }
    }

    /** Kernel 18 with index k for rows and j for columns, and no viscosity. */
    @Test
    void step_isThatOfTheKernel() {
        ExplGrid grid = ExplGrid.filled(N, N, 0);
        double[][] zp = copy(grid.pressure());
        double[][] zm = copy(grid.mass());
        double[][] zr = copy(grid.r());
        double[][] zz = copy(grid.z());
        double[][] zu = copy(grid.u());
        double[][] zv = copy(grid.v());
        double[][] za = new double[N][N];
        double[][] zb = new double[N][N];
        for (int k = 1; k < N - 1; k++) {
            for (int j = 1; j < N - 1; j++) {
                double ofA = (zp[k + 1][j - 1] - zp[k][j - 1]) * (zr[k][j] + zr[k][j - 1]);
                za[k][j] = ofA / (zm[k][j - 1] + zm[k + 1][j - 1]);
                double ofB = (zp[k][j - 1] - zp[k][j]) * (zr[k][j] + zr[k - 1][j]);
                zb[k][j] = ofB / (zm[k][j] + zm[k][j - 1]);
            }
        }
        for (int k = 1; k < N - 1; k++) {
            for (int j = 1; j < N - 1; j++) {
                zu[k][j] += S * pull(za, zb, zz, k, j);
                zv[k][j] += S * pull(za, zb, zr, k, j);
            }
        }
        for (int k = 1; k < N - 1; k++) {
            for (int j = 1; j < N - 1; j++) {
                zr[k][j] += T * zu[k][j];
                zz[k][j] += T * zv[k][j];
            }
        }

        step(grid);

        for (int k = 0; k < N; k++) {
            for (int j = 0; j < N; j++) {
                assertEquals(zu[k][j], grid.u().get(k, j), 1e-14);
                assertEquals(zv[k][j], grid.v().get(k, j), 1e-14);
                assertEquals(zr[k][j], grid.r().get(k, j), 1e-14);
                assertEquals(zz[k][j], grid.z().get(k, j), 1e-14);
            }
        }
    }

    private static double pull(double[][] za, double[][] zb, double[][] q, int k, int j) {
        return za[k][j] * (q[k][j] - q[k][j + 1])
                - za[k][j - 1] * (q[k][j] - q[k][j - 1])
                - zb[k][j] * (q[k][j] - q[k - 1][j])
                + zb[k + 1][j] * (q[k][j] - q[k + 1][j]);
    }

    @Test
    void pressureThatIsTheSameEverywhere_changesNoVelocity() {
        ExplGrid grid = ExplGrid.filled(N, N, 0);
        grid.pressure().fill(1.25);
        double[][] zu = copy(grid.u());
        double[][] zz = copy(grid.z());
        double[][] zv = copy(grid.v());

        step(grid);

        assertEquals(zu[2][3], grid.u().get(2, 3));
        assertEquals(zv[2][3], grid.v().get(2, 3));
        assertEquals(zz[2][3] + T * zv[2][3], grid.z().get(2, 3));
    }
}
