package io.muninn.apps.gauss;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * GAUSS in shared memory. In each step one thread writes the pivot column and the number of the
 * pivot row, and all other threads read them. The pages are the same in every step, but the writer
 * changes.
 */
final class GaussShared implements DsmProgram {
    /** One thread stores to each stripe. The stripe of the last thread comes first. */
    @Shared(value = Protocol.WRITE_SHARED, home = Home.FIRST_TOUCH)
    private final DoubleMatrix slots;

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray pivots;

    @Shared(Protocol.WRITE_SHARED)
    private final IntArray pivotRow = IntArray.of(1);

    private final GaussSize size;

    GaussShared(GaussSize size) {
        this.size = size;
        slots = DoubleMatrix.of(size.columns(), size.equations());
        pivots = DoubleArray.of(size.equations());
    }

    @Override
    public void initialize(DsmNode root) {
        GaussKernel.fill(slots, size.stripe(0, root.positions()));
    }

    @Override
    public void run(DsmNode node) {
        Stripe stripe = size.stripe(node.position(), node.positions());
        int first = stripe.first();
        DsmBarrier eliminated = node.barrier("eliminated");
        DsmBarrier pivoted = node.barrier("pivoted");
        for (int step = 0; step < size.equations(); step++) {
            eliminated.await();
            if (stripe.contains(step)) {
                int found = GaussKernel.pivot(node, slots, stripe.slot(step), step, pivots);
                pivotRow.set(0, found);
            }
            pivoted.await();
            GaussKernel.eliminate(node, slots, first, stripe, step, pivotRow.get(0), pivots);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return GaussKernel.verify(slots, size.stripe(0, root.positions()));
    }
}
