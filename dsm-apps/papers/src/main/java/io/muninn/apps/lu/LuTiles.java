package io.muninn.apps.lu;

import io.muninn.apps.Pattern;

/**
 * The operations of all versions of LU on tiles. In step <em>k</em> the tile on the diagonal is
 * factored, and the tiles below and right of it are solved with its factors. From each remaining
 * tile the product of the solved tiles in its row and in its column is subtracted. The result is L
 * below the diagonal, whose diagonal is 1, and U on and above it.
 *
 * <p>A tile is an array on the heap, row by row. Each element is updated in the order of the
 * products' inner index, with one rounding at a time. So tiles of every size, and elimination
 * without tiles, give the same bits.
 *
 * <p>Source: Golub and Van Loan, "Matrix Computations", section 3.2 (outer product form by blocks).
 */
final class LuTiles {
    private static final long SEED = 31;

    private final int tile;

    LuTiles(LuSize size) {
        this.tile = size.tile();
    }

    /** An element of the matrix, which is diagonally dominant, so that no pivoting is needed. */
    static double element(LuSize size, int row, int column) {
        double value = Pattern.at(SEED, row, column);
        return row == column ? size.size() + value : value;
    }

    /** The initial values of a tile. */
    static double[] filled(LuSize size, int row, int column) {
        int tile = size.tile();
        double[] values = new double[size.area()];
        for (int i = 0; i < values.length; i++) {
            values[i] = element(size, row * tile + i / tile, column * tile + i % tile);
        }
        return values;
    }

    /** Replaces a tile by its factors. */
    void factor(double[] a) {
        for (int k = 0; k < tile; k++) {
            for (int i = k + 1; i < tile; i++) {
                a[i * tile + k] /= a[k * tile + k];
                subtract(a, i, a[i * tile + k], a, k, k + 1);
            }
        }
    }

    /** Multiplies a tile by the inverse of the upper factor, from the right: a tile of L. */
    void solveUpper(double[] a, double[] diagonal) {
        for (int i = 0; i < tile; i++) {
            for (int k = 0; k < tile; k++) {
                a[i * tile + k] /= diagonal[k * tile + k];
                subtract(a, i, a[i * tile + k], diagonal, k, k + 1);
            }
        }
    }

    /** Multiplies a tile by the inverse of the lower factor, from the left: a tile of U. */
    void solveLower(double[] a, double[] diagonal) {
        for (int k = 0; k < tile; k++) {
            for (int i = k + 1; i < tile; i++) {
                subtract(a, i, diagonal[i * tile + k], a, k, 0);
            }
        }
    }

    /** Subtracts a product from a tile. */
    void multiply(double[] a, double[] lower, double[] upper) {
        for (int i = 0; i < tile; i++) {
            for (int k = 0; k < tile; k++) {
                subtract(a, i, lower[i * tile + k], upper, k, 0);
            }
        }
    }

    /**
     * The inner loop: subtracts a multiple of a row from another row, from column {@code from} on.
     */
    private void subtract(
            double[] a, int row, double factor, double[] source, int sourceRow, int from) {
        int target = row * tile;
        int other = sourceRow * tile;
        for (int j = from; j < tile; j++) {
            a[target + j] -= factor * source[other + j];
        }
    }

    /** Simple operations of {@link #multiply}. */
    long multiplyUnits() {
        return (long) tile * tile * tile;
    }

    /** Simple operations of {@link #solveUpper} and {@link #solveLower}. */
    long solveUnits() {
        return multiplyUnits() / 2;
    }

    /** Simple operations of {@link #factor}. */
    long factorUnits() {
        return multiplyUnits() / 3;
    }
}
