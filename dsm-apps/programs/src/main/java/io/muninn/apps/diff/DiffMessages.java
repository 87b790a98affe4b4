package io.muninn.apps.diff;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;
import io.muninn.apps.Rows;

/**
 * DIFF with messages: every thread has a private grid with its band and one row on either side, and
 * sends its outermost rows to its neighbours after each sweep. The root distributes the initial
 * values and requests the final values from one thread at a time.
 */
final class DiffMessages implements DsmProgram {
    /**
     * Tags are {@code KINDS * position + kind}, with the receiver's position; for {@link #LAST} the
     * sender's.
     */
    private static final int KINDS = 5;

    private static final int FIRST = 0;
    private static final int FROM_ABOVE = 1;
    private static final int FROM_BELOW = 2;
    private static final int ASK = 3;
    private static final int LAST = 4;

    private final DiffSize size;
    private final int repeat;

    /** The whole grids. Allocated in initialization, on the root only. */
    private DoubleMatrix whole;

    DiffMessages(DiffSize size, int repeat) {
        this.size = size;
        this.repeat = repeat;
        whole = DoubleMatrix.of(size.rows(), size.columns());
    }

    @Override
    public void initialize(DsmNode root) {
        whole = size.localGrids(repeat);
        DiffKernel.fill(whole, size);
    }

    @Override
    public void run(DsmNode node) {
        Repeats.run(node, repeat, turn -> average(node, turn));
    }

    /** Computes one grid, which begins at row {@code turn * size.rows()} of the whole. */
    private void average(DsmNode node, int turn) {
        if (node.position() == 0) {
            distribute(node, turn);
        }
        Band band = size.band(node.position(), node.positions());
        if (!band.isEmpty()) {
            sweep(node, band, turn * size.rows());
        }
        if (node.position() == 0) {
            collect(node, turn);
        }
    }

    private void sweep(DsmNode node, Band band, int first) {
        DoubleMatrix grid = DoubleMatrix.local(band.length() + 2, size.columns());
        Band inner = new Band(1, band.length() + 1);
        DoubleMatrix scratch = size.scratch(inner);
        int above = owner(node, band.from() - 1);
        int below = owner(node, band.to());
        Messages messages = node.messages();
        int self = node.position();
        if (self == 0) {
            copyRows(whole, first + band.from() - 1, grid, 0, grid.rows());
        } else {
            Rows.receive(messages, 0, tag(self, FIRST), grid, 0, grid.rows());
        }
        for (int sweep = 0; sweep < size.sweeps(); sweep++) {
            DiffKernel.average(grid, scratch, inner);
            node.work(band.length() * size.rowUnits());
            DiffKernel.copyBack(scratch, grid, inner);
            exchange(node, grid, above, below);
        }
        if (self == 0) {
            copyRows(grid, 1, whole, first + band.from(), band.length());
        } else {
            messages.receiveLong(0, tag(self, ASK));
            Rows.send(messages, 0, tag(self, LAST), grid, 1, grid.rows() - 1);
        }
    }

    /** Exchanges outermost rows with the neighbours; -1 stands for an edge of the grid. */
    private void exchange(DsmNode node, DoubleMatrix grid, int above, int below) {
        Messages messages = node.messages();
        int self = node.position();
        int last = grid.rows() - 1;
        if (above >= 0) {
            Rows.send(messages, nodeOf(node, above), tag(above, FROM_BELOW), grid, 1, 2);
        }
        if (below >= 0) {
            Rows.send(messages, nodeOf(node, below), tag(below, FROM_ABOVE), grid, last - 1, last);
        }
        if (above >= 0) {
            Rows.receive(messages, nodeOf(node, above), tag(self, FROM_ABOVE), grid, 0, 1);
        }
        if (below >= 0) {
            Rows.receive(
                    messages, nodeOf(node, below), tag(self, FROM_BELOW), grid, last, last + 1);
        }
    }

    private void distribute(DsmNode node, int turn) {
        for (int position = 1; position < node.positions(); position++) {
            Band band = size.band(position, node.positions(), turn);
            if (!band.isEmpty()) {
                Rows.send(
                        node.messages(),
                        nodeOf(node, position),
                        tag(position, FIRST),
                        whole,
                        band.from() - 1,
                        band.to() + 1);
            }
        }
    }

    /** Collects rows from one thread at a time, so that few messages wait at the root. */
    private void collect(DsmNode node, int turn) {
        Messages messages = node.messages();
        for (int position = 1; position < node.positions(); position++) {
            Band band = size.band(position, node.positions(), turn);
            if (!band.isEmpty()) {
                int other = nodeOf(node, position);
                messages.send(other, tag(position, ASK), 0L);
                Rows.receive(messages, other, tag(position, LAST), whole, band.from(), band.to());
            }
        }
    }

    private static void copyRows(
            DoubleMatrix source, int from, DoubleMatrix target, int to, int rows) {
        double[] row = new double[source.columns()];
        for (int i = 0; i < rows; i++) {
            source.copyTo(from + i, row);
            target.copyFrom(to + i, row);
        }
    }

    /** The position of the thread whose band contains a row; -1 for an edge. */
    private int owner(DsmNode node, int row) {
        for (int position = 0; position < node.positions(); position++) {
            if (size.band(position, node.positions()).contains(row)) {
                return position;
            }
        }
        return -1;
    }

    private static int nodeOf(DsmNode node, int position) {
        return position / node.threads();
    }

    private static int tag(int position, int kind) {
        return KINDS * position + kind;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return DiffKernel.verify(whole, size);
    }
}
