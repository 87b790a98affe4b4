package io.muninn.apps.adi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.DoubleMatrix;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop of ADI. */
class AdiGridTest {
    private static final int ROWS = 6;

    private static List<DoubleMatrix> all(AdiGrid grid) {
        return List.of(grid.u1(), grid.u2(), grid.u3());
    }

    private static void fill(DoubleMatrix matrix, double slope, double bend) {
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < AdiGrid.WIDTH; column++) {
                matrix.set(row, column, slope * row + bend * column * column);
            }
        }
    }

    private static AdiGrid advanced(AdiGrid now) {
        AdiGrid next = AdiGrid.filled(ROWS, 0);
        for (int row = 1; row < ROWS - 1; row++) {
            now.advance(row, next);
        }
        return next;
    }

    /** A quantity that grows by 1/2 in each row moves each of the three by its own part. */
    @Test
    void slopeAlongTheGrid_movesAllThreeQuantities() {
        double[][] along = {{0.020, -0.007, 0.011}, {0.005, 0.017, -0.013}, {-0.009, 0.003, 0.015}};
        for (int steep = 0; steep < 3; steep++) {
            AdiGrid now = AdiGrid.filled(ROWS, 0);
            for (int i = 0; i < 3; i++) {
                fill(all(now).get(i), i == steep ? 0.5 : 0, 0);
            }

            AdiGrid next = advanced(now);

            for (int i = 0; i < 3; i++) {
                for (int row = 1; row < ROWS - 1; row++) {
                    double here = i == steep ? 0.5 * row : 0;
                    for (int column = 1; column < AdiGrid.WIDTH - 1; column++) {
                        double actual = all(next).get(i).get(row, column);
                        assertEquals(here + along[i][steep], actual, 1e-15);
                    }
                }
            }
        }
    }

    /** The second difference of squares is 2, a quarter of which is added. */
    @Test
    void bendAcrossTheGrid_movesTheQuantityItself() {
        AdiGrid now = AdiGrid.filled(ROWS, 0);
        fill(now.u1(), 0, 0);
        fill(now.u2(), 0, 1);
        fill(now.u3(), 0, 0);

        AdiGrid next = advanced(now);

        for (int column = 1; column < AdiGrid.WIDTH - 1; column++) {
            assertEquals(0, next.u1().get(2, column));
            assertEquals(column * column + 0.5, next.u2().get(2, column), 1e-15);
            assertEquals(0, next.u3().get(2, column));
        }
    }

    @Test
    void edges_stay() {
        AdiGrid now = AdiGrid.filled(ROWS, 0);

        AdiGrid next = advanced(now);

        for (int i = 0; i < 3; i++) {
            for (int row = 0; row < ROWS; row++) {
                for (int column : new int[] {0, AdiGrid.WIDTH - 1}) {
                    assertEquals(
                            all(now).get(i).get(row, column), all(next).get(i).get(row, column));
                }
            }
        }
    }
}
