package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node tells others of a page is true when it leaves, not only when the step is over: other
 * nodes may act on it before the next effect is performed. So when a message about a page leaves,
 *
 * <ul>
 *   <li>if it has an image of the page, the step takes no stores away afterwards: they are not in
 *       the image; loads may go on until the content goes, before the node's next event. But where
 *       diffs are kept, the message names those that the image contains
 *   <li>if it is an acknowledgement, the step takes no access away that it ends without
 *   <li>of the updates that the step applies to the page as many are applied as are acknowledged
 * </ul>
 *
 * The simulator performs all effects of a step at one time. It could let others go on in between,
 * but then an order that is wrong would show only where somebody does, and where a load or a store
 * of that very page happens to be next. So each message is held against the page at the moment in
 * which it leaves.
 */
final class ToldWhenDone implements Checker {
    static final String NAME = "told when done";

    /** What was so when a message left. */
    private record Told(PageId page, PageAccess access, boolean hasImage, WireMessage message) {}

    private final List<Told> told = new ArrayList<>(); // in the present step
    private final List<PageId> images = new ArrayList<>(); // in the present message

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        told.clear();
    }

    @Override
    public void onImage(SimNode from, PageId page, MemorySegment image) {
        images.add(page);
    }

    @Override
    public void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {
        if (message instanceof ProtocolMessage about) {
            for (PageId page : about.pages()) {
                PageAccess access = from.pages().access(page);
                told.add(new Told(page, access, images.contains(page), message));
            }
        }
        images.clear();
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        boolean isAnyAcknowledgement = false;
        for (Told each : told) {
            checkAccess(node, each);
            isAnyAcknowledgement |= isAcknowledgement(each.message());
        }
        if (isAnyAcknowledgement) {
            checkApplied(node, effects);
        }
        told.clear();
    }

    private void checkAccess(SimNode node, Told each) {
        PageAccess now = node.pages().access(each.page());
        boolean isTaken =
                isAcknowledgement(each.message())
                        ? each.access() != PageAccess.NONE && now == PageAccess.NONE
                        : each.hasImage()
                                && !node.traits(each.page()).has(Trait.KEEPS_DIFFS)
                                && each.access() == PageAccess.READ_WRITE
                                && now != PageAccess.READ_WRITE;
        if (isTaken) {
            throw violation(
                    node.describe(each.page())
                            + " has "
                            + now
                            + " after a step in which it had "
                            + each.access()
                            + " when this left: "
                            + each.message());
        }
    }

    private static boolean isAcknowledgement(WireMessage message) {
        return message instanceof ProtocolMessage.Acknowledgement;
    }

    private void checkApplied(SimNode node, List<Effect> effects) {
        Map<PageId, Integer> left = new TreeMap<>(); // updates that are still to be applied
        for (Effect effect : effects) {
            if (effect instanceof Effect.ApplyDiff(PageId page, var _)) {
                left.merge(page, 1, Integer::sum);
            }
        }
        Map<PageId, Integer> applied = new TreeMap<>(); // less those that are acknowledged
        for (Effect effect : effects) {
            if (effect instanceof Effect.ApplyDiff(PageId page, var _)) {
                left.merge(page, -1, Integer::sum);
                applied.merge(page, 1, Integer::sum);
            } else if (effect
                    instanceof Effect.Send(NodeId _, ProtocolMessage.Acknowledgement ack)) {
                for (PageId page : ack.pages()) {
                    if (applied.merge(page, -1, Integer::sum) < 0
                            && left.getOrDefault(page, 0) > 0) {
                        throw violation(
                                node.describe(page)
                                        + " is acknowledged before the update is applied: "
                                        + ack);
                    }
                }
            }
        }
    }
}
