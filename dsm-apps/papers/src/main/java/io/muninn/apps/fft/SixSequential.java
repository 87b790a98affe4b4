package io.muninn.apps.fft;

import io.muninn.api.DsmNode;

/** The six-step FFT on one thread. */
final class SixSequential {
    private SixSequential() {}

    /** The transform in natural order, alternating real and imaginary parts. */
    static double[] transform(SixRows rows, DsmNode node) {
        int side = rows.side();
        double[][] points = new double[side][];
        for (int row = 0; row < side; row++) {
            points[row] = rows.input(row);
        }
        for (int phase = 0; phase < SixRows.PHASES; phase++) {
            double[][] next = new double[side][rows.rowLength()];
            for (int row = 0; row < side; row++) {
                for (int column = 0; column < side; column++) {
                    next[row][2 * column] = points[column][2 * row];
                    next[row][2 * column + 1] = points[column][2 * row + 1];
                }
                rows.work(node, phase, row, next[row]);
            }
            points = next;
        }
        double[] all = new double[rows.length()];
        for (int row = 0; row < side; row++) {
            System.arraycopy(points[row], 0, all, row * rows.rowLength(), rows.rowLength());
        }
        return all;
    }
}
