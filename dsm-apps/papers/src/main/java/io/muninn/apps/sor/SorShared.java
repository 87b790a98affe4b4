package io.muninn.apps.sor;

import io.muninn.api.Band;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.FloatArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.Prefetching;

/**
 * SOR over shared memory: each thread has a band of rows, and a barrier ends each colour. Each
 * colour is an array of its own, whose rows begin at pages.
 *
 * <p>What a thread lacks after a barrier are the rows on both sides of its band, and in the first
 * iteration all rows, which the root has filled. With prefetches it asks for the two at once, and
 * comes to the edges of its band last; in the first iteration it asks for each row some rows ahead.
 * Between threads of one node nothing has to travel, so that only the first and the last of them
 * ask for a neighbour's row.
 *
 * <p>Source: Mowry §3.2 (prefetches isolated by splitting loops, and scheduled ahead by software
 * pipelining), §5.1 (no thread prefetches data that another thread of its node has).
 */
final class SorShared implements DsmProgram {
    /** Elements of a page. */
    private static final int PAGE = 4096 / Float.BYTES;

    @Shared(Protocol.LAZY)
    private final FloatArray red;

    @Shared(Protocol.LAZY)
    private final FloatArray black;

    private final LoopSize size;
    private final Prefetching prefetching;

    /** Elements from one row of a colour to the next. */
    private final int stride;

    SorShared(LoopSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        stride = Math.ceilDiv(SorRows.length(size), PAGE) * PAGE;
        red = FloatArray.of(size.size() * stride);
        black = FloatArray.of(size.size() * stride);
    }

    /** The rows of a thread. */
    static Band band(LoopSize size, int position, int positions) {
        Band inner = size.inner();
        Band share = Band.of(inner.length(), position, positions);
        return new Band(inner.from() + share.from(), inner.from() + share.to());
    }

    private FloatArray of(int colour) {
        return colour == SorRows.RED ? red : black;
    }

    @Override
    public void initialize(DsmNode root) {
        for (int colour = 0; colour < SorRows.COLOURS; colour++) {
            for (int row = 0; row < size.size(); row++) {
                store(colour, row, SorRows.filled(size, row, colour));
            }
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("colour");
        Band rows = band(size, node.position(), node.positions());
        for (int step = 0; step < size.steps(); step++) {
            relax(node, rows, SorRows.RED, step == 0);
            barrier.await();
            relax(node, rows, SorRows.BLACK, false);
            barrier.await();
        }
    }

    private void relax(DsmNode node, Band rows, int colour, boolean isCold) {
        if (rows.isEmpty()) {
            return;
        }
        if (!prefetching.isOn()) {
            relax(node, rows.from(), rows.to(), colour);
            return;
        }
        prefetchNeighbours(node, rows, 1 - colour);
        if (isCold) {
            prefetchBand(rows.from(), prefetching.distance(), rows);
        }
        int last = rows.to() - 1;
        for (int row = rows.from() + 1; row < last; row++) {
            if (isCold) {
                prefetchBand(row + prefetching.distance() - 1, 1, rows);
            }
            relax(node, row, row + 1, colour);
        }
        relax(node, rows.from(), rows.from() + 1, colour);
        if (last > rows.from()) {
            relax(node, last, last + 1, colour);
        }
    }

    private void relax(DsmNode node, int from, int to, int colour) {
        for (int row = from; row < to; row++) {
            float[] own = load(colour, row);
            float[] above = load(1 - colour, row - 1);
            float[] beside = load(1 - colour, row);
            float[] below = load(1 - colour, row + 1);
            SorRows.relax(size, row, colour, own, above, beside, below);
            node.work(SorRows.units(size));
            store(colour, row, own);
        }
    }

    private void prefetchNeighbours(DsmNode node, Band rows, int colour) {
        if (node.thread() == 0) {
            prefetch(colour, rows.from() - 1, Mode.READ);
        }
        if (node.thread() == node.threads() - 1) {
            prefetch(colour, rows.to(), Mode.READ);
        }
    }

    /** Asks for so many rows of both colours, as far as they are within the band. */
    private void prefetchBand(int from, int count, Band rows) {
        for (int row = from; row < Math.min(from + count, rows.to()); row++) {
            prefetch(SorRows.RED, row, Mode.WRITE);
            prefetch(SorRows.BLACK, row, Mode.WRITE);
        }
    }

    private void prefetch(int colour, int row, Mode mode) {
        long from = (long) row * stride;
        of(colour).prefetch(from, from + SorRows.length(size), mode);
    }

    private float[] load(int colour, int row) {
        float[] values = new float[SorRows.length(size)];
        of(colour).copyTo(row * stride, values, 0, values.length);
        return values;
    }

    private void store(int colour, int row, float[] values) {
        of(colour).copyFrom(row * stride, values, 0, values.length);
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] all = new double[size.size() * size.size()];
        for (int colour = 0; colour < SorRows.COLOURS; colour++) {
            for (int row = 0; row < size.size(); row++) {
                SorRows.place(size, row, colour, load(colour, row), all);
            }
        }
        return SorGrid.verify(size, root, all);
    }
}
