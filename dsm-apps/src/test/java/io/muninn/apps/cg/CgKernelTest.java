package io.muninn.apps.cg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgKernelTest {
    /** The matrix as rows of all elements, made of its pairs. */
    private static double[][] dense(CgSize size) {
        double[][] dense = new double[size.unknowns()][size.unknowns()];
        double[] diagonal = CgMatrix.diagonal(size);
        for (int row = 0; row < dense.length; row++) {
            dense[row][row] = diagonal[row];
        }
        for (long pair = 0; pair < size.pairs(); pair++) {
            int row = CgMatrix.row(size, pair);
            int column = CgMatrix.column(size, pair);
            dense[row][column] += CgMatrix.value(size, pair);
            dense[column][row] += CgMatrix.value(size, pair);
        }
        return dense;
    }

    private static void onOneThread(Consumer<DsmNode> body) {
        Dsm.run(body::accept);
    }

    private static DoubleArray solved(CgSize size) {
        DoubleArray solutions = size.localSolutions();
        onOneThread(node -> {
            for (int turn = 0; turn < size.repeat(); turn++) {
                CgSequential.solve(node, size, SparseRows.whole(size), turn, solutions);
            }
        });
        return solutions;
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 1", "2, 9", "30, 0", "30, 11", "64, 7"})
    void rows_areThoseOfTheMatrixInOrderOfColumns(int unknowns, int others) {
        CgSize size = new CgSize(unknowns, others, 1, 1);
        SparseRows rows = SparseRows.whole(size);
        double[][] rest = dense(size);

        for (int row = 0; row < unknowns; row++) {
            int before = -1;
            for (int i = rows.starts().get(row); i < rows.starts().get(row + 1); i++) {
                int column = rows.columns().get(i);
                assertTrue(column >= before, "row " + row + " column " + column);
                before = column;
                rest[row][column] -= rows.values().get(i);
            }
        }

        assertEquals(0, rows.starts().get(0));
        assertEquals(size.elements(), rows.starts().get(unknowns));
        for (double[] row : rest) {
            for (double element : row) {
                assertEquals(0, element, 1e-15); // two pairs at one place: added in another order
            }
        }
    }

    @Test
    void matrix_isSymmetricAndItsDiagonalDominates() {
        double[][] dense = dense(new CgSize(40, 11, 1, 1));

        for (int row = 0; row < dense.length; row++) {
            double others = 0;
            for (int column = 0; column < dense.length; column++) {
                assertEquals(dense[row][column], dense[column][row]);
                others += column == row ? 0 : Math.abs(dense[row][column]);
            }
            assertTrue(dense[row][row] >= 1 + others - 1e-14, "row " + row);
        }
    }

    @Test
    void usualMatrix_hasTwelveElementsInARow() {
        CgSize size = new CgSize(7000, 11, 50, 1);
        List<Integer> lengths = new ArrayList<>();
        SparseRows rows = SparseRows.whole(size);

        for (int row = 0; row < size.unknowns(); row++) {
            lengths.add(rows.starts().get(row + 1) - rows.starts().get(row));
        }

        assertEquals(12, lengths.stream().mapToInt(length -> length).average().orElseThrow());
        assertTrue(lengths.stream().allMatch(length -> length >= 6 && length <= 30));
    }

    @Test
    void twoEquations_areSolvedInTwoIterations() {
        CgSize size = new CgSize(2, 1, 2, 1);
        double[][] a = dense(size);
        double determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];

        DoubleArray solution = solved(size);

        double right0 = CgMatrix.right(0, 0);
        double right1 = CgMatrix.right(0, 1);
        assertEquals((right0 * a[1][1] - a[0][1] * right1) / determinant, solution.get(0), 1e-15);
        assertEquals((a[0][0] * right1 - right0 * a[1][0]) / determinant, solution.get(1), 1e-15);
    }

    /** Iterations that go on when the residual has become zero change nothing. */
    @ParameterizedTest
    @CsvSource({"30, 0", "30, 5", "1, 0", "200, 72"})
    void manyMoreIterationsThanNeeded_leaveTheSolution(int unknowns, int others) {
        CgSize some = new CgSize(unknowns, others, 150, 1);
        CgSize many = new CgSize(unknowns, others, 600, 1);
        DoubleArray solution = solved(some);

        DoubleArray later = solved(many);

        for (int i = 0; i < unknowns; i++) {
            assertEquals(solution.get(i), later.get(i), 1e-15);
        }
    }

    @Test
    void moreIterations_leaveSmallerResiduals() {
        double before = 1;
        for (int iterations = 1; iterations <= 12; iterations++) {
            CgSize size = new CgSize(500, 11, iterations, 1);
            double[] diagonal = CgMatrix.diagonal(size);

            double residual = CgVerification.residual(size, diagonal, 0, solved(size));

            assertTrue(residual < before, iterations + ": " + residual);
            assertTrue(residual <= CgVerification.tolerance(size, diagonal));
            before = residual;
        }
        assertTrue(before < 1e-4, "after 12: " + before);
    }

    @Test
    void rightHandSides_differ() {
        CgSize size = new CgSize(20, 3, 30, 2);
        DoubleArray solutions = solved(size);

        assertNotEquals(solutions.get(0), solutions.get(20));
        onOneThread(node -> assertTrue(CgVerification.verify(node, size, solutions).right()));
    }

    @Test
    void elementThatIsWrong_isFound() {
        CgSize size = new CgSize(100, 11, 40, 2);
        DoubleArray solutions = solved(size);
        double[] diagonal = CgMatrix.diagonal(size);
        onOneThread(node -> assertTrue(CgVerification.verify(node, size, solutions).right()));

        solutions.set(117, Math.nextUp(solutions.get(117)));
        onOneThread(node -> assertFalse(CgVerification.verify(node, size, solutions).right()));
        solutions.set(117, solutions.get(117) + 1e-6);

        assertTrue(
                CgVerification.residual(size, diagonal, 1, solutions)
                        > CgVerification.tolerance(size, diagonal));
        assertTrue(
                CgVerification.residual(size, diagonal, 0, solutions)
                        <= CgVerification.tolerance(size, diagonal));
    }
}
