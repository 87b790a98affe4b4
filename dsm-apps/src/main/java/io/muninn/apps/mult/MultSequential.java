package io.muninn.apps.mult;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;

/** MULT on one thread of the root. */
final class MultSequential implements DsmProgram {
    private final int size;

    /** Memory on the root alone, from the run on. */
    private DoubleMatrix product;

    MultSequential(int size) {
        this.size = size;
        product = DoubleMatrix.of(size, size);
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        DoubleMatrix left = DoubleMatrix.local(size, size);
        DoubleMatrix right = DoubleMatrix.local(size, size);
        product = DoubleMatrix.local(size, size);
        MultKernel.fill(left, right);
        double[] sums = new double[size];
        for (int row = 0; row < size; row++) {
            MultKernel.multiplyRow(left, right, product, row, sums);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
