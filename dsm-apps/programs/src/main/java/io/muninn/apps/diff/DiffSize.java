package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;

/**
 * The parameters of DIFF.
 *
 * @param rows number of rows of the grid, including edges, at least 1
 * @param columns number of columns of the grid, including edges, at least 1
 * @param sweeps number of times that every element is averaged
 * @param heat the initial values
 */
record DiffSize(int rows, int columns, int sweeps, Heat heat) {
    /** Number of rows that are averaged: all except the first and the last. */
    int innerRows() {
        return Math.max(0, rows - 2);
    }

    /**
     * The grid rows of share {@code position} of {@code positions}; may be empty if there are more
     * shares than rows.
     */
    Band band(int position, int positions) {
        Band inner = Band.of(innerRows(), position, positions);
        return new Band(inner.from() + 1, inner.to() + 1);
    }

    /** The same rows in grid {@code turn} of several grids that are stored one below another. */
    Band band(int position, int positions, int turn) {
        Band band = band(position, positions);
        int first = turn * rows;
        return new Band(first + band.from(), first + band.to());
    }

    /** Simple operations to average a row and copy it back. */
    long rowUnits() {
        return 5L * columns;
    }

    /** Local memory for {@code count} grids. */
    DoubleMatrix localGrids(int count) {
        return DoubleMatrix.local(count * rows, columns);
    }

    /** Local memory for the new values of a band. */
    DoubleMatrix scratch(Band band) {
        return DoubleMatrix.local(Math.max(1, band.length()), columns);
    }
}
