package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A shared matrix of {@code float}, 4 bytes each, row-major.
 *
 * @see Matrix
 */
public final class FloatMatrix extends Matrix {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final int SHIFT = 2;

    private FloatMatrix(ViewSpec spec, int rows, int columns) {
        super(spec, rows, columns);
    }

    /**
     * Declares a matrix.
     *
     * @param rows at least 1
     * @param columns 1 to {@link #COLUMNS_MAX}
     * @throws IllegalArgumentException if a number is out of range
     */
    public static FloatMatrix of(int rows, int columns) {
        return new FloatMatrix(spec("float", Float.BYTES, rows, columns), rows, columns);
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
    public static FloatMatrix local(int rows, int columns) {
        FloatMatrix view = of(rows, columns);
        view.bindLocally();
        return view;
    }

    /** Loads one element. */
    public float get(int row, int column) {
        return load(this, checkedOffset(row, column, loadable, SHIFT));
    }

    /** Stores one element. */
    public void set(int row, int column, float value) {
        store(this, checkedOffset(row, column, storable, SHIFT), value);
    }

    /** Loads an element whose offset has been checked. */
    static float load(Grid grid, long offset) {
        grid.load(offset, Float.BYTES);
        float value = grid.elements().get(FLOAT, grid.at(offset));
        Reference.reachabilityFence(grid); // its memory is used up to here
        return value;
    }

    /** Stores an element whose offset has been checked. */
    static void store(Grid grid, long offset, float value) {
        grid.store(offset, Float.BYTES);
        grid.elements().set(FLOAT, grid.at(offset), value);
        Reference.reachabilityFence(grid);
    }

    /**
     * A view of one row, for inner loops. Its index is a column, so a loop over a row computes no
     * offset in the matrix. It loads and stores the matrix's own elements. It is small and cheap to
     * create, and valid as long as the matrix is.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public Row row(int row) {
        checkLine(row, 0);
        return new Row(this, row);
    }

    /**
     * One row of a matrix or a cube.
     *
     * @see FloatMatrix#row
     * @see FloatCube#row
     */
    public static final class Row extends Line {
        Row(Grid grid, int line) {
            super(grid, line, SHIFT);
        }

        /** Loads one element. */
        public float get(int column) {
            if (isBeyondLoads(column)) {
                return load(grid, grid.offset(line, column, grid.loadable, SHIFT));
            }
            float value = AllMemory.SEGMENT.get(FLOAT, offset(column));
            Reference.reachabilityFence(this); // the memory of its grid is used up to here
            return value;
        }

        /** Stores one element. */
        public void set(int column, float value) {
            if (isBeyondStores(column)) {
                store(grid, grid.offset(line, column, grid.storable, SHIFT), value);
                return;
            }
            AllMemory.SEGMENT.set(FLOAT, offset(column), value);
            Reference.reachabilityFence(this);
        }

        private long offset(int column) {
            return AllMemory.offset(address, (long) column << SHIFT);
        }
    }

    /** Loads a row into the first {@link #columns()} elements of a heap array. */
    public void copyTo(int row, float[] target) {
        checkRange(row, row + 1L);
        copyTo(this, lineOffset(row, SHIFT), target);
    }

    /** Stores the first {@link #columns()} elements of a heap array to a row. */
    public void copyFrom(int row, float[] source) {
        checkStores(row, row + 1L);
        copyFrom(this, lineOffset(row, SHIFT), source);
    }

    /** Loads a line whose offset has been checked. */
    static void copyTo(Grid grid, long offset, float[] target) {
        long from = grid.load(offset, grid.lineBytes(SHIFT));
        MemorySegment.copy(grid.memory, ValueLayout.JAVA_FLOAT, from, target, 0, grid.columns);
    }

    /** Stores a line whose offset has been checked. */
    static void copyFrom(Grid grid, long offset, float[] source) {
        long to = grid.store(offset, grid.lineBytes(SHIFT));
        MemorySegment.copy(source, 0, grid.memory, ValueLayout.JAVA_FLOAT, to, grid.columns);
    }

    /** Stores {@code value} to every element. */
    public void fill(float value) {
        fill(0, rows(), value);
    }

    /**
     * Stores {@code value} to every element of rows {@code from} (inclusive) to {@code to}
     * (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, float value) {
        fillBits(from, to, Float.floatToRawIntBits(value));
    }
}
