package io.muninn.apps.sor;

import io.muninn.apps.LoopSize;

/**
 * The grid of SOR, and the operations of all versions on a row of it. Elements whose row and column
 * have an even sum are red, the others black, as on a chess board. The edges are 1 and never
 * change, and the rest is 0 at first. Of each colour a row is an array of its own.
 *
 * <p>Source: Amza et al., "TreadMarks: Shared Memory Computing on Networks of Workstations", IEEE
 * Computer 29(2), 1996 (the grid as a red and a black array, divided into bands of rows).
 */
final class SorRows {
    static final int RED = 0;
    static final int BLACK = 1;
    static final int COLOURS = 2;

    /** By how much an element goes beyond the average of its neighbours: 1 is not at all. */
    private static final float RELAXATION = 1.5f;

    private SorRows() {}

    /** Elements of one colour in a row, at most. */
    static int length(LoopSize size) {
        return (size.size() + 1) / 2;
    }

    /** Simple operations for one colour of a row. */
    static long units(LoopSize size) {
        return 3L * size.size();
    }

    /** The column of a colour's first element in a row. */
    private static int start(int row, int colour) {
        return row + colour & 1;
    }

    /** First values of a colour in a row. */
    static float[] filled(LoopSize size, int row, int colour) {
        int last = size.size() - 1;
        float[] values = new float[length(size)];
        for (int i = 0; i < values.length; i++) {
            int column = 2 * i + start(row, colour);
            boolean isEdge = row == 0 || row == last || column == 0 || column == last;
            values[i] = isEdge ? 1 : 0;
        }
        return values;
    }

    /**
     * Moves the elements of a colour in a row towards the average of their neighbours.
     *
     * @param own the row's elements of the colour
     * @param above the row above of the other colour
     * @param beside the row of the other colour
     * @param below the row below of the other colour
     */
    static void relax(
            LoopSize size,
            int row,
            int colour,
            float[] own,
            float[] above,
            float[] beside,
            float[] below) {
        int start = start(row, colour);
        int end = (size.size() - 2 - start) / 2;
        for (int i = 1 - start; i <= end; i++) {
            float sum = above[i] + below[i] + beside[i - 1 + start] + beside[i + start];
            own[i] += RELAXATION * (0.25f * sum - own[i]);
        }
    }

    /** Puts the elements of a colour in a row to their columns of a grid, row by row. */
    static void place(LoopSize size, int row, int colour, float[] own, double[] grid) {
        int n = size.size();
        for (int column = start(row, colour); column < n; column += 2) {
            grid[row * n + column] = own[column / 2];
        }
    }
}
