package io.muninn.apps.rb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The loop of RB, beside plain arrays. */
class RbGridTest {
    private static final int ROWS = 7;
    private static final int COLUMNS = 8;

    static Stream<Arguments> coloursAndFirstRows() {
        return Stream.of(
                arguments(RbGrid.RED, 0),
                arguments(RbGrid.BLACK, 0),
                arguments(RbGrid.RED, 5),
                arguments(RbGrid.BLACK, 5),
                arguments(RbGrid.RED, -1));
    }

    @ParameterizedTest
    @MethodSource("coloursAndFirstRows")
    void colour_goesBeyondTheAverageOfItsNeighboursAndTheOtherStays(int colour, int first) {
        RbGrid grid = RbGrid.filled(ROWS, COLUMNS, first);
        double[][] old = new double[ROWS][COLUMNS];
        for (int row = 0; row < ROWS; row++) {
            grid.values().copyTo(row, old[row]);
        }

        for (int row = 1; row < ROWS - 1; row++) {
            grid.relax(row, colour);
        }

        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                boolean isEdge =
                        row == 0 || row == ROWS - 1 || column == 0 || column == COLUMNS - 1;
                boolean isRed = (first + row + column) % 2 == 0;
                double expected = old[row][column];
                if (!isEdge && isRed == (colour == RbGrid.RED)) {
                    double average =
                            0.25
                                    * (old[row - 1][column]
                                            + old[row + 1][column]
                                            + old[row][column - 1]
                                            + old[row][column + 1]);
                    expected += 1.5 * (average - expected);
                }
                assertEquals(expected, grid.values().get(row, column), row + ", " + column);
            }
        }
    }

    @Test
    void manySteps_reachTheValuesBetweenTheEdges() {
        RbGrid grid = RbGrid.filled(ROWS, COLUMNS, 0);
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                boolean isEdge =
                        row == 0 || row == ROWS - 1 || column == 0 || column == COLUMNS - 1;
                grid.values().set(row, column, isEdge ? 2 * row - 3 * column : 100);
            }
        }

        for (int step = 0; step < 100; step++) {
            for (int row = 1; row < ROWS - 1; row++) {
                grid.relax(row, RbGrid.RED);
            }
            for (int row = 1; row < ROWS - 1; row++) {
                grid.relax(row, RbGrid.BLACK);
            }
        }

        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                assertEquals(2 * row - 3 * column, grid.values().get(row, column), 1e-9);
            }
        }
    }
}
