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

    /** Simple operations to average a row and copy it back. */
    long rowUnits() {
        return 5L * columns;
    }

    DoubleMatrix localGrid() {
        return DoubleMatrix.local(rows, columns);
    }

    /** Room for the new values of a band. */
    DoubleMatrix scratch(Band band) {
        return DoubleMatrix.local(Math.max(1, band.length()), columns);
    }
}
