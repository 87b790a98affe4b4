package io.muninn.coherence.writeshared;

import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.spi.Context;

/**
 * Decides when an unused write-shared copy is given up, and to which node, so that one copy always
 * remains, and nodes without a copy can find it.
 *
 * <p>A copy is given up only to the sender of an update that
 *
 * <ol>
 *   <li>held the page when it sent it,
 *   <li>knew of every copy given up that this node knows of,
 *   <li>and had all diffs that are in this copy, except an own one that is outstanding: that one is
 *       applied to all copies before this node requests the page again.
 *   <li>A node whose own update of the page is outstanding gives its copy up only to a node that is
 *       before it in the page's order. Any order is correct; {@link FlushOrder} has one in which
 *       few copies remain.
 * </ol>
 *
 * The sender becomes the probable owner. Suppose that all copies were gone, or that hints formed a
 * cycle. Then each node of some cycle would have given up to the next one. Take one of them that
 * had no outstanding update when it did. It knew by then that its predecessor had given up to it.
 * By 2, so did the next node, and the one after that, and so on around the cycle; but then the
 * predecessor knew of the end of its own copy before that end. So all had outstanding updates, and
 * by 4 each is before its predecessor in the order: there is no such cycle.
 *
 * <p>Source: ours. Munin §2.4 has an owner that must find another before it gives its copy up.
 */
final class CopyRetirement {
    private final Context context;
    private final Flushes flushes;
    private final FlushOrder order;

    CopyRetirement(Context context, Flushes flushes) {
        this.context = context;
        this.flushes = flushes;
        order = new FlushOrder(context);
    }

    /**
     * True if a copy may be given up to the sender of an update.
     *
     * @param sinceNanos time at which access was withdrawn
     */
    boolean mayEnd(DirectoryEntry<?> entry, long sinceNanos, NodeId from, Offer offer) {
        return context.nowNanos() - sinceNanos >= context.updates().timeoutNanos()
                && (!flushes.isPending(entry.page()) || order.comesBefore(from, entry.page()))
                && leadsOn(entry, from, offer);
    }

    /** Records that the copy has been given up to the sender of an update. */
    void end(DirectoryEntry<?> entry, NodeId from, Offer offer) {
        entry.probableOwner(from);
        entry.copies(entry.copies().merge(offer.copies()).end(context.self()));
    }

    /** Records the content of an update on a node without a copy. */
    void learn(DirectoryEntry<?> entry, NodeId from, Offer offer) {
        if (leadsOn(entry, from, offer)) {
            entry.probableOwner(from);
        }
        entry.copies(entry.copies().merge(offer.copies()));
    }

    /** True if the sender of an update may be the probable owner of a node that has no copy. */
    private boolean leadsOn(DirectoryEntry<?> entry, NodeId from, Offer offer) {
        return offer.copies().nodes().contains(from)
                && offer.copies().knowsEndsOf(entry.copies())
                && offer.applied().covers(toBeFound(entry));
    }

    private AppliedDiffs toBeFound(DirectoryEntry<?> entry) {
        return flushes.isPending(entry.page())
                ? entry.applied().without(context.self())
                : entry.applied();
    }
}
