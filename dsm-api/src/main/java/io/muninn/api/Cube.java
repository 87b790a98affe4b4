package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;

/**
 * A shared array of three dimensions and one element type, row-major: planes follow one another
 * without padding, and in each of them its rows, so element (p, r, c) is element {@code (p * rows +
 * r) * columns + c}. Its granule is the element.
 *
 * <p>Ranges of planes are counted as by {@link #segment}; {@link #writeTo}, {@link #readFrom} and
 * {@link #copyTo(long, SharedVariable, long, long)} count elements.
 *
 * @see SharedVariable
 */
public abstract sealed class Cube extends Grid permits DoubleCube, FloatCube {
    /** Largest number of columns, 2^28. With it no element's index overflows, in any row. */
    public static final int COLUMNS_MAX = WIDTH_MAX;

    private final int planes;
    private final int rows;

    Cube(ViewSpec spec, int planes, int rows, int columns) {
        super(spec, planes * rows, columns);
        this.planes = planes;
        this.rows = rows;
    }

    /**
     * The shape of a cube.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    static ViewSpec spec(String element, int elementBytes, int planes, int rows, int columns) {
        String type = element + "[" + planes + "][" + rows + "][" + columns + "]";
        boolean hasRows = planes >= 1 && rows >= 1 && (long) planes * rows <= Integer.MAX_VALUE;
        if (!hasRows || columns < 1 || columns > COLUMNS_MAX) {
            throw new IllegalArgumentException(
                    type
                            + " cannot be shared: planes and rows are 1 or more, their product at"
                            + " most "
                            + Integer.MAX_VALUE
                            + ", columns 1 to "
                            + COLUMNS_MAX);
        }
        long bytes = checkedBytes(type, (long) planes * rows * columns, elementBytes);
        return new ViewSpec(type, bytes, elementBytes);
    }

    /** The number of planes. */
    public final int planes() {
        return planes;
    }

    /** Number of rows of each plane. */
    public final int rows() {
        return rows;
    }

    /** The number of elements of a row. */
    public final int columns() {
        return columns;
    }

    /**
     * The memory of planes {@code from} (inclusive) to {@code to} (exclusive), for bulk and vector
     * code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return the bytes of {@code (to - from) * rows() * columns()} elements, read-only if {@code
     *     mode} is {@link Mode#READ}
     */
    public final MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, mode);
    }

    /** Prefetches a plane that will be loaded; see {@link #prefetch(long, long, Mode)}. */
    public final void prefetchPlane(int plane) {
        prefetchPlane(plane, Mode.READ);
    }

    /**
     * Prefetches a plane; see {@link #prefetch(long, long, Mode)}.
     *
     * @throws IndexOutOfBoundsException if there is no such plane
     */
    public final void prefetchPlane(int plane, Mode mode) {
        prefetch(plane, plane + 1L, mode);
    }

    /** The offset of an element, as {@link Grid#checkedOffset}. */
    final long checkedOffset(int plane, int row, int column, int limit, int shift) {
        return offset(checkedLine(plane, row, column), column, limit, shift);
    }

    /** A row that is too large would be one of another plane. */
    final int checkedLine(int plane, int row, int column) {
        if (Integer.compareUnsigned(plane, planes) >= 0
                || Integer.compareUnsigned(row, rows) >= 0) {
            throw refused(rowText(plane, row) + ", column " + column);
        }
        return plane * rows + row;
    }

    /** The offset of a row that is loaded as a whole. */
    final long loadedRow(int plane, int row, int shift) {
        int line = checkedLine(plane, row, 0);
        checkRange(plane, plane + 1L);
        return lineOffset(line, shift);
    }

    /** The offset of a row that is stored as a whole. */
    final long storedRow(int plane, int row, int shift) {
        int line = checkedLine(plane, row, 0);
        checkStores(plane, plane + 1L);
        return lineOffset(line, shift);
    }

    @Override
    final long indexBytes() {
        return (long) rows * columns * elementBytes();
    }

    @Override
    final String indexWord() {
        return "plane";
    }

    @Override
    final String lineText(int line) {
        return rowText(line / rows, line % rows);
    }

    private static String rowText(int plane, int row) {
        return "plane " + plane + ", row " + row;
    }

    @Override
    final String shape() {
        return "planes are " + planes + ", rows " + rows + " and columns " + columns;
    }
}
