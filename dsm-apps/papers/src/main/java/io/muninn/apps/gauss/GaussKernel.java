package io.muninn.apps.gauss;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;
import java.util.Locale;

/**
 * The common part of all versions of GAUSS: the system, the two phases of an iteration, and the
 * verification of the solution.
 *
 * <p>A column of the system is stored as a row of the matrix, a <em>slot</em>, so that the elements
 * which one thread writes are contiguous. Rows of the system are elements of slots.
 *
 * <p>Source: Munin §6.6 and figure 18. The paper does not say that the columns of a thread are
 * contiguous. This is inferred from its 90 read misses on sixteen nodes: there cannot be pages with
 * two writers.
 */
final class GaussKernel {
    /**
     * Simple operations for one element of the inner loop: a multiplication, a subtraction, and a
     * division, which counts as four.
     */
    static final int ELEMENT_UNITS = 6;

    /** Simple operations for each element of the pivot column: a comparison and a copy. */
    private static final int PIVOT_UNITS = 2;

    /**
     * Largest scaled residual of a correct solution, as in the LINPACK benchmark. It is about 0.1
     * with partial pivoting, and about 1e10 after an error in one element.
     */
    private static final double RESIDUAL_MAX = 16;

    private static final long SEED = 5;

    private GaussKernel() {}

    /** Stores the initial values of a column or of the right-hand side. */
    static void fill(DoubleMatrix slots, int slot, int column) {
        for (int row = 0; row < slots.columns(); row++) {
            slots.set(slot, row, element(row, column));
        }
    }

    /** Stores the initial values of all columns, in the order that {@code any} stripe defines. */
    static void fill(DoubleMatrix slots, Stripe any) {
        for (int column = 0; column < any.columns(); column++) {
            fill(slots, any.slot(column), column);
        }
    }

    private static double element(int row, int column) {
        return Pattern.at(SEED, row, column);
    }

    /**
     * First phase, for the thread that has column {@code step}: finds the row with the largest
     * element from the diagonal down, swaps it with the diagonal's row, and copies the column.
     *
     * @param pivots elements from {@code step} on are overwritten
     * @return the pivot row
     */
    static int pivot(DsmNode node, DoubleMatrix slots, int slot, int step, DoubleArray pivots) {
        int equations = slots.columns();
        int found = step;
        for (int row = step + 1; row < equations; row++) {
            if (Math.abs(slots.get(slot, row)) > Math.abs(slots.get(slot, found))) {
                found = row;
            }
        }
        swap(slots, slot, step, found);
        for (int row = step; row < equations; row++) {
            pivots.set(row, slots.get(slot, row));
        }
        node.work((long) PIVOT_UNITS * (equations - step));
        return found;
    }

    /**
     * Second phase, for every thread: swaps the two rows in its columns right of column {@code
     * step} and subtracts multiples of row {@code step} from the rows below.
     *
     * @param first the slot of the stripe's first column
     * @param pivotRow the row that {@link #pivot} found in this step
     * @param pivots the elements that {@link #pivot} copied
     */
    static void eliminate(
            DsmNode node,
            DoubleMatrix slots,
            int first,
            Stripe stripe,
            int step,
            int pivotRow,
            DoubleArray pivots) {
        long units = (long) ELEMENT_UNITS * (slots.columns() - step - 1);
        for (int slot = first + stripe.upTo(step); slot < first + stripe.length(); slot++) {
            swap(slots, slot, step, pivotRow);
            subtract(slots, slot, step, pivots);
            node.work(units);
        }
    }

    private static void swap(DoubleMatrix slots, int slot, int row, int other) {
        if (row != other) {
            double value = slots.get(slot, row);
            slots.set(slot, row, slots.get(slot, other));
            slots.set(slot, other, value);
        }
    }

    /** The inner loop of figure 18, over the rows of a column. */
    private static void subtract(DoubleMatrix slots, int slot, int step, DoubleArray pivots) {
        double above = slots.get(slot, step);
        double pivot = pivots.get(step);
        for (int row = step + 1; row < slots.columns(); row++) {
            slots.set(slot, row, slots.get(slot, row) - above * pivots.get(row) / pivot);
        }
    }

    /** Solves the triangular system, and checks the residual of the original system. */
    static Verdict verify(DoubleMatrix slots, Stripe any) {
        int equations = slots.columns();
        double residual = residual(solution(slots, any));
        String text = String.format(Locale.ROOT, "scaled residual %.4f", residual);
        return residual <= RESIDUAL_MAX
                ? Verdict.right("solution of " + equations + " equations has a " + text)
                : Verdict.wrong("solution of " + equations + " equations has a " + text);
    }

    /** Back substitution; ignores elements below the diagonal. */
    static double[] solution(DoubleMatrix slots, Stripe any) {
        int equations = slots.columns();
        double[] solution = new double[equations];
        slots.copyTo(any.slot(equations), solution);
        for (int column = equations - 1; column >= 0; column--) {
            int slot = any.slot(column);
            solution[column] /= slots.get(slot, column);
            for (int row = 0; row < column; row++) {
                solution[row] -= slots.get(slot, row) * solution[column];
            }
        }
        return solution;
    }

    /**
     * The largest error of an equation, divided by a bound of the rounding error: the product of
     * the unit roundoff, the number of equations, and the norms of matrix, solution and right-hand
     * side.
     *
     * @return 0 or more; NaN if an element of the solution is NaN
     */
    static double residual(double[] solution) {
        int equations = solution.length;
        double error = 0;
        double matrixNorm = 0;
        double rightNorm = 0;
        double solutionNorm = 0;
        for (int row = 0; row < equations; row++) {
            double right = element(row, equations);
            double sum = -right;
            double rowNorm = 0;
            for (int column = 0; column < equations; column++) {
                sum += element(row, column) * solution[column];
                rowNorm += Math.abs(element(row, column));
            }
            error = Math.max(error, Math.abs(sum));
            matrixNorm = Math.max(matrixNorm, rowNorm);
            rightNorm = Math.max(rightNorm, Math.abs(right));
            solutionNorm = Math.max(solutionNorm, Math.abs(solution[row]));
        }
        return error / (Math.ulp(1.0) * equations * (matrixNorm * solutionNorm + rightNorm));
    }
}
