package io.muninn.apps.gauss;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Mode;
import io.muninn.api.Verdict;
import io.muninn.apps.Rows;
import java.lang.foreign.MemorySegment;

/**
 * GAUSS with messages: every thread has its stripe in private memory. In each step every thread
 * sends thread 0 of the root a message that it is ready; the owner of the pivot column sends the
 * pivot. Thread 0 then sends the pivot to the other threads. This replaces both barriers.
 */
final class GaussMessages implements DsmProgram {
    /**
     * Tags are {@code KINDS * position + kind}, with the position of the thread that is not thread
     * 0.
     */
    private static final int KINDS = 6;

    private static final int STRIPE = 0;
    private static final int READY = 1;
    private static final int FOUND = 2;
    private static final int PIVOTS = 3;
    private static final int ASK = 4;
    private static final int RESULT = 5;

    private final GaussSize size;

    /** The whole system. Allocated in initialization, on the root only. */
    private DoubleMatrix whole;

    GaussMessages(GaussSize size) {
        this.size = size;
        whole = DoubleMatrix.of(size.columns(), size.equations());
    }

    @Override
    public void initialize(DsmNode root) {
        whole = size.local(size.columns());
        GaussKernel.fill(whole, size.stripe(0, root.positions()));
    }

    @Override
    public void run(DsmNode node) {
        Stripe stripe = size.stripe(node.position(), node.positions());
        if (node.position() == 0) {
            lead(node, stripe);
        } else {
            follow(node, stripe);
        }
    }

    private void lead(DsmNode node, Stripe stripe) {
        Messages messages = node.messages();
        DoubleArray pivots = pivots();
        for (int other = 1; other < stripe.positions(); other++) {
            Stripe theirs = stripe.of(other);
            int tag = tag(other, STRIPE);
            Rows.send(messages, nodeOf(node, other), tag, whole, theirs.first(), theirs.end());
        }
        for (int step = 0; step < size.equations(); step++) {
            if (stripe.contains(step)) {
                pivot(node, whole, stripe.slot(step), step, pivots);
            }
            awaitAll(node, stripe, step, pivots);
            tellAll(node, stripe, step, pivots);
            eliminate(node, whole, stripe.first(), stripe, step, pivots);
        }
        for (int other = 1; other < stripe.positions(); other++) {
            Stripe theirs = stripe.of(other);
            int there = nodeOf(node, other);
            messages.send(there, tag(other, ASK), 0L);
            Rows.receive(messages, there, tag(other, RESULT), whole, theirs.first(), theirs.end());
        }
    }

    /** Waits until all other threads are ready; receives the pivot column from its owner. */
    private void awaitAll(DsmNode node, Stripe stripe, int step, DoubleArray pivots) {
        Messages messages = node.messages();
        for (int other = 1; other < stripe.positions(); other++) {
            int there = nodeOf(node, other);
            if (stripe.of(other).contains(step)) {
                messages.receive(there, tag(other, FOUND), found(pivots, step, Mode.WRITE));
            } else {
                messages.receiveLong(there, tag(other, READY));
            }
        }
    }

    /** Sends the pivot column to all other threads except its owner. */
    private void tellAll(DsmNode node, Stripe stripe, int step, DoubleArray pivots) {
        for (int other = 1; other < stripe.positions(); other++) {
            if (!stripe.of(other).contains(step)) {
                node.messages()
                        .send(
                                nodeOf(node, other),
                                tag(other, PIVOTS),
                                found(pivots, step, Mode.READ));
            }
        }
    }

    private void follow(DsmNode node, Stripe stripe) {
        Messages messages = node.messages();
        int self = stripe.position();
        DoubleMatrix slots = size.local(stripe.length());
        DoubleArray pivots = pivots();
        Rows.receive(messages, 0, tag(self, STRIPE), slots, 0, stripe.length());
        for (int step = 0; step < size.equations(); step++) {
            if (stripe.contains(step)) {
                pivot(node, slots, stripe.upTo(step) - 1, step, pivots);
                messages.send(0, tag(self, FOUND), found(pivots, step, Mode.READ));
            } else {
                messages.send(0, tag(self, READY), step);
                messages.receive(0, tag(self, PIVOTS), found(pivots, step, Mode.WRITE));
            }
            eliminate(node, slots, 0, stripe, step, pivots);
        }
        messages.receiveLong(0, tag(self, ASK));
        Rows.send(messages, 0, tag(self, RESULT), slots, 0, stripe.length());
    }

    /** Memory for a pivot column, followed by the number of the pivot row. */
    private DoubleArray pivots() {
        return DoubleArray.local(size.equations() + 1);
    }

    /**
     * The part sent in a step: the column from the diagonal down, and the number of the pivot row.
     */
    private MemorySegment found(DoubleArray pivots, int step, Mode mode) {
        return pivots.segment(step, size.equations() + 1, mode);
    }

    private void pivot(DsmNode node, DoubleMatrix slots, int slot, int step, DoubleArray pivots) {
        pivots.set(size.equations(), GaussKernel.pivot(node, slots, slot, step, pivots));
    }

    private void eliminate(
            DsmNode node,
            DoubleMatrix slots,
            int first,
            Stripe stripe,
            int step,
            DoubleArray pivots) {
        int pivotRow = (int) pivots.get(size.equations());
        GaussKernel.eliminate(node, slots, first, stripe, step, pivotRow, pivots);
    }

    private static int nodeOf(DsmNode node, int position) {
        return position / node.threads();
    }

    private static int tag(int position, int kind) {
        return KINDS * position + kind;
    }

    @Override
    public Verdict verify(DsmNode root) {
        return GaussKernel.verify(whole, size.stripe(0, root.positions()));
    }
}
