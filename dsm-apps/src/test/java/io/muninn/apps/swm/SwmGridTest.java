package io.muninn.apps.swm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleMatrix;
import io.muninn.apps.Pattern;
import org.junit.jupiter.api.Test;

/** What the equations promise, whatever the fields are. */
class SwmGridTest {
    private static final int N = 8;

    private static void step(SwmGrid grid, double seconds) {
        for (int row = 0; row < N; row++) {
            grid.flow((row + N - 1) % N, row, (row + 1) % N);
        }
        for (int row = 0; row < N; row++) {
            grid.advance((row + N - 1) % N, row, (row + 1) % N, seconds);
        }
        for (int row = 0; row < N; row++) {
            grid.shift(row);
        }
    }

    private static void steps(SwmGrid grid, int count) {
        for (int step = 0; step < count; step++) {
            step(grid, SwmGrid.seconds(step));
        }
    }

    private static void set(SwmGrid grid, int row, int column, double u, double v, double p) {
        grid.u().set(row, column, u);
        grid.v().set(row, column, v);
        grid.p().set(row, column, p);
        grid.old().u().set(row, column, u);
        grid.old().v().set(row, column, v);
        grid.old().p().set(row, column, p);
    }

    private static double mass(SwmGrid grid) {
        double sum = 0;
        for (int row = 0; row < N; row++) {
            sum += grid.weight(row);
        }
        return sum;
    }

    @Test
    void wave_keepsItsMassAndMoves() {
        SwmGrid grid = SwmGrid.filled(N, N, 0);
        double before = mass(grid);
        double pressure = grid.p().get(1, 2);

        steps(grid, 50);

        assertEquals(before, mass(grid), 1e-12 * before);
        assertTrue(Math.abs(grid.p().get(1, 2) - pressure) > 1, () -> "" + grid.p().get(1, 2));
    }

    @Test
    void evenFlow_goesOnForEver() {
        SwmGrid grid = SwmGrid.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                set(grid, row, column, 3, -2, 50_000);
            }
        }

        steps(grid, 20);

        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                assertEquals(3, grid.u().get(row, column));
                assertEquals(-2, grid.v().get(row, column));
                assertEquals(50_000, grid.p().get(row, column));
            }
        }
    }

    /** In a mirror that swaps rows and columns, the velocities swap, too. */
    @Test
    void mirroredFields_giveMirroredResults() {
        SwmGrid grid = SwmGrid.filled(N, N, 0);
        SwmGrid mirrored = SwmGrid.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                double u = 10 * Pattern.at(1, row, column);
                double v = 10 * Pattern.at(2, row, column);
                double p = 50_000 + 100 * Pattern.at(3, row, column);
                set(grid, row, column, u, v, p);
                set(mirrored, column, row, v, u, p);
            }
        }

        steps(grid, 10);
        steps(mirrored, 10);

        assertMirrored(grid.u(), mirrored.v(), 1e-10);
        assertMirrored(grid.v(), mirrored.u(), 1e-10);
        assertMirrored(grid.p(), mirrored.p(), 1e-6);
    }

    private static void assertMirrored(DoubleMatrix one, DoubleMatrix other, double tolerance) {
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                assertEquals(one.get(row, column), other.get(column, row), tolerance);
            }
        }
    }

    /**
     * Pressure alone drives a flow from the high to the low. A step of one second adds its
     * difference over the distance.
     */
    @Test
    void slopeOfThePressure_drivesTheVelocities() {
        SwmGrid grid = SwmGrid.filled(N, N, 0);
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                set(grid, row, column, 0, 0, 50_000 + 100 * row + 7 * column);
            }
        }

        step(grid, 1);

        assertEquals(-7e-5, grid.u().get(3, 4), 1e-15);
        assertEquals(-100e-5, grid.v().get(3, 4), 1e-15);
    }

    /** Total energy, kinetic and of the pressure, is conserved but for the steps in time. */
    @Test
    void energy_isKeptToThePrecisionOfTheSteps() {
        SwmGrid grid = SwmGrid.filled(N, N, 0);
        double before = energy(grid);

        for (int step = 0; step < 200; step++) {
            step(grid, 1);
        }

        assertEquals(before, energy(grid), 1e-6 * before);
    }

    private static double energy(SwmGrid grid) {
        double sum = 0;
        for (int row = 0; row < N; row++) {
            for (int column = 0; column < N; column++) {
                double here = grid.p().get(row, column);
                double left = grid.p().get(row, (column + N - 1) % N);
                double above = grid.p().get((row + N - 1) % N, column);
                double u = grid.u().get(row, column);
                double v = grid.v().get(row, column);
                sum += 0.5 * here * here;
                sum += 0.25 * (here + left) * u * u + 0.25 * (here + above) * v * v;
            }
        }
        return sum;
    }
}
