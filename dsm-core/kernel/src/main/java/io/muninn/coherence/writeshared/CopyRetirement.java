package io.muninn.coherence.writeshared;

import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.spi.Context;

/**
 * Says when a write-shared copy that its node does not use is given up, and to whom: so that one
 * copy is always left, and whoever has none finds it.
 *
 * <p>A copy is given up only to the sender of an update that
 *
 * <ol>
 *   <li>held the page when it sent it,
 *   <li>knew of every copy given up that this node knows of,
 *   <li>and had all diffs that are in this copy, but for an own one that is under way: that one
 *       comes to all copies before this node asks for the page again.
 *   <li>A node whose own update of the page is under way gives its copy up to a node that comes
 *       before it in the page's order, and to no other. Any order is right; {@link FlushOrder} has
 *       one in which few copies are left.
 * </ol>
 *
 * The sender becomes the probable owner. Were all copies gone, or did hints go in a circle, then
 * each node of some circle would have given up to the next one. Take one of them that had no update
 * under way when it did. It knew by then that the node before it had given up to it; so, by 2, did
 * the next one, and the one after that, and so on round the circle; but then that node before it
 * knew of the end of its copy before it came. So all had updates under way, and by 4 each comes
 * before the last: there is no such circle.
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
     * @param sinceNanos when access was withdrawn
     */
    boolean mayEnd(DirectoryEntry<?> entry, long sinceNanos, NodeId from, Offer offer) {
        return context.nowNanos() - sinceNanos >= context.updates().timeoutNanos()
                && (!flushes.isPending(entry.page()) || order.comesBefore(from, entry.page()))
                && leadsOn(entry, from, offer);
    }

    /** Notes that the copy has been given up to the sender of an update. */
    void end(DirectoryEntry<?> entry, NodeId from, Offer offer) {
        entry.probableOwner(from);
        entry.copies(entry.copies().merge(offer.copies()).end(context.self()));
    }

    /** Notes what a node without a copy learns from an update. */
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
