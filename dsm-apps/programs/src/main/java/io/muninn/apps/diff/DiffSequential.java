package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/** DIFF on one thread of the root. */
final class DiffSequential implements DsmProgram {
    private final DiffSize size;
    private final int repeat;

    /** Allocated in the run, on the root only. */
    private DoubleMatrix grid;

    DiffSequential(DiffSize size, int repeat) {
        this.size = size;
        this.repeat = repeat;
        grid = DoubleMatrix.of(size.rows(), size.columns());
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() == 0) {
            grid = size.localGrids(repeat);
            DiffKernel.fill(grid, size);
        }
        Repeats.run(node, repeat, turn -> sweep(node, turn));
    }

    private void sweep(DsmNode node, int turn) {
        if (node.position() != 0) {
            return;
        }
        Band all = size.band(0, 1, turn);
        DoubleMatrix scratch = size.scratch(all);
        for (int sweep = 0; sweep < size.sweeps(); sweep++) {
            DiffKernel.average(grid, scratch, all);
            DiffKernel.copyBack(scratch, grid, all);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return DiffKernel.verify(grid, size);
    }
}
