package io.muninn.apps.mult;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/**
 * MULT in shared memory: inputs are replicated on demand, and each thread writes its rows of the
 * product.
 */
final class MultShared implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix left;

    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix right;

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleMatrix product;

    private final int repeat;

    MultShared(int size, int repeat) {
        this.repeat = repeat;
        left = DoubleMatrix.of(repeat * size, size);
        right = DoubleMatrix.of(repeat * size, size);
        product = DoubleMatrix.of(repeat * size, size);
    }

    @Override
    public void initialize(DsmNode root) {
        MultKernel.fill(left, right);
    }

    @Override
    public void run(DsmNode node) {
        Repeats.run(node, repeat, turn -> multiply(node, turn * right.columns()));
    }

    /** Computes one product, whose matrices begin in row {@code first}. */
    private void multiply(DsmNode node, int first) {
        int size = right.columns();
        Band rows = node.band(size);
        long rowUnits = (long) size * size;
        double[] sums = new double[size];
        for (int row = rows.from(); row < rows.to(); row++) {
            MultKernel.multiplyRow(left, right, first, product, first + row, sums);
            node.work(rowUnits);
        }
        node.barrier("computed").await();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
