package io.muninn.apps.tomcatv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What the loops of TOMCATV promise. */
class TomcatvMeshTest {
    private static final int N = 12;

    private static double step(TomcatvMesh mesh) {
        double residual = 0;
        for (int row = 1; row < N - 1; row++) {
            residual = Math.max(residual, mesh.residual(row));
        }
        for (int row = 1; row < N - 1; row++) {
            mesh.solve(row);
        }
        for (int row = 1; row < N - 1; row++) {
            mesh.move(row);
        }
        return residual;
    }

    @Test
    void meshOfParallelograms_isASolution() {
        TomcatvMesh mesh = TomcatvMesh.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                mesh.x().set(row, column, 3 * row + column);
                mesh.y().set(row, column, 2 * column - row);
            }
        }

        assertEquals(0, step(mesh));
        assertEquals(3 * 4 + 5, mesh.x().get(4, 5));
        assertEquals(2 * 5 - 4, mesh.y().get(4, 5));
    }

    /** x = s² - t² and y = 2st is conformal, so its residuals are zero, mixed terms included. */
    @Test
    void conformalMesh_isASolution() {
        TomcatvMesh mesh = TomcatvMesh.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                mesh.x().set(row, column, row * row - column * column);
                mesh.y().set(row, column, 2 * row * column);
            }
        }

        assertEquals(0, step(mesh));
    }

    /** Second derivatives, one by one: of x = s² along s, t² and st, with a sheared mesh. */
    @Test
    void residual_isThatOfWinslowsEquations() {
        TomcatvMesh mesh = TomcatvMesh.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                mesh.x().set(row, column, row * row + 3 * column * column + 5 * row * column);
                mesh.y().set(row, column, 7 * row + 11 * column);
            }
        }
        int s = 2;
        int t = 3;
        double xs = 2 * s + 5 * t;
        double xt = 6 * t + 5 * s;
        double alpha = xt * xt + 11 * 11;
        double beta = xs * xt + 7 * 11;
        double gamma = xs * xs + 7 * 7;

        mesh.residual(s);

        double expected = alpha * 2 - 2 * beta * 5 + gamma * 6;
        assertEquals(expected, mesh.residualX().get(s, t), 1e-9);
        assertEquals(0, mesh.residualY().get(s, t), 1e-9);
    }

    @Test
    void corrections_solveTheSystemOfTheirRow() {
        TomcatvMesh mesh = TomcatvMesh.filled(N, N, 0);
        mesh.residual(4);
        double[] right = new double[N];
        mesh.residualX().copyTo(4, right);

        mesh.solve(4);

        for (int column = 1; column < N - 1; column++) {
            double left = column == 1 ? 0 : mesh.residualX().get(4, column - 1);
            double next = column == N - 2 ? 0 : mesh.residualX().get(4, column + 1);
            double product =
                    mesh.side().get(4, column) * (left + next)
                            + mesh.diagonal().get(4, column) * mesh.residualX().get(4, column);
            assertEquals(right[column], product, 1e-15);
        }
    }

    @Test
    void manySteps_leaveNoResidual() {
        TomcatvMesh mesh = TomcatvMesh.filled(N, N, 0);
        double first = step(mesh);

        double last = first;
        for (int i = 0; i < 400; i++) {
            last = step(mesh);
        }

        assertTrue(last < 1e-9 * first, first + ", at last " + last);
    }
}
