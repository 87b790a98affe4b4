package io.muninn.api;

import io.muninn.api.spi.ViewSpec;

/**
 * A shared array of {@code float} with three dimensions, 4 bytes each, row-major.
 *
 * @see Cube
 */
public final class FloatCube extends Cube {
    private static final int SHIFT = 2;

    private FloatCube(ViewSpec spec, int planes, int rows, int columns) {
        super(spec, planes, rows, columns);
    }

    /**
     * Declares a cube.
     *
     * @param planes at least 1
     * @param rows of each plane, at least 1; {@code planes * rows} is at most 2^31 - 1
     * @param columns 1 to {@link #COLUMNS_MAX}
     * @throws IllegalArgumentException if a number is out of range
     */
    public static FloatCube of(int planes, int rows, int columns) {
        ViewSpec spec = spec("float", Float.BYTES, planes, rows, columns);
        return new FloatCube(spec, planes, rows, columns);
    }

    /**
     * Creates a cube that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static FloatCube local(int planes, int rows, int columns) {
        FloatCube view = of(planes, rows, columns);
        view.bindLocally();
        return view;
    }

    /** Loads one element. */
    public float get(int plane, int row, int column) {
        return FloatMatrix.load(this, checkedOffset(plane, row, column, loadable, SHIFT));
    }

    /** Stores one element. */
    public void set(int plane, int row, int column, float value) {
        FloatMatrix.store(this, checkedOffset(plane, row, column, storable, SHIFT), value);
    }

    /**
     * A view of one row of a plane, for inner loops, as {@link FloatMatrix#row}. Methods that take
     * rows can so be used with matrices and cubes.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public FloatMatrix.Row row(int plane, int row) {
        return new FloatMatrix.Row(this, checkedLine(plane, row, 0));
    }

    /** Loads a row into the first {@link #columns()} elements of a heap array. */
    public void copyTo(int plane, int row, float[] target) {
        FloatMatrix.copyTo(this, loadedRow(plane, row, SHIFT), target);
    }

    /** Stores the first {@link #columns()} elements of a heap array to a row. */
    public void copyFrom(int plane, int row, float[] source) {
        FloatMatrix.copyFrom(this, storedRow(plane, row, SHIFT), source);
    }

    /** Stores {@code value} to every element. */
    public void fill(float value) {
        fill(0, planes(), value);
    }

    /**
     * Stores {@code value} to every element of planes {@code from} (inclusive) to {@code to}
     * (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, float value) {
        fillBits(from, to, Float.floatToRawIntBits(value));
    }
}
