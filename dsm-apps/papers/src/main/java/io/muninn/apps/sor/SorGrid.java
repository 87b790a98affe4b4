package io.muninn.apps.sor;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** The whole grid on the heap of one thread, by colour and row: SOR on one thread. */
final class SorGrid {
    private final LoopSize size;
    private final float[][][] rows;

    SorGrid(LoopSize size) {
        this.size = size;
        rows = new float[SorRows.COLOURS][size.size()][];
        for (int colour = 0; colour < rows.length; colour++) {
            for (int row = 0; row < size.size(); row++) {
                rows[colour][row] = SorRows.filled(size, row, colour);
            }
        }
    }

    /** The elements of a colour in a row. */
    float[] row(int colour, int row) {
        return rows[colour][row];
    }

    void relax(DsmNode node, Band band, int colour) {
        float[][] others = rows[1 - colour];
        for (int row = band.from(); row < band.to(); row++) {
            float[] own = rows[colour][row];
            SorRows.relax(size, row, colour, own, others[row - 1], others[row], others[row + 1]);
            node.work(SorRows.units(size));
        }
    }

    /** All elements, row by row. */
    double[] elements() {
        double[] all = new double[size.size() * size.size()];
        for (int colour = 0; colour < rows.length; colour++) {
            for (int row = 0; row < size.size(); row++) {
                SorRows.place(size, row, colour, rows[colour][row], all);
            }
        }
        return all;
    }

    /** The results of the sequential program. */
    static double[] solve(LoopSize size, DsmNode node) {
        SorGrid grid = new SorGrid(size);
        for (int step = 0; step < size.steps(); step++) {
            grid.relax(node, size.inner(), SorRows.RED);
            grid.relax(node, size.inner(), SorRows.BLACK);
        }
        return grid.elements();
    }

    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        return SameBits.verdict(size.ofGrid(), results, solve(size, root));
    }
}
