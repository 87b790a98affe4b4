package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;

/** DIFF on one thread of the root. */
final class DiffSequential implements DsmProgram {
    private final DiffSize size;

    /** Memory on the root alone, from the run on. */
    private DoubleMatrix grid;

    DiffSequential(DiffSize size) {
        this.size = size;
        grid = DoubleMatrix.of(size.rows(), size.columns());
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        grid = size.localGrid();
        DiffKernel.fill(grid, size);
        Band all = size.band(0, 1);
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
