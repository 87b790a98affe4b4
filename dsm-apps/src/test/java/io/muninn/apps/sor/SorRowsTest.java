package io.muninn.apps.sor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Schedule;
import io.muninn.apps.LoopSize;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SOR's arithmetic by colour, beside plain loops over a grid. */
class SorRowsTest {
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 9, 10})
    void rowsByColour_giveWhatPlainLoopsGive(int n) {
        LoopSize size = new LoopSize(n, 3, Schedule.BLOCK);
        float[][] plain = new float[n][n];
        float[][][] rows = new float[SorRows.COLOURS][n][];
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                boolean isInside = row % (n - 1) > 0 && column % (n - 1) > 0;
                plain[row][column] = isInside ? 0 : 1;
            }
            rows[SorRows.RED][row] = SorRows.filled(size, row, SorRows.RED);
            rows[SorRows.BLACK][row] = SorRows.filled(size, row, SorRows.BLACK);
        }

        for (int i = 0; i < 2 * size.steps(); i++) {
            int colour = i % 2;
            relax(plain, colour);
            float[][] others = rows[1 - colour];
            for (int row = 1; row < n - 1; row++) {
                float[] own = rows[colour][row];
                SorRows.relax(
                        size, row, colour, own, others[row - 1], others[row], others[row + 1]);
            }
        }

        double[] placed = new double[n * n];
        for (int row = 0; row < n; row++) {
            SorRows.place(size, row, SorRows.RED, rows[SorRows.RED][row], placed);
            SorRows.place(size, row, SorRows.BLACK, rows[SorRows.BLACK][row], placed);
        }
        for (int i = 0; i < placed.length; i++) {
            assertEquals(plain[i / n][i % n], placed[i], "element " + i);
        }
    }

    private static void relax(float[][] grid, int colour) {
        for (int row = 1; row < grid.length - 1; row++) {
            for (int column = 1; column < grid.length - 1; column++) {
                if ((row + column) % 2 == colour) {
                    float sum =
                            grid[row - 1][column]
                                    + grid[row + 1][column]
                                    + grid[row][column - 1]
                                    + grid[row][column + 1];
                    grid[row][column] += 1.5f * (0.25f * sum - grid[row][column]);
                }
            }
        }
    }
}
