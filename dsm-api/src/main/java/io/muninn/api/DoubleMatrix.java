package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Objects;

/**
 * A shared matrix of {@code double}, 8 bytes each, row-major: rows follow one another without
 * padding, so element (r, c) is at byte {@code 8 * (r * columns + c)}. Its granule is the element.
 *
 * @see SharedVariable
 */
public final class DoubleMatrix extends SharedVariable {
    /** Largest number of columns, 2^28. With it no element's index overflows, in any row. */
    public static final int COLUMNS_MAX = 1 << 28;

    private final int rows;
    private final int columns;

    private DoubleBuffer loads = empty().asDoubleBuffer();
    private DoubleBuffer stores = loads;

    private DoubleMatrix(ViewSpec spec, int rows, int columns) {
        super(spec);
        this.rows = rows;
        this.columns = columns;
    }

    /**
     * Declares a matrix.
     *
     * @param rows at least 1
     * @param columns 1 to {@link #COLUMNS_MAX}
     * @throws IllegalArgumentException if a number is out of range
     */
    public static DoubleMatrix of(int rows, int columns) {
        String type = "double[" + rows + "][" + columns + "]";
        if (rows < 1 || columns < 1 || columns > COLUMNS_MAX) {
            throw new IllegalArgumentException(
                    type + " cannot be shared: rows are 1 or more, columns 1 to " + COLUMNS_MAX);
        }
        long bytes = checkedBytes(type, (long) rows * columns, Double.BYTES);
        return new DoubleMatrix(new ViewSpec(type, bytes, Double.BYTES), rows, columns);
    }

    /**
     * Creates a matrix that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable. The same
     * code can then use private and shared matrices.
     *
     * @param rows at least 1
     * @param columns 1 to {@link #COLUMNS_MAX}
     * @throws IllegalArgumentException if a number is out of range
     */
    public static DoubleMatrix local(int rows, int columns) {
        DoubleMatrix view = of(rows, columns);
        view.bindLocally();
        return view;
    }

    @Override
    void onMemory(ByteBuffer loaded, ByteBuffer stored) {
        loads = loaded.asDoubleBuffer();
        stores = stored.asDoubleBuffer();
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** Loads one element. */
    public double get(int row, int column) {
        int index = index(row, column);
        DoubleBuffer elements = loads;
        try {
            return isLarge
                    ? memory.get(ValueLayout.JAVA_DOUBLE, load(offset(row, column), Double.BYTES))
                    : elements.get(load(index));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Stores one element. */
    public void set(int row, int column, double value) {
        int index = index(row, column);
        DoubleBuffer elements = stores;
        try {
            if (isLarge) {
                memory.set(
                        ValueLayout.JAVA_DOUBLE, store(offset(row, column), Double.BYTES), value);
            } else {
                elements.put(store(index), value);
            }
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /**
     * A view of one row, for inner loops: its index is a column, so that a loop over a row computes
     * no place in the matrix. It loads and stores the matrix's own elements. It is small and cheap
     * to create, and of use as long as the matrix is.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public Row row(int row) {
        return new Row(this, row);
    }

    /**
     * One row of a matrix.
     *
     * @see DoubleMatrix#row
     */
    public static final class Row {
        private final DoubleMatrix matrix;
        private final int row;
        private final int first; // its first element in the matrix; not of use if that is large

        private Row(DoubleMatrix matrix, int row) {
            this.matrix = matrix;
            this.row = row;
            this.first = matrix.index(row, 0);
        }

        /** Number of elements: the columns of the matrix. */
        public int length() {
            return matrix.columns;
        }

        /** Loads one element. */
        public double get(int column) {
            DoubleBuffer elements = matrix.loads;
            int index = first + matrix.checkedColumn(row, column);
            try {
                return matrix.isLarge ? matrix.get(row, column) : elements.get(matrix.load(index));
            } catch (RuntimeException cause) {
                throw RefusedAccess.of(elements, index, cause);
            }
        }

        /** Stores one element. */
        public void set(int column, double value) {
            DoubleBuffer elements = matrix.stores;
            int index = first + matrix.checkedColumn(row, column);
            try {
                if (matrix.isLarge) {
                    matrix.set(row, column, value);
                } else {
                    elements.put(matrix.store(index), value);
                }
            } catch (RuntimeException cause) {
                throw RefusedAccess.of(elements, index, cause);
            }
        }

        @Override
        public String toString() {
            return "row " + row + " of " + matrix;
        }
    }

    /**
     * The memory of rows {@code from} (inclusive) to {@code to} (exclusive), for bulk and vector
     * code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return {@code (to - from) * columns() * 8} bytes, read-only if {@code mode} is {@link
     *     Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, rows, rowBytes(), mode);
    }

    /** Prefetches a row that will be loaded; see {@link #prefetch(long, long, Mode)}. */
    public void prefetchRow(int row) {
        prefetchRow(row, Mode.READ);
    }

    /**
     * Prefetches a row; see {@link #prefetch(long, long, Mode)}.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public void prefetchRow(int row, Mode mode) {
        prefetch(row, row + 1L, mode);
    }

    /** Loads a row into the first {@link #columns()} elements of a heap array. */
    public void copyTo(int row, double[] target) {
        checkRange(row, row + 1L, rows);
        MemorySegment.copy(
                memory,
                ValueLayout.JAVA_DOUBLE,
                load(row * rowBytes(), rowBytes()),
                target,
                0,
                columns);
    }

    /** Stores the first {@link #columns()} elements of a heap array to a row. */
    public void copyFrom(int row, double[] source) {
        checkStore(row, 1, rows);
        MemorySegment.copy(
                source,
                0,
                memory,
                ValueLayout.JAVA_DOUBLE,
                store(row * rowBytes(), rowBytes()),
                columns);
    }

    /** Stores {@code value} to every element. */
    public void fill(double value) {
        checkStore(0, rows, rows);
        store(0, rows * rowBytes());
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                memory.set(ValueLayout.JAVA_DOUBLE, offset(row, column), value);
            }
        }
    }

    /** Checks both: a column that is too large, or a product that overflows, is another element. */
    private int index(int row, int column) {
        try {
            return Objects.checkIndex(row, rows) * columns + Objects.checkIndex(column, columns);
        } catch (IndexOutOfBoundsException cause) {
            throw refused(place(row, column), cause);
        }
    }

    private int checkedColumn(int row, int column) {
        try {
            return Objects.checkIndex(column, columns);
        } catch (IndexOutOfBoundsException cause) {
            throw refused(place(row, column), cause);
        }
    }

    private long offset(int row, int column) {
        return ((long) row * columns + column) << 3;
    }

    @Override
    long indexBytes() {
        return rowBytes();
    }

    @Override
    String indexWord() {
        return "row";
    }

    private long rowBytes() {
        return (long) columns << 3;
    }

    @Override
    String place(long offset) {
        long element = offset >> 3;
        return place(Math.floorDiv(element, columns), Math.floorMod(element, columns));
    }

    private static String place(long row, int column) {
        return "row " + row + ", column " + column;
    }

    @Override
    String shape() {
        return "rows are " + rows + " and columns " + columns;
    }
}
