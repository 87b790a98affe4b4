package io.muninn.apps.mult;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/** MULT on one thread of the root. */
final class MultSequential implements DsmProgram {
    private final int size;
    private final int repeat;

    /** Allocated in the run, on the root only. */
    private DoubleMatrix product;

    MultSequential(int size, int repeat) {
        this.size = size;
        this.repeat = repeat;
        product = DoubleMatrix.of(size, size);
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            Repeats.run(node, repeat, _ -> {});
            return;
        }
        DoubleMatrix left = DoubleMatrix.local(repeat * size, size);
        DoubleMatrix right = DoubleMatrix.local(repeat * size, size);
        product = DoubleMatrix.local(repeat * size, size);
        MultKernel.fill(left, right);
        Repeats.run(node, repeat, turn -> multiply(left, right, turn * size));
    }

    private void multiply(DoubleMatrix left, DoubleMatrix right, int first) {
        double[] sums = new double[size];
        for (int row = first; row < first + size; row++) {
            MultKernel.multiplyRow(left, right, first, product, row, sums);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
