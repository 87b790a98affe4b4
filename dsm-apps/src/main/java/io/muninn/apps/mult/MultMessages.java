package io.muninn.apps.mult;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;
import io.muninn.apps.Rows;

/**
 * MULT with messages: the root sends every other node the right matrix and its rows of the left
 * one, and asks for the rows of the product, node by node. Threads of a node share its plain
 * memory.
 */
final class MultMessages implements DsmProgram {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int ASK = 2;
    private static final int PRODUCT = 3;

    private final int size;
    private final int repeat;

    /** All three have memory on the root from initialization on, on other nodes from the run on. */
    private DoubleMatrix left;

    private DoubleMatrix right;
    private DoubleMatrix product;

    MultMessages(int size, int repeat) {
        this.size = size;
        this.repeat = repeat;
        left = DoubleMatrix.of(repeat * size, size);
        right = DoubleMatrix.of(repeat * size, size);
        product = DoubleMatrix.of(repeat * size, size);
    }

    @Override
    public void initialize(DsmNode root) {
        allocate();
        MultKernel.fill(left, right);
    }

    private void allocate() {
        left = DoubleMatrix.local(repeat * size, size);
        right = DoubleMatrix.local(repeat * size, size);
        product = DoubleMatrix.local(repeat * size, size);
    }

    /** Other threads of the node use its memory behind the first barrier only. */
    @Override
    public void run(DsmNode node) {
        if (node.thread() == 0 && !node.isRoot()) {
            allocate();
        }
        Repeats.run(node, repeat, turn -> multiply(node, turn * size));
    }

    /** One product, whose matrices begin in row {@code first}. */
    private void multiply(DsmNode node, int first) {
        if (node.thread() == 0) {
            distribute(node, first);
        }
        node.barrier("distributed").await();
        Band rows = node.band(size);
        long rowUnits = (long) size * size;
        double[] sums = new double[size];
        for (int row = rows.from(); row < rows.to(); row++) {
            MultKernel.multiplyRow(left, right, product, first + row, sums);
            node.work(rowUnits);
        }
        node.barrier("computed").await();
        if (node.thread() == 0) {
            collect(node, first);
        }
    }

    /** The rows that the threads of a node have together. */
    private Band rows(DsmNode node, int of, int first) {
        int threads = node.threads();
        return new Band(
                first + Band.of(size, of * threads, node.positions()).from(),
                first + Band.of(size, of * threads + threads - 1, node.positions()).to());
    }

    private void distribute(DsmNode node, int first) {
        Messages messages = node.messages();
        int last = first + size;
        if (!node.isRoot()) {
            Band mine = rows(node, node.id(), first);
            Rows.receive(messages, 0, RIGHT, right, first, last);
            Rows.receive(messages, 0, LEFT, left, mine.from(), mine.to());
            return;
        }
        for (int other = 1; other < node.nodes(); other++) {
            Band theirs = rows(node, other, first);
            Rows.send(messages, other, RIGHT, right, first, last);
            Rows.send(messages, other, LEFT, left, theirs.from(), theirs.to());
        }
    }

    /** One node at a time, so that no more waits at the root than it is taking. */
    private void collect(DsmNode node, int first) {
        Messages messages = node.messages();
        if (!node.isRoot()) {
            Band mine = rows(node, node.id(), first);
            messages.receiveLong(0, ASK);
            Rows.send(messages, 0, PRODUCT, product, mine.from(), mine.to());
            return;
        }
        for (int other = 1; other < node.nodes(); other++) {
            Band theirs = rows(node, other, first);
            messages.send(other, ASK, 0L);
            Rows.receive(messages, other, PRODUCT, product, theirs.from(), theirs.to());
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return MultKernel.verify(product);
    }
}
