package io.muninn.apps.ocean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of cells beside functions whose derivatives are known, and the flow itself. */
class OceanCellsTest {
    private static final int CELLS = 64;

    private interface Field {
        double at(double x, double y);
    }

    private static OceanGrid grid(Field field) {
        OceanGrid grid = OceanGrid.local(CELLS);
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                grid.set(row, column, field.at((column + 0.5) / CELLS, (row + 0.5) / CELLS));
            }
        }
        return grid;
    }

    private static double sine(int waves, double x) {
        return Math.sin(waves * Math.PI * x);
    }

    @Test
    void laplacian_isThatOfAProductOfSines() {
        OceanGrid values = grid((x, y) -> sine(1, x) * sine(2, y));
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                double expected = -5 * Math.PI * Math.PI * values.get(row, column);
                assertEquals(expected, OceanCells.laplacian(values, row, column), 0.05);
            }
        }
    }

    @Test
    void jacobian_isThatOfTwoFields() {
        OceanGrid p = grid((x, y) -> sine(1, x) * sine(1, y));
        OceanGrid z = grid((x, y) -> sine(2, x) * sine(1, y));
        double worst = 0;
        for (int row = 1; row < CELLS - 1; row++) {
            for (int column = 1; column < CELLS - 1; column++) {
                double x = (column + 0.5) / CELLS;
                double y = (row + 0.5) / CELLS;
                double expected =
                        Math.PI
                                * Math.PI
                                * Math.cos(Math.PI * y)
                                * sine(1, y)
                                * (Math.cos(Math.PI * x) * sine(2, x)
                                        - 2 * sine(1, x) * Math.cos(2 * Math.PI * x));
                worst =
                        Math.max(
                                worst, Math.abs(expected - OceanCells.jacobian(p, z, row, column)));
            }
        }
        assertTrue(worst < 0.05, "error " + worst);
    }

    @Test
    void relaxedCell_hasNoResidual() {
        OceanGrid values = grid((x, y) -> x * x + 3 * y);
        OceanGrid right = grid((x, y) -> 7 * x - y);
        for (int cell : new int[] {0, 5, CELLS - 1, CELLS, CELLS * CELLS / 2 + 9, 4095}) {
            int row = cell / CELLS;
            int column = cell % CELLS;
            OceanCells.relax(values, right, row, column);
            assertEquals(0, OceanCells.residual(values, right, row, column), 1e-9);
        }
    }

    @Test
    void interpolation_isExactOfLinesThatAreZeroAtTheWall() {
        OceanGrid coarse = grid((x, y) -> x * y);
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                double expected = (column + 0.5) / (2 * CELLS) * ((row + 0.5) / (2 * CELLS));
                assertEquals(expected, OceanCells.interpolated(coarse, row, column), 1e-12);
            }
        }
    }

    private static double[] run(OceanSize size) {
        double[][] results = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        results[0] = OceanRun.alone(size, node);
                    }
                });
        return results[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64})
    void residuals_areWithinTheTolerance(int cells) {
        double residual = OceanOracle.residual(cells, run(new OceanSize(cells, 3)));
        assertTrue(residual > 0 && residual <= OceanRun.TOLERANCE, () -> "residual " + residual);
    }

    @Test
    void flow_isFastestAtTheWesternWall() {
        int n = 32;
        double[] results = run(new OceanSize(n, 600));
        int middle = n / 2 * n;
        double west = Math.abs(results[middle + 2] - results[middle]);
        double east = Math.abs(results[middle + n - 3] - results[middle + n - 1]);
        assertTrue(west > 3 * east, () -> "currents " + west + " and " + east);
    }

    @Test
    void residual_ofAnotherVorticityIsLarge() {
        double[] results = run(new OceanSize(16, 2));
        results[16 * 16 + 40] *= 1.5;
        assertFalse(OceanOracle.residual(16, results) <= OceanRun.TOLERANCE);
    }
}
