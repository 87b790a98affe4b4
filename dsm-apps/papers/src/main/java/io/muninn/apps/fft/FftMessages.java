package io.muninn.apps.fft;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Verdict;
import io.muninn.apps.Rows;

/**
 * FFT with messages: thread 0 of the root distributes the points, collects the results, distributes
 * them again in the second distribution, and collects them again. Every other thread has its points
 * in private memory. In the exchange it receives the points of its next slice, or all points.
 *
 * <p>Source: Munin §6.5, where a master collects and redistributes all changes. Table 4 implies
 * that every node receives all points: 32K points of 16 bytes to 15 nodes, and three times the
 * points of the nodes other than the root, are 9120 KB of its 9339 KB.
 */
final class FftMessages implements DsmProgram {
    /**
     * Tags are {@code KINDS * position + kind}, with the position of the thread that is not on the
     * root.
     */
    private static final int KINDS = 4;

    private static final int INTERLEAVED = 0;
    private static final int CONTIGUOUS = 1;
    private static final int ASK = 2;
    private static final int RESULT = 3;

    private final FftSize size;
    private final boolean sendsAll;

    /** All points. Allocated in initialization, on the root only. */
    private DoubleMatrix whole;

    /**
     * @param sendsAll true if every thread receives all points in the exchange
     */
    FftMessages(FftSize size, boolean sendsAll) {
        this.size = size;
        this.sendsAll = sendsAll;
        whole = DoubleMatrix.of(size.points(), 2);
    }

    @Override
    public void initialize(DsmNode root) {
        whole = size.local();
        FftKernel.fill(whole);
    }

    @Override
    public void run(DsmNode node) {
        FftShare share = size.share(node.position(), node.positions());
        if (node.position() == 0) {
            lead(node, share);
        } else {
            follow(node, share);
        }
    }

    private void lead(DsmNode node, FftShare share) {
        dealInterleaved(node, share);
        FftKernel.transform(node, whole, share.interleaved(), share.widestBefore());
        collectInterleaved(node, share);
        for (int other = 1; other < share.positions(); other++) {
            FftShare theirs = of(share, other);
            int from = sendsAll ? 0 : theirs.first();
            int to = sendsAll ? whole.rows() : theirs.end();
            int tag = tag(other, CONTIGUOUS);
            Rows.send(node.messages(), nodeOf(node, other), tag, whole, from, to);
        }
        FftKernel.transform(node, whole, share.contiguous(), share.widestAfter());
        for (int other = 1; other < share.positions(); other++) {
            FftShare theirs = of(share, other);
            ask(node, other, whole, theirs.first(), theirs.end());
        }
    }

    private void dealInterleaved(DsmNode node, FftShare share) {
        DoubleMatrix part = FftKernel.local(share.length());
        double[] point = new double[2];
        for (int other = 1; other < share.positions(); other++) {
            FftSlice slice = of(share, other).interleaved();
            for (int k = 0; k < slice.length(); k++) {
                whole.copyTo(slice.row(k), point);
                part.copyFrom(k, point);
            }
            int tag = tag(other, INTERLEAVED);
            Rows.send(node.messages(), nodeOf(node, other), tag, part, 0, part.rows());
        }
    }

    private void collectInterleaved(DsmNode node, FftShare share) {
        DoubleMatrix part = FftKernel.local(share.length());
        double[] point = new double[2];
        for (int other = 1; other < share.positions(); other++) {
            ask(node, other, part, 0, part.rows());
            FftSlice slice = of(share, other).interleaved();
            for (int k = 0; k < slice.length(); k++) {
                part.copyTo(k, point);
                whole.copyFrom(slice.row(k), point);
            }
        }
    }

    /** Requests points from one thread at a time, so that few messages wait at the root. */
    private static void ask(DsmNode node, int other, DoubleMatrix target, int from, int to) {
        Messages messages = node.messages();
        int there = nodeOf(node, other);
        messages.send(there, tag(other, ASK), 0L);
        Rows.receive(messages, there, tag(other, RESULT), target, from, to);
    }

    private void follow(DsmNode node, FftShare share) {
        Messages messages = node.messages();
        DoubleMatrix part = FftKernel.local(share.length());
        Rows.receive(messages, 0, tag(share.position(), INTERLEAVED), part, 0, part.rows());
        FftKernel.transform(node, part, share.interleavedAlone(), share.widestBefore());
        answer(messages, share, part, 0);
        if (sendsAll) {
            DoubleMatrix all = size.local();
            Rows.receive(messages, 0, tag(share.position(), CONTIGUOUS), all, 0, all.rows());
            FftKernel.transform(node, all, share.contiguous(), share.widestAfter());
            answer(messages, share, all, share.first());
        } else {
            Rows.receive(messages, 0, tag(share.position(), CONTIGUOUS), part, 0, part.rows());
            FftKernel.transform(node, part, share.contiguousAlone(), share.widestAfter());
            answer(messages, share, part, 0);
        }
    }

    /** Sends the points of a share upon request. */
    private static void answer(Messages messages, FftShare share, DoubleMatrix points, int from) {
        messages.receiveLong(0, tag(share.position(), ASK));
        int to = from + share.length();
        Rows.send(messages, 0, tag(share.position(), RESULT), points, from, to);
    }

    private static FftShare of(FftShare any, int position) {
        return new FftShare(position, any.positions(), any.length());
    }

    private static int nodeOf(DsmNode node, int position) {
        return position / node.threads();
    }

    private static int tag(int position, int kind) {
        return KINDS * position + kind;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return FftOracle.verify(whole);
    }
}
