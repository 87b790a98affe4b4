package io.muninn.apps.gauss;

import io.muninn.api.DoubleMatrix;

/**
 * How much GAUSS computes.
 *
 * @param equations as many as unknowns, at least 1
 */
record GaussSize(int equations) {
    /** Columns of the system: one per unknown, and the right-hand side behind them. */
    int columns() {
        return equations + 1;
    }

    Stripe stripe(int position, int positions) {
        return new Stripe(position, positions, columns());
    }

    /** Room for so many columns, in plain memory. */
    DoubleMatrix local(int columns) {
        return DoubleMatrix.local(Math.max(1, columns), equations);
    }
}
