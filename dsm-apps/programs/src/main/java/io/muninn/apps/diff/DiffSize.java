package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;

/**
 * How much DIFF computes.
 *
 * @param rows of the grid, edges included, at least 1
 * @param columns of the grid, edges included, at least 1
 * @param sweeps how often every element is averaged
 * @param heat where the grid is warm at first
 */
record DiffSize(int rows, int columns, int sweeps, Heat heat) {
    /** Rows that are averaged: all but the first and the last. */
    int innerRows() {
        return Math.max(0, rows - 2);
    }

    /**
     * The grid rows of share {@code position} of {@code positions}; empty with more shares than
     * rows.
     */
    Band band(int position, int positions) {
        Band inner = Band.of(innerRows(), position, positions);
        return new Band(inner.from() + 1, inner.to() + 1);
    }

    /** The same in grid {@code turn} of several that lie one above another. */
    Band band(int position, int positions, int turn) {
        Band band = band(position, positions);
        int first = turn * rows;
        return new Band(first + band.from(), first + band.to());
    }

    /** Simple operations to average a row and copy it back. */
    long rowUnits() {
        return 5L * columns;
    }

    /** Room for {@code count} grids. */
    DoubleMatrix localGrids(int count) {
        return DoubleMatrix.local(count * rows, columns);
    }

    /** Room for the new values of a band. */
    DoubleMatrix scratch(Band band) {
        return DoubleMatrix.local(Math.max(1, band.length()), columns);
    }
}
