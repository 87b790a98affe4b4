package io.muninn.apps.gauss;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Messages;
import io.muninn.api.Mode;
import io.muninn.api.Verdict;
import io.muninn.apps.Rows;

/**
 * GAUSS with messages: every thread has its stripe in memory of its own. In each step all tell
 * thread 0 of the root that they are ready, the one with the pivot column together with what it
 * found; thread 0 then tells all.
 */
final class GaussMessages implements DsmProgram {
    /** Tags are {@code KINDS * position + kind}, of the thread that is not the root's. */
    private static final int KINDS = 7;

    private static final int STRIPE = 0;
    private static final int READY = 1;
    private static final int READY_PIVOTS = 2;
    private static final int ROW = 3;
    private static final int PIVOTS = 4;
    private static final int ASK = 5;
    private static final int RESULT = 6;

    /** Says that a thread is ready and has found no pivot: it is another one's turn. */
    private static final long NOT_MINE = -1;

    private final GaussSize size;

    /** The whole system; has memory on the root alone, from initialization on. */
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
        DoubleArray pivots = DoubleArray.local(size.equations());
        for (int other = 1; other < stripe.positions(); other++) {
            Stripe theirs = stripe.of(other);
            int tag = tag(other, STRIPE);
            Rows.send(messages, nodeOf(node, other), tag, whole, theirs.first(), theirs.end());
        }
        for (int step = 0; step < size.equations(); step++) {
            int pivotRow = -1;
            if (stripe.contains(step)) {
                pivotRow = GaussKernel.pivot(node, whole, stripe.slot(step), step, pivots);
            }
            pivotRow = Math.max(pivotRow, awaitAll(node, stripe, step, pivots));
            tellAll(node, stripe, step, pivotRow, pivots);
            GaussKernel.eliminate(node, whole, stripe.first(), stripe, step, pivotRow, pivots);
        }
        for (int other = 1; other < stripe.positions(); other++) {
            Stripe theirs = stripe.of(other);
            int there = nodeOf(node, other);
            messages.send(there, tag(other, ASK), 0L);
            Rows.receive(messages, there, tag(other, RESULT), whole, theirs.first(), theirs.end());
        }
    }

    /** Waits until all others are ready; returns the row that one of them has found, or -1. */
    private int awaitAll(DsmNode node, Stripe stripe, int step, DoubleArray pivots) {
        Messages messages = node.messages();
        int pivotRow = -1;
        for (int other = 1; other < stripe.positions(); other++) {
            int there = nodeOf(node, other);
            long found = messages.receiveLong(there, tag(other, READY));
            if (found != NOT_MINE) {
                pivotRow = (int) found;
                messages.receive(
                        there,
                        tag(other, READY_PIVOTS),
                        pivots.segment(step, size.equations(), Mode.WRITE));
            }
        }
        return pivotRow;
    }

    /** Gives all others the row, and the pivot column to those who have not sent it. */
    private void tellAll(DsmNode node, Stripe stripe, int step, int pivotRow, DoubleArray pivots) {
        Messages messages = node.messages();
        for (int other = 1; other < stripe.positions(); other++) {
            int there = nodeOf(node, other);
            messages.send(there, tag(other, ROW), pivotRow);
            if (!stripe.of(other).contains(step)) {
                messages.send(
                        there,
                        tag(other, PIVOTS),
                        pivots.segment(step, size.equations(), Mode.READ));
            }
        }
    }

    private void follow(DsmNode node, Stripe stripe) {
        Messages messages = node.messages();
        int self = stripe.position();
        DoubleMatrix slots = size.local(stripe.length());
        DoubleArray pivots = DoubleArray.local(size.equations());
        Rows.receive(messages, 0, tag(self, STRIPE), slots, 0, stripe.length());
        for (int step = 0; step < size.equations(); step++) {
            boolean isMine = stripe.contains(step);
            if (isMine) {
                int slot = stripe.upTo(step) - 1;
                long found = GaussKernel.pivot(node, slots, slot, step, pivots);
                messages.send(0, tag(self, READY), found);
                messages.send(
                        0,
                        tag(self, READY_PIVOTS),
                        pivots.segment(step, size.equations(), Mode.READ));
            } else {
                messages.send(0, tag(self, READY), NOT_MINE);
            }
            int pivotRow = (int) messages.receiveLong(0, tag(self, ROW));
            if (!isMine) {
                messages.receive(
                        0, tag(self, PIVOTS), pivots.segment(step, size.equations(), Mode.WRITE));
            }
            GaussKernel.eliminate(node, slots, 0, stripe, step, pivotRow, pivots);
        }
        messages.receiveLong(0, tag(self, ASK));
        Rows.send(messages, 0, tag(self, RESULT), slots, 0, stripe.length());
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
