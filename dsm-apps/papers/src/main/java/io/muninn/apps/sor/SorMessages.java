package io.muninn.apps.sor;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import io.muninn.apps.LoopSize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * SOR with messages: after each colour the outermost rows of a band go to the neighbours. Each
 * thread has memory for the whole grid, of which its band and the rows beside it are right.
 */
final class SorMessages {
    private final LoopSize size;
    private final DsmNode node;
    private final Exchange exchange;
    private final SorGrid grid;

    private SorMessages(LoopSize size, DsmNode node) {
        this.size = size;
        this.node = node;
        exchange = new Exchange(node);
        grid = new SorGrid(size);
    }

    /** All elements, on the root's first thread; of others nothing. */
    static double[] solve(LoopSize size, DsmNode node) {
        SorMessages run = new SorMessages(size, node);
        Band mine = run.band(node.position());
        for (int step = 0; step < size.steps(); step++) {
            for (int colour = 0; colour < SorRows.COLOURS; colour++) {
                run.grid.relax(node, mine, colour);
                run.swap(mine, colour);
            }
        }
        return run.collect(mine);
    }

    private Band band(int position) {
        return SorShared.band(size, position, node.positions());
    }

    private void swap(Band mine, int colour) {
        int positions = node.positions();
        MemorySegment[] out = new MemorySegment[positions];
        MemorySegment[] in = new MemorySegment[positions];
        float[][] got = new float[positions][];
        for (int other = 0; other < positions; other++) {
            Band theirs = band(other);
            out[other] = MemorySegment.ofArray(packed(beside(theirs, mine), colour));
            got[other] = new float[beside(mine, theirs).size() * SorRows.length(size)];
            in[other] = MemorySegment.ofArray(got[other]);
        }
        exchange.swap(out, in);
        for (int other = 0; other < positions; other++) {
            unpack(got[other], beside(mine, band(other)), colour);
        }
    }

    /** The rows beside a band that are in another one. */
    private static List<Integer> beside(Band band, Band owner) {
        List<Integer> rows = new ArrayList<>();
        for (int row : new int[] {band.from() - 1, band.to()}) {
            if (!band.isEmpty() && owner.contains(row)) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<Integer> rowsOf(Band band) {
        List<Integer> rows = new ArrayList<>();
        for (int row = band.from(); row < band.to(); row++) {
            rows.add(row);
        }
        return rows;
    }

    private float[] packed(List<Integer> rows, int colour) {
        int length = SorRows.length(size);
        float[] values = new float[rows.size() * length];
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(grid.row(colour, rows.get(i)), 0, values, i * length, length);
        }
        return values;
    }

    private void unpack(float[] values, List<Integer> rows, int colour) {
        int length = SorRows.length(size);
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(values, i * length, grid.row(colour, rows.get(i)), 0, length);
        }
    }

    private double[] collect(Band mine) {
        for (int colour = 0; colour < SorRows.COLOURS; colour++) {
            MemorySegment[] in = new MemorySegment[node.positions()];
            float[][] got = new float[node.position() == 0 ? node.positions() : 0][];
            for (int other = 0; other < got.length; other++) {
                got[other] = new float[band(other).length() * SorRows.length(size)];
                in[other] = MemorySegment.ofArray(got[other]);
            }
            exchange.collect(MemorySegment.ofArray(packed(rowsOf(mine), colour)), in);
            for (int other = 0; other < got.length; other++) {
                unpack(got[other], rowsOf(band(other)), colour);
            }
        }
        return node.position() == 0 ? grid.elements() : new double[0];
    }
}
