package io.muninn.apps.mult;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * MULT in shared memory: inputs replicate on demand, each thread writes its rows of the product.
 */
final class MultShared implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix left;

    @Shared(Protocol.READ_ONLY)
    private final DoubleMatrix right;

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleMatrix product;

    MultShared(int size) {
        left = DoubleMatrix.of(size, size);
        right = DoubleMatrix.of(size, size);
        product = DoubleMatrix.of(size, size);
    }

    @Override
    public void initialize(DsmNode root) {
        MultKernel.fill(left, right);
    }

    @Override
    public void run(DsmNode node) {
        Band rows = node.band(product.rows());
        long rowUnits = (long) right.rows() * right.columns();
        double[] sums = new double[right.columns()];
        for (int row = rows.from(); row < rows.to(); row++) {
            MultKernel.multiplyRow(left, right, product, row, sums);
            node.work(rowUnits);
        }
        node.barrier("computed").await();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
