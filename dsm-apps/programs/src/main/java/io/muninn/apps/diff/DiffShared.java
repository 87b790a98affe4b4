package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/**
 * DIFF in shared memory. The program does not specify which rows are sent: a thread reads the rows
 * next to its band, and page faults or updates bring them.
 */
final class DiffShared implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    private final DoubleMatrix grid;

    private final DiffSize size;
    private final int repeat;
    private final boolean isTraced;

    DiffShared(DiffSize size, int repeat, boolean isTraced) {
        this.size = size;
        this.repeat = repeat;
        this.isTraced = isTraced;
        grid = DoubleMatrix.of(repeat * size.rows(), size.columns());
    }

    @Override
    public void initialize(DsmNode root) {
        DiffKernel.fill(grid, size);
    }

    @Override
    public void run(DsmNode node) {
        Repeats.run(node, repeat, turn -> sweep(node, turn));
    }

    private void sweep(DsmNode node, int turn) {
        Band band = size.band(node.position(), node.positions(), turn);
        DoubleMatrix scratch = size.scratch(band);
        DsmBarrier averaged = node.barrier("averaged");
        DsmBarrier copied = node.barrier("copied");
        SweepTrace trace = SweepTrace.of(node, isTraced ? size.sweeps() : 0);
        for (int sweep = 0; sweep < size.sweeps(); sweep++) {
            DiffKernel.average(grid, scratch, band);
            node.work(band.length() * size.rowUnits());
            averaged.await();
            DiffKernel.copyBack(scratch, grid, band);
            copied.await();
            trace.sweepDone(sweep);
        }
        trace.print();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return DiffKernel.verify(grid, size);
    }
}
