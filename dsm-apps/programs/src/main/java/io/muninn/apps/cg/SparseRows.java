package io.muninn.apps.cg;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;

/**
 * Rows of the matrix in compressed form. The elements of a row are in ascending order of columns.
 *
 * @param starts for each row the index of its first element, then the end of the last row
 * @param columns columns of all elements
 * @param values values of all elements
 */
record SparseRows(IntArray starts, IntArray columns, DoubleArray values) {
    /** Local memory for rows. */
    static SparseRows local(int rows, int elements) {
        return new SparseRows(
                IntArray.local(rows + 1),
                IntArray.local(Math.max(1, elements)),
                DoubleArray.local(Math.max(1, elements)));
    }

    /** All rows, in local memory. */
    static SparseRows whole(CgSize size) {
        SparseRows rows = local(size.unknowns(), (int) size.elements());
        rows.fill(size);
        return rows;
    }

    /**
     * Stores the elements of all rows. They are first stored in arbitrary order of columns. The
     * matrix is symmetric, so its transpose is the same matrix; transposing sorts the elements.
     */
    void fill(CgSize size) {
        int unknowns = size.unknowns();
        int[] first = firsts(size);
        int[] next = first.clone();
        int[] anyColumns = new int[(int) size.elements()];
        double[] anyValues = new double[(int) size.elements()];
        double[] diagonal = CgMatrix.diagonal(size);
        for (int row = 0; row < unknowns; row++) {
            anyColumns[next[row]] = row;
            anyValues[next[row]++] = diagonal[row];
        }
        for (long pair = 0; pair < size.pairs(); pair++) {
            int row = CgMatrix.row(size, pair);
            int column = CgMatrix.column(size, pair);
            double value = CgMatrix.value(size, pair);
            anyColumns[next[row]] = column;
            anyValues[next[row]++] = value;
            anyColumns[next[column]] = row;
            anyValues[next[column]++] = value;
        }
        transpose(first, anyColumns, anyValues);
    }

    private static int[] firsts(CgSize size) {
        int unknowns = size.unknowns();
        int[] first = new int[unknowns + 1];
        for (long pair = 0; pair < size.pairs(); pair++) {
            first[CgMatrix.row(size, pair) + 1]++;
            first[CgMatrix.column(size, pair) + 1]++;
        }
        for (int row = 0; row < unknowns; row++) {
            first[row + 1] += first[row] + 1; // the diagonal
        }
        return first;
    }

    private void transpose(int[] first, int[] anyColumns, double[] anyValues) {
        int unknowns = first.length - 1;
        int[] next = first.clone();
        int[] sortedColumns = new int[anyColumns.length];
        double[] sortedValues = new double[anyValues.length];
        for (int row = 0; row < unknowns; row++) {
            for (int i = first[row]; i < first[row + 1]; i++) {
                int to = next[anyColumns[i]]++;
                sortedColumns[to] = row;
                sortedValues[to] = anyValues[i];
            }
        }
        starts.copyFrom(0, first, 0, first.length);
        columns.copyFrom(0, sortedColumns, 0, sortedColumns.length);
        values.copyFrom(0, sortedValues, 0, sortedValues.length);
    }

    /**
     * Multiplies rows {@code first} to {@code first + count} with a vector.
     *
     * @param product receives the products; element 0 belongs to row {@code first}
     */
    void multiply(DsmNode node, int first, int count, DoubleArray vector, DoubleArray product) {
        for (int i = 0; i < count; i++) {
            multiplyRow(first + i, vector, product, i);
        }
        node.work((long) starts.get(first + count) - starts.get(first));
    }

    /** The inner loop. */
    private void multiplyRow(int row, DoubleArray vector, DoubleArray product, int target) {
        int end = starts.get(row + 1);
        double sum = 0;
        for (int i = starts.get(row); i < end; i++) {
            sum += values.get(i) * vector.get(columns.get(i));
        }
        product.set(target, sum);
    }
}
