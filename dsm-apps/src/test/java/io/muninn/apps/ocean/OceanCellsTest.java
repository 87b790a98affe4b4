package io.muninn.apps.ocean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of cells beside functions whose derivatives are known. */
class OceanCellsTest {
    private static final int CELLS = 64;
    private static final double SQUARE = OceanBasin.SIDE * OceanBasin.SIDE;
    private static final OceanCells OPERATIONS = new OceanCells(OceanCells.CENTRE);

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
                assertEquals(expected, SQUARE * OPERATIONS.laplacian(values, row, column), 0.05);
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
                double error = expected + SQUARE * OceanCells.jacobian(z, p, row, column);
                worst = Math.max(worst, Math.abs(error));
                assertEquals(
                        OceanCells.jacobian(z, p, row, column),
                        -OceanCells.jacobian(p, z, row, column),
                        1e-6 / SQUARE);
            }
        }
        assertTrue(worst < 0.05, "error " + worst);
    }

    @Test
    void jacobian_keepsTheSumsOfBothFields() {
        OceanGrid p = grid((x, y) -> sine(1, x) * sine(2, y));
        OceanGrid z = grid((x, y) -> sine(3, x) * sine(1, y) + sine(2, x) * sine(2, y));
        double energy = 0;
        double squares = 0;
        double size = 0;
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                double change = SQUARE * OceanCells.jacobian(z, p, row, column);
                energy += p.get(row, column) * change;
                squares += z.get(row, column) * change;
                size += Math.abs(change);
            }
        }
        assertEquals(0, energy / size, 1e-10);
        assertEquals(0, squares / size, 1e-10);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-9})
    void relaxedCell_hasNoResidual(double k) {
        OceanGrid values = grid((x, y) -> x * x + 3 * y);
        OceanGrid right = grid((x, y) -> (7 * x - y) / SQUARE);
        for (int cell : new int[] {0, 5, CELLS - 1, CELLS, CELLS * CELLS / 2 + 9, 4095}) {
            int row = cell / CELLS;
            int column = cell % CELLS;
            double before = Math.abs(OPERATIONS.residual(values, right, k, row, column));
            assertEquals(before, OPERATIONS.relax(values, right, k, row, column));
            assertEquals(0, OPERATIONS.residual(values, right, k, row, column), 1e-9 / SQUARE);
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
}
