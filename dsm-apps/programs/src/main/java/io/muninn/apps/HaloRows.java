package io.muninn.apps;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rows of matrices that are divided among all threads, for the message passing versions of
 * stencils. A thread has its band and one row on either side. After a phase it receives these two
 * rows from the threads whose bands contain them. In the matrices of a thread its band is rows 1 to
 * {@link #count()} - 2.
 *
 * <p><b>Threads.</b> One.
 */
public final class HaloRows {
    /**
     * Tags are {@code KINDS * position + kind}, with the receiver's position; for {@link #LAST} the
     * sender's.
     */
    private static final int KINDS = 2;

    private static final int FROM_ABOVE = 0;
    private static final int FROM_BELOW = 1;
    private static final int ASK = Exchange.RESULT_TAGS;
    private static final int LAST = Exchange.RESULT_TAGS + 1;

    private final DsmNode node;
    private final Band divided;
    private final boolean wraps;
    private final Band mine;
    private final int above;
    private final int below;

    private HaloRows(DsmNode node, Band divided, boolean wraps) {
        this.node = node;
        this.divided = divided;
        this.wraps = wraps;
        this.mine = band(node.position());
        this.above = mine.isEmpty() ? -1 : owner(mine.from() - 1);
        this.below = mine.isEmpty() ? -1 : owner(mine.to());
    }

    /** The rows of a grid whose first and last row never change. */
    public static HaloRows inner(DsmNode node, LoopSize size) {
        return new HaloRows(node, size.inner(), false);
    }

    /** The rows of a grid whose last row is followed by its first. */
    public static HaloRows wrapping(DsmNode node, LoopSize size) {
        return new HaloRows(node, size.all(), true);
    }

    /** The row of the grid that is row 0 of this thread's matrices; -1 comes before row 0. */
    public int first() {
        return mine.from() - 1;
    }

    /** Rows of this thread's matrices, at least 2. */
    public int count() {
        return mine.length() + 2;
    }

    /** The band, as rows of this thread's matrices. */
    public Band local() {
        return new Band(1, mine.length() + 1);
    }

    private Band band(int position) {
        Band share = Band.of(divided.length(), position, node.positions());
        return new Band(divided.from() + share.from(), divided.from() + share.to());
    }

    /** The position of the thread whose band contains a row; -1 for an edge. */
    private int owner(int row) {
        int wanted = wraps ? Math.floorMod(row, divided.length()) : row;
        for (int position = 0; position < node.positions(); position++) {
            if (band(position).contains(wanted)) {
                return position;
            }
        }
        return -1;
    }

    /** Receives the rows on both sides of the band, of each matrix. Collective. */
    public void exchange(DoubleMatrix... matrices) {
        sendUp(matrices);
        sendDown(matrices);
        receiveFromAbove(matrices);
        receiveFromBelow(matrices);
    }

    /** Receives the row above the band, of each matrix. Collective. */
    public void exchangeAbove(DoubleMatrix... matrices) {
        sendDown(matrices);
        receiveFromAbove(matrices);
    }

    /** Receives the row below the band, of each matrix. Collective. */
    public void exchangeBelow(DoubleMatrix... matrices) {
        sendUp(matrices);
        receiveFromBelow(matrices);
    }

    private void sendUp(DoubleMatrix... matrices) {
        if (above >= 0) {
            send(above, FROM_BELOW, 1, matrices);
        }
    }

    private void sendDown(DoubleMatrix... matrices) {
        if (below >= 0) {
            send(below, FROM_ABOVE, count() - 2, matrices);
        }
    }

    private void receiveFromAbove(DoubleMatrix... matrices) {
        if (above >= 0) {
            receive(above, FROM_ABOVE, 0, matrices);
        }
    }

    private void receiveFromBelow(DoubleMatrix... matrices) {
        if (below >= 0) {
            receive(below, FROM_BELOW, count() - 1, matrices);
        }
    }

    /** Sends one row of each matrix in one message. */
    private void send(int to, int kind, int row, DoubleMatrix... matrices) {
        DoubleMatrix rows = DoubleMatrix.local(matrices.length, matrices[0].columns());
        for (int i = 0; i < matrices.length; i++) {
            copyRow(matrices[i], row, rows, i);
        }
        Rows.send(node.messages(), nodeOf(to), tag(to, kind), rows, 0, rows.rows());
    }

    private void receive(int from, int kind, int row, DoubleMatrix... matrices) {
        DoubleMatrix rows = DoubleMatrix.local(matrices.length, matrices[0].columns());
        int tag = tag(node.position(), kind);
        Rows.receive(node.messages(), nodeOf(from), tag, rows, 0, rows.rows());
        for (int i = 0; i < matrices.length; i++) {
            copyRow(rows, i, matrices[i], row);
        }
    }

    /**
     * Sends all bands to the root's first thread, one thread at a time. Collective.
     *
     * @param whole creates matrices of all rows, with their edges
     * @param matrices matrices of this thread, in the same number
     * @return all elements, in the order of {@link SameBits#of}, on the root's first thread; empty
     *     on others
     */
    public double[] collect(Supplier<List<DoubleMatrix>> whole, DoubleMatrix... matrices) {
        Messages messages = node.messages();
        int self = node.position();
        if (self != 0) {
            if (!mine.isEmpty()) {
                messages.receiveLong(0, tag(self, ASK));
                for (DoubleMatrix matrix : matrices) {
                    Rows.send(messages, 0, tag(self, LAST), matrix, 1, count() - 1);
                }
            }
            return new double[0];
        }
        DoubleMatrix[] all = whole.get().toArray(DoubleMatrix[]::new);
        for (int i = 0; i < all.length; i++) {
            for (int row = mine.from(); row < mine.to(); row++) {
                copyRow(matrices[i], row - first(), all[i], row);
            }
        }
        for (int other = 1; other < node.positions(); other++) {
            Band theirs = band(other);
            if (!theirs.isEmpty()) {
                messages.send(nodeOf(other), tag(other, ASK), 0L);
                for (DoubleMatrix matrix : all) {
                    int tag = tag(other, LAST);
                    Rows.receive(messages, nodeOf(other), tag, matrix, theirs.from(), theirs.to());
                }
            }
        }
        return SameBits.of(all);
    }

    private static void copyRow(DoubleMatrix source, int from, DoubleMatrix target, int to) {
        double[] row = new double[source.columns()];
        source.copyTo(from, row);
        target.copyFrom(to, row);
    }

    private int nodeOf(int position) {
        return position / node.threads();
    }

    private static int tag(int position, int kind) {
        return KINDS * position + kind;
    }
}
