package io.muninn.apps.gauss;

import io.muninn.api.DoubleMatrix;

/**
 * The size of the system of GAUSS.
 *
 * @param equations number of equations and of unknowns, at least 1
 */
record GaussSize(int equations) {
    /** Columns of the system: one per unknown, followed by the right-hand side. */
    int columns() {
        return equations + 1;
    }

    Stripe stripe(int position, int positions) {
        return new Stripe(position, positions, columns());
    }

    /** Local memory for {@code columns} columns, at least one. */
    DoubleMatrix local(int columns) {
        return DoubleMatrix.local(Math.max(1, columns), equations);
    }
}
