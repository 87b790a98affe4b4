package io.muninn.apps.rb;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SameBits;

/**
 * SOR over shared memory: each thread has a band of rows, and a barrier ends each colour.
 *
 * <p>What a thread lacks after a barrier are the rows on both sides of its band, and in the first
 * iteration all rows, which the root has filled. With prefetches it asks for the two at once, and
 * comes to the edges of its band last; in the first iteration it asks for each row some rows ahead.
 * Between threads of one node nothing has to travel, so that only the first and the last of them
 * ask for a neighbour's row.
 *
 * <p>Source: Mowry §3.2 (prefetches isolated by splitting loops, and scheduled ahead by software
 * pipelining), §5.1 (no thread asks for what another of its node has).
 */
final class SorShared implements DsmProgram {
    @Shared(Protocol.LAZY)
    private final DoubleMatrix values;

    private final RbGrid grid;
    private final LoopSize size;
    private final Prefetching prefetching;

    SorShared(LoopSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
        values = DoubleMatrix.of(size.size(), size.size());
        grid = new RbGrid(values, 0);
    }

    @Override
    public void initialize(DsmNode root) {
        for (int row = 0; row < size.size(); row++) {
            grid.fill(row);
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("colour");
        Band inner = size.inner();
        Band share = node.band(inner.length());
        Band rows = new Band(inner.from() + share.from(), inner.from() + share.to());
        for (int step = 0; step < size.steps(); step++) {
            relax(node, rows, RbGrid.RED, step == 0);
            barrier.await();
            relax(node, rows, RbGrid.BLACK, false);
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
        prefetchNeighbours(node, rows);
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
            grid.relax(row, colour);
            node.work(RbGrid.relaxUnits(size.size()));
        }
    }

    private void prefetchNeighbours(DsmNode node, Band rows) {
        if (node.thread() == 0) {
            values.prefetchRow(rows.from() - 1);
        }
        if (node.thread() == node.threads() - 1) {
            values.prefetchRow(rows.to());
        }
    }

    /** Asks for so many rows, as far as they are within the band. */
    private void prefetchBand(int from, int count, Band rows) {
        int begin = Math.min(from, rows.to());
        values.prefetch(begin, Math.min(begin + count, rows.to()), Mode.WRITE);
    }

    @Override
    public Verdict verify(DsmNode root) {
        return RbSequential.verify(size, root, SameBits.of(values));
    }
}
