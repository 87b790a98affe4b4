package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;

/**
 * A shared matrix of one element type, row-major: rows follow one another without padding, so
 * element (r, c) is element {@code r * columns + c}. Its granule is the element.
 *
 * <p>Ranges of rows are counted as by {@link #segment}; {@link #writeTo}, {@link #readFrom} and
 * {@link #copyTo(long, SharedVariable, long, long)} count elements.
 *
 * @see SharedVariable
 */
public abstract sealed class Matrix extends Grid
        permits DoubleMatrix, FloatMatrix, IntMatrix, LongMatrix {
    /** Largest number of columns, 2^28. With it no element's index overflows, in any row. */
    public static final int COLUMNS_MAX = WIDTH_MAX;

    Matrix(ViewSpec spec, int rows, int columns) {
        super(spec, rows, columns);
    }

    /**
     * The shape of a matrix.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    static ViewSpec spec(String element, int elementBytes, int rows, int columns) {
        String type = element + "[" + rows + "][" + columns + "]";
        if (rows < 1 || columns < 1 || columns > COLUMNS_MAX) {
            throw new IllegalArgumentException(
                    type + " cannot be shared: rows are 1 or more, columns 1 to " + COLUMNS_MAX);
        }
        long bytes = checkedBytes(type, (long) rows * columns, elementBytes);
        return new ViewSpec(type, bytes, elementBytes);
    }

    /** The number of rows. */
    public final int rows() {
        return lines;
    }

    /** The number of elements of a row. */
    public final int columns() {
        return columns;
    }

    /**
     * The memory of rows {@code from} (inclusive) to {@code to} (exclusive), for bulk and vector
     * code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return the bytes of {@code (to - from) * columns()} elements, read-only if {@code mode} is
     *     {@link Mode#READ}
     */
    public final MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, mode);
    }

    /** Prefetches a row that will be loaded; see {@link #prefetch(long, long, Mode)}. */
    public final void prefetchRow(int row) {
        prefetchRow(row, Mode.READ);
    }

    /**
     * Prefetches a row; see {@link #prefetch(long, long, Mode)}.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public final void prefetchRow(int row, Mode mode) {
        prefetch(row, row + 1L, mode);
    }

    @Override
    final long indexBytes() {
        return columns * elementBytes();
    }

    @Override
    final String indexWord() {
        return "row";
    }

    @Override
    final String lineText(int line) {
        return "row " + line;
    }

    @Override
    final String shape() {
        return "rows are " + lines + " and columns " + columns;
    }
}
