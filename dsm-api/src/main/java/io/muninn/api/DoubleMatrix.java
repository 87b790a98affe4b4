package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** Loads one element. */
    public double get(int row, int column) {
        MemorySegment elements = memory;
        long offset = offset(row, column);
        try {
            return elements.get(ValueLayout.JAVA_DOUBLE, load(offset, Double.BYTES));
        } catch (RuntimeException cause) {
            throw refused(elements, offset, cause);
        }
    }

    /** Stores one element. */
    public void set(int row, int column, double value) {
        MemorySegment elements = memory;
        long offset = offset(row, column);
        try {
            elements.set(ValueLayout.JAVA_DOUBLE, store(offset, Double.BYTES), value);
        } catch (RuntimeException cause) {
            throw refused(elements, offset, cause);
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

    /**
     * Checks the column, which could otherwise reach into another row. The segment checks the row.
     */
    private long offset(int row, int column) {
        try {
            return ((long) row * columns + Objects.checkIndex(column, columns)) << 3;
        } catch (IndexOutOfBoundsException cause) {
            throw refused(place(row, column), cause);
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
