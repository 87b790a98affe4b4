package io.muninn.apps.lu;

import io.muninn.api.DsmNode;

/** LU on one thread. */
final class LuSequential {
    private LuSequential() {}

    static double[] factor(LuSize size, DsmNode node) {
        LuTiles tiles = new LuTiles(size);
        int n = size.tiles();
        double[][] all = new double[n * n][];
        for (int i = 0; i < all.length; i++) {
            all[i] = LuTiles.filled(size, i / n, i % n);
        }
        for (int step = 0; step < n; step++) {
            double[] diagonal = all[step * n + step];
            tiles.factor(diagonal);
            node.work(tiles.factorUnits());
            for (int i = step + 1; i < n; i++) {
                tiles.solveUpper(all[i * n + step], diagonal);
                tiles.solveLower(all[step * n + i], diagonal);
                node.work(2 * tiles.solveUnits());
            }
            for (int row = step + 1; row < n; row++) {
                for (int column = step + 1; column < n; column++) {
                    tiles.multiply(
                            all[row * n + column], all[row * n + step], all[step * n + column]);
                    node.work(tiles.multiplyUnits());
                }
            }
        }
        return inRows(size, all);
    }

    /**
     * The elements of all tiles in the order of the matrix's rows.
     *
     * @param all tiles, row by row
     */
    static double[] inRows(LuSize size, double[][] all) {
        int n = size.size();
        int tile = size.tile();
        double[] elements = new double[n * n];
        for (int i = 0; i < all.length; i++) {
            int row = i / size.tiles() * tile;
            int column = i % size.tiles() * tile;
            for (int k = 0; k < tile; k++) {
                System.arraycopy(all[i], k * tile, elements, (row + k) * n + column, tile);
            }
        }
        return elements;
    }
}
