package io.muninn.apps.jacobi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The loops of JACOBI, beside plain arrays. */
class JacobiGridTest {
    private static final int ROWS = 7;
    private static final int COLUMNS = 9;

    @Test
    void step_averagesInnerElementsAndFindsTheLargestChange() {
        JacobiGrid grid = JacobiGrid.filled(ROWS, COLUMNS, 3);
        double[][] old = new double[ROWS][COLUMNS];
        for (int row = 0; row < ROWS; row++) {
            grid.now().copyTo(row, old[row]);
        }

        for (int row = 1; row < ROWS - 1; row++) {
            grid.relax(row);
        }

        for (int row = 1; row < ROWS - 1; row++) {
            double change = grid.accept(row);
            double expected = 0;
            for (int column = 1; column < COLUMNS - 1; column++) {
                double average =
                        0.25
                                * (old[row - 1][column]
                                        + old[row + 1][column]
                                        + old[row][column - 1]
                                        + old[row][column + 1]);
                assertEquals(average, grid.now().get(row, column));
                expected = Math.max(expected, Math.abs(average - old[row][column]));
            }
            assertEquals(expected, change);
        }
        for (int row = 0; row < ROWS; row++) {
            assertEquals(old[row][0], grid.now().get(row, 0));
            assertEquals(old[row][COLUMNS - 1], grid.now().get(row, COLUMNS - 1));
        }
    }

    @Test
    void planeOfValues_doesNotChange() {
        JacobiGrid grid = JacobiGrid.filled(ROWS, COLUMNS, 0);
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                grid.now().set(row, column, 2 * row - 3 * column);
            }
        }

        for (int row = 1; row < ROWS - 1; row++) {
            grid.relax(row);
        }

        for (int row = 1; row < ROWS - 1; row++) {
            assertEquals(0, grid.accept(row));
        }
    }
}
