package io.muninn.apps.gauss;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;

/** GAUSS on one thread of the root. */
final class GaussSequential implements DsmProgram {
    private final GaussSize size;

    /** Allocated in the run, on the root only. */
    private DoubleMatrix slots;

    GaussSequential(GaussSize size) {
        this.size = size;
        slots = DoubleMatrix.of(size.columns(), size.equations());
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        Stripe all = size.stripe(0, 1);
        slots = size.local(size.columns());
        GaussKernel.fill(slots, all);
        DoubleArray pivots = DoubleArray.local(size.equations());
        for (int step = 0; step < size.equations(); step++) {
            int pivotRow = GaussKernel.pivot(node, slots, all.slot(step), step, pivots);
            GaussKernel.eliminate(node, slots, 0, all, step, pivotRow, pivots);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return GaussKernel.verify(slots, size.stripe(0, 1));
    }
}
