package io.muninn.apps.fft;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;

/**
 * The six-step FFT over shared memory. Of two matrices, one is read and the other is stored to in
 * each phase; they swap roles after a barrier. In a transpose a thread reads its columns of all
 * rows, beginning with the rows of the next thread, so that not all threads read from one thread at
 * a time.
 *
 * <p>With prefetches, a thread prefetches its part of a row some rows ahead, and at first the rows
 * to which it will store. The first thread of a node that reaches a row prefetches the columns of
 * all threads of the node, which share pages.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (the first thread).
 */
final class SixShared implements DsmProgram {
    @Shared(Protocol.LAZY)
    private final DoubleArray points;

    @Shared(Protocol.LAZY)
    private final DoubleArray transposed;

    private final SixRows rows;
    private final Prefetching prefetching;
    private final FirstThread first;

    SixShared(SixRows rows, Prefetching prefetching) {
        this.rows = rows;
        this.prefetching = prefetching;
        first = new FirstThread(rows.side());
        points = DoubleArray.of(rows.length());
        transposed = DoubleArray.of(rows.length());
    }

    @Override
    public void initialize(DsmNode root) {
        for (int row = 0; row < rows.side(); row++) {
            store(points, row, rows.input(row));
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("phase");
        for (int phase = 0; phase < SixRows.PHASES; phase++) {
            if (phase > 0) {
                barrier.await();
            }
            boolean isForth = phase % 2 == 0;
            transpose(node, phase, isForth ? points : transposed, isForth ? transposed : points);
        }
    }

    private void transpose(DsmNode node, int phase, DoubleArray source, DoubleArray target) {
        Band mine = rows.band(node.position(), node.positions());
        if (mine.isEmpty()) {
            return;
        }
        double[][] next = new double[mine.length()][rows.rowLength()];
        double[] part = new double[2 * mine.length()];
        int begin = mine.to();
        prefetchTarget(mine, phase, target, 0, prefetching.distance());
        for (int i = 0; i < prefetching.distance(); i++) {
            prefetch(node, phase, source, begin, i);
        }
        for (int i = 0; i < rows.side(); i++) {
            prefetch(node, phase, source, begin, i + prefetching.distance());
            int row = (begin + i) % rows.side();
            source.copyTo(row * rows.rowLength() + 2 * mine.from(), part, 0, part.length);
            for (int k = 0; k < mine.length(); k++) {
                next[k][2 * row] = part[2 * k];
                next[k][2 * row + 1] = part[2 * k + 1];
            }
        }
        for (int k = 0; k < mine.length(); k++) {
            prefetchTarget(mine, phase, target, k + prefetching.distance(), 1);
            rows.work(node, phase, mine.from() + k, next[k]);
            store(target, mine.from() + k, next[k]);
        }
    }

    /** Prefetches the node's part of row {@code begin + count}, modulo the number of rows. */
    private void prefetch(DsmNode node, int phase, DoubleArray source, int begin, int count) {
        int row = (begin + count) % rows.side();
        if (prefetching.isOn() && count < rows.side() && first.isFirst(row, phase)) {
            int one = node.id() * node.threads();
            int from = rows.band(one, node.positions()).from();
            int to = rows.band(one + node.threads() - 1, node.positions()).to();
            int start = row * rows.rowLength();
            source.prefetch(start + 2L * from, start + 2L * to);
        }
    }

    /**
     * Prefetches {@code count} of the thread's rows from index {@code from} on, as far as they
     * exist, if this phase is the first to store to them.
     */
    private void prefetchTarget(Band mine, int phase, DoubleArray target, int from, int count) {
        if (prefetching.isOn() && phase < 2) {
            long begin = Math.min(mine.from() + from, mine.to());
            long end = Math.min(begin + count, mine.to());
            target.prefetch(begin * rows.rowLength(), end * rows.rowLength(), Mode.WRITE);
        }
    }

    private void store(DoubleArray target, int row, double[] values) {
        target.copyFrom(row * rows.rowLength(), values, 0, values.length);
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] spectrum = new double[rows.length()];
        transposed.copyTo(0, spectrum, 0, spectrum.length);
        return FftOracle.verify(spectrum);
    }
}
