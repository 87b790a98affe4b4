package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;

/** FFT on one thread of the root. */
final class FftSequential implements DsmProgram {
    private final FftSize size;

    /** Allocated in the run, on the root only. */
    private DoubleMatrix points;

    FftSequential(FftSize size) {
        this.size = size;
        points = DoubleMatrix.of(size.points(), 2);
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            return;
        }
        points = size.local();
        FftKernel.fill(points);
        FftShare all = size.share(0, 1);
        FftKernel.transform(node, points, all.interleaved(), all.widestBefore());
    }

    @Override
    public Verdict verify(DsmNode root) {
        return FftOracle.verify(points);
    }
}
