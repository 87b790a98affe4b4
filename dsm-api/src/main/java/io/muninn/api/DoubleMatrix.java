package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A shared matrix of {@code double}, 8 bytes each, row-major: rows follow one another without
 * padding, so element (r, c) is at byte {@code 8 * (r * columns + c)}. Its granule is the element.
 *
 * @see SharedVariable
 */
public final class DoubleMatrix extends SharedVariable {
    /** Largest number of columns, 2^28. With it no element's index overflows, in any row. */
    public static final int COLUMNS_MAX = 1 << 28;

    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private final int rows;
    private final int columns;

    private DoubleMatrix(ViewSpec spec, int rows, int columns) {
        super(spec, columns);
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

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** Loads one element. */
    public double get(int row, int column) {
        long offset = load(checkedOffset(row, column, loadable), Double.BYTES);
        double value = elements().get(DOUBLE, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int row, int column, double value) {
        long offset = store(checkedOffset(row, column, storable), Double.BYTES);
        elements().set(DOUBLE, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /**
     * A view of one row, for inner loops. Its index is a column, so a loop over a row computes no
     * offset in the matrix. It loads and stores the matrix's own elements. It is small and cheap to
     * create, and valid as long as the matrix is.
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
        private final int loadable; // of the matrix, when this view was created
        private final long address; // of its first element

        private Row(DoubleMatrix matrix, int row) {
            matrix.checkRow(row, 0);
            this.matrix = matrix;
            this.row = row;
            this.loadable = matrix.loadable;
            this.address = matrix.memory.address() + row * matrix.rowBytes();
        }

        /** Number of elements: the columns of the matrix. */
        public int length() {
            return matrix.columns;
        }

        /** Loads one element. */
        public double get(int column) {
            if (!AllMemory.IS_OPEN || Integer.compareUnsigned(column, loadable) >= 0) {
                return matrix.get(
                        row, column); // or the matrix was bound after this view was created
            }
            double value = AllMemory.SEGMENT.get(DOUBLE, offset(column));
            Reference.reachabilityFence(this); // the memory of its matrix is used up to here
            return value;
        }

        /** Stores one element. */
        public void set(int column, double value) {
            if (!AllMemory.IS_OPEN
                    || loadable == 0
                    || Integer.compareUnsigned(column, matrix.storable) >= 0) {
                matrix.set(row, column, value);
                return;
            }
            AllMemory.SEGMENT.set(DOUBLE, offset(column), value);
            Reference.reachabilityFence(this);
        }

        private long offset(int column) {
            return AllMemory.offset(address, (long) column << 3);
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
                memory.set(ValueLayout.JAVA_DOUBLE, row * rowBytes() + ((long) column << 3), value);
            }
        }
    }

    /**
     * Checks row and column. A column that is too large would be an element of another row. The
     * comparison is that of {@link #loaded}.
     */
    private long checkedOffset(int row, int column, int limit) {
        checkRow(row, column);
        checkColumn(row, column, limit);
        return AllMemory.within(row * rowBytes()) + ((long) column << 3);
    }

    private void checkRow(int row, int column) {
        if (Integer.compareUnsigned(row, rows) >= 0) {
            throw refused(place(row, column));
        }
    }

    private void checkColumn(int row, int column, int limit) {
        if (Integer.compareUnsigned(column, limit) >= 0) {
            throw refused(place(row, column), column);
        }
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

    private static String place(int row, int column) {
        return "row " + row + ", column " + column;
    }

    @Override
    String shape() {
        return "rows are " + rows + " and columns " + columns;
    }
}
