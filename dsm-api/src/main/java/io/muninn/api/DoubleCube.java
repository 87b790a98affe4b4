package io.muninn.api;

import io.muninn.api.spi.ViewSpec;

/**
 * A shared array of {@code double} with three dimensions, 8 bytes each, row-major.
 *
 * @see Cube
 */
public final class DoubleCube extends Cube {
    private static final int SHIFT = 3;

    private DoubleCube(ViewSpec spec, int planes, int rows, int columns) {
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
    public static DoubleCube of(int planes, int rows, int columns) {
        ViewSpec spec = spec("double", Double.BYTES, planes, rows, columns);
        return new DoubleCube(spec, planes, rows, columns);
    }

    /**
     * Creates a cube that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static DoubleCube local(int planes, int rows, int columns) {
        DoubleCube view = of(planes, rows, columns);
        view.bindLocally();
        return view;
    }

    /** Loads one element. */
    public double get(int plane, int row, int column) {
        return DoubleMatrix.load(this, checkedOffset(plane, row, column, loadable, SHIFT));
    }

    /** Stores one element. */
    public void set(int plane, int row, int column, double value) {
        DoubleMatrix.store(this, checkedOffset(plane, row, column, storable, SHIFT), value);
    }

    /**
     * A view of one row of a plane, for inner loops, as {@link DoubleMatrix#row}. Methods that take
     * rows can so be used with matrices and cubes.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public DoubleMatrix.Row row(int plane, int row) {
        return new DoubleMatrix.Row(this, checkedLine(plane, row, 0));
    }

    /** Loads a row into the first {@link #columns()} elements of a heap array. */
    public void copyTo(int plane, int row, double[] target) {
        DoubleMatrix.copyTo(this, loadedRow(plane, row, SHIFT), target);
    }

    /** Stores the first {@link #columns()} elements of a heap array to a row. */
    public void copyFrom(int plane, int row, double[] source) {
        DoubleMatrix.copyFrom(this, storedRow(plane, row, SHIFT), source);
    }

    /** Stores {@code value} to every element. */
    public void fill(double value) {
        fill(0, planes(), value);
    }

    /**
     * Stores {@code value} to every element of planes {@code from} (inclusive) to {@code to}
     * (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, double value) {
        fillBits(from, to, Double.doubleToRawLongBits(value));
    }
}
