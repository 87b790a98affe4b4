package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * FFT in shared memory. No thread copies points in the exchange: after a barrier each thread
 * accesses other points, which page faults fetch. Before the exchange every thread stores to every
 * page.
 */
final class FftShared implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    private final DoubleMatrix points;

    private final FftSize size;

    FftShared(FftSize size) {
        this.size = size;
        points = DoubleMatrix.of(size.points(), 2);
    }

    @Override
    public void initialize(DsmNode root) {
        FftKernel.fill(points);
    }

    @Override
    public void run(DsmNode node) {
        FftShare share = size.share(node.position(), node.positions());
        FftKernel.transform(node, points, share.interleaved(), share.widestBefore());
        node.barrier("exchanged").await();
        FftKernel.transform(node, points, share.contiguous(), share.widestAfter());
        node.barrier("transformed").await();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return FftOracle.verify(points);
    }
}
