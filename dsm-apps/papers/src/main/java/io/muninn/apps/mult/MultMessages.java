package io.muninn.apps.mult;

import static java.util.Objects.requireNonNull;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Verdict;
import io.muninn.apps.Exchange;
import io.muninn.apps.Repeats;
import io.muninn.apps.Rows;
import org.jspecify.annotations.Nullable;

/**
 * MULT with messages: the root sends every other node the right matrix and the node's rows of the
 * left matrix, and requests the rows of the product from one node at a time. Threads of a node
 * share its local memory.
 */
final class MultMessages implements DsmProgram {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int ASK = Exchange.RESULT_TAGS;
    private static final int PRODUCT = Exchange.RESULT_TAGS + 1;

    private final int size;
    private final int repeat;

    /**
     * The parts of the matrices of one repetition that a node has.
     *
     * @param first row of {@code left} and {@code product} at which the repetition begins; negative
     *     if another node has that row
     * @param firstRight the same for {@code right}
     */
    private record Operands(
            DoubleMatrix left,
            DoubleMatrix right,
            DoubleMatrix product,
            int first,
            int firstRight) {}

    /** All three matrices are allocated in initialization, on the root only. */
    private DoubleMatrix left;

    private DoubleMatrix right;
    private DoubleMatrix product;

    /** Set by the first thread of a node before a barrier; null before. */
    private @Nullable Operands operands;

    MultMessages(int size, int repeat) {
        this.size = size;
        this.repeat = repeat;
        left = DoubleMatrix.of(repeat * size, size);
        right = DoubleMatrix.of(repeat * size, size);
        product = DoubleMatrix.of(repeat * size, size);
    }

    @Override
    public void initialize(DsmNode root) {
        left = DoubleMatrix.local(repeat * size, size);
        right = DoubleMatrix.local(repeat * size, size);
        product = DoubleMatrix.local(repeat * size, size);
        MultKernel.fill(left, right);
    }

    @Override
    public void run(DsmNode node) {
        Repeats.run(node, repeat, turn -> multiply(node, turn * size));
    }

    /** Computes one product, whose matrices begin in row {@code first} of the root's matrices. */
    private void multiply(DsmNode node, int first) {
        if (node.thread() == 0) {
            operands = node.isRoot() ? distribute(node, first) : receive(node);
        }
        node.barrier("distributed").await();
        Operands mine = requireNonNull(operands);
        Band rows = node.band(size);
        long rowUnits = (long) size * size;
        double[] sums = new double[size];
        for (int row = rows.from(); row < rows.to(); row++) {
            MultKernel.multiplyRow(
                    mine.left(),
                    mine.right(),
                    mine.firstRight(),
                    mine.product(),
                    mine.first() + row,
                    sums);
            node.work(rowUnits);
        }
        node.barrier("computed").await();
        if (node.thread() == 0) {
            collect(node, mine);
        }
    }

    /** The rows of all threads of a node. */
    private Band rows(DsmNode node, int of) {
        int threads = node.threads();
        return new Band(
                Band.of(size, of * threads, node.positions()).from(),
                Band.of(size, of * threads + threads - 1, node.positions()).to());
    }

    private Operands distribute(DsmNode node, int first) {
        Messages messages = node.messages();
        for (int other = 1; other < node.nodes(); other++) {
            Band theirs = rows(node, other);
            Rows.send(messages, other, RIGHT, right, first, first + size);
            Rows.send(messages, other, LEFT, left, first + theirs.from(), first + theirs.to());
        }
        return new Operands(left, right, product, first, first);
    }

    /** Receives the node's operands in new memory, as in a run of one repetition. */
    private Operands receive(DsmNode node) {
        Band mine = rows(node, node.id());
        int count = Math.max(1, mine.length());
        Operands received =
                new Operands(
                        DoubleMatrix.local(count, size),
                        DoubleMatrix.local(size, size),
                        DoubleMatrix.local(count, size),
                        -mine.from(),
                        0);
        Rows.receive(node.messages(), 0, RIGHT, received.right(), 0, size);
        Rows.receive(node.messages(), 0, LEFT, received.left(), 0, mine.length());
        return received;
    }

    /** Collects rows from one node at a time, so that few messages wait at the root. */
    private void collect(DsmNode node, Operands mine) {
        Messages messages = node.messages();
        if (!node.isRoot()) {
            messages.receiveLong(0, ASK);
            Rows.send(messages, 0, PRODUCT, mine.product(), 0, rows(node, node.id()).length());
            return;
        }
        int first = mine.first();
        for (int other = 1; other < node.nodes(); other++) {
            Band theirs = rows(node, other);
            messages.send(other, ASK, 0L);
            Rows.receive(
                    messages, other, PRODUCT, product, first + theirs.from(), first + theirs.to());
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
