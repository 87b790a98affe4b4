package io.muninn.apps.cg;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Mode;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/**
 * CG with messages: every thread creates the whole matrix, and has the whole direction and all
 * slots. In each phase it sends its part to all other threads and receives their parts, which
 * replaces both barriers.
 */
final class CgMessages implements DsmProgram {
    /** Tags are {@code KINDS * (sender * positions + receiver) + kind}. */
    private static final int KINDS = 4;

    private static final int SLOTS = 0;
    private static final int DIRECTION = 1;
    private static final int ASK = 2;
    private static final int SOLUTION = 3;

    private final CgSize size;

    /** Allocated in initialization, on the root only. */
    private DoubleArray solutions;

    CgMessages(CgSize size) {
        this.size = size;
        solutions = DoubleArray.of(1);
    }

    @Override
    public void initialize(DsmNode root) {
        solutions = size.localSolutions();
    }

    @Override
    public void run(DsmNode node) {
        SparseRows matrix = SparseRows.whole(size);
        CgBand band = new CgBand(size, node.position(), node.positions());
        DoubleArray direction = DoubleArray.local(size.unknowns());
        DoubleArray slots = DoubleArray.local(CgBand.SLOT * node.positions());
        Repeats.run(
                node,
                size.repeat(),
                turn -> {
                    solve(node, matrix, band, turn, direction, slots);
                    collect(node, band, turn, direction);
                });
    }

    private void solve(
            DsmNode node,
            SparseRows matrix,
            CgBand band,
            int turn,
            DoubleArray direction,
            DoubleArray slots) {
        band.begin(turn, direction);
        for (int i = 0; i < size.iterations(); i++) {
            exchange(node, DIRECTION, direction);
            band.multiply(node, matrix, band.rows().from(), direction, slots);
            exchange(node, SLOTS, slots);
            band.advance(node, slots, direction);
        }
    }

    private void exchange(DsmNode node, int kind, DoubleArray array) {
        int self = node.position();
        for (int other = 0; other < node.positions(); other++) {
            if (other != self) {
                send(node, other, kind, array);
            }
        }
        for (int other = 0; other < node.positions(); other++) {
            if (other != self) {
                receive(node, other, kind, array, part(node, other, kind));
            }
        }
    }

    /** The elements of an array to which a thread stores. */
    private Band part(DsmNode node, int position, int kind) {
        return kind == SLOTS
                ? new Band(CgBand.SLOT * position, CgBand.SLOT * (position + 1))
                : size.band(position, node.positions());
    }

    private void send(DsmNode node, int other, int kind, DoubleArray array) {
        Band mine = part(node, node.position(), kind);
        if (!mine.isEmpty()) {
            node.messages()
                    .send(
                            other / node.threads(),
                            tag(node, node.position(), other, kind),
                            array.segment(mine.from(), mine.to(), Mode.READ));
        }
    }

    private static void receive(
            DsmNode node, int other, int kind, DoubleArray array, Band elements) {
        if (!elements.isEmpty()) {
            node.messages()
                    .receive(
                            other / node.threads(),
                            tag(node, other, node.position(), kind),
                            array.segment(elements.from(), elements.to(), Mode.WRITE));
        }
    }

    /**
     * Sends the solution to the root, one thread at a time.
     *
     * @param copy scratch memory; overwritten
     */
    private void collect(DsmNode node, CgBand band, int turn, DoubleArray copy) {
        Messages messages = node.messages();
        int self = node.position();
        if (self != 0) {
            messages.receiveLong(0, tag(node, 0, self, ASK));
            band.copySolution(copy, 0);
            send(node, 0, SOLUTION, copy);
            return;
        }
        int first = turn * size.unknowns();
        band.copySolution(solutions, first);
        for (int other = 1; other < node.positions(); other++) {
            messages.send(other / node.threads(), tag(node, 0, other, ASK), 0L);
            Band theirs = part(node, other, SOLUTION);
            receive(
                    node,
                    other,
                    SOLUTION,
                    solutions,
                    new Band(first + theirs.from(), first + theirs.to()));
        }
    }

    private static int tag(DsmNode node, int from, int to, int kind) {
        return KINDS * (from * node.positions() + to) + kind;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return CgVerification.verify(root, size, solutions);
    }
}
