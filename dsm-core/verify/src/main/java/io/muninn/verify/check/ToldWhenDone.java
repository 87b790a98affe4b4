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
 * A message about a page is correct when it is sent, not only after the step, because other nodes
 * may act on it before the next effect is performed. When a message about a page is sent:
 *
 * <ul>
 *   <li>if it contains an image of the page, the step does not withdraw write access afterwards,
 *       because later stores would not be in the image. Loads may continue until the content is
 *       discarded, before the node's next event. Exception: under protocols that keep diffs the
 *       message names the diffs that the image contains
 *   <li>if it is an acknowledgement, the step does not withdraw afterwards any access that it
 *       acknowledges to be withdrawn
 *   <li>as many updates of the page have been applied in this step as are acknowledged
 * </ul>
 *
 * The simulator performs all effects of a step at one virtual time. Running other nodes in between
 * would reveal a wrong order only if one of them happened to load from or store to that page next.
 * So each message is compared with the page when it is sent.
 */
final class ToldWhenDone implements Checker {
    static final String NAME = "told when done";

    /** The state of a page when a message was sent. */
    private record Told(PageId page, PageAccess access, boolean hasImage, WireMessage message) {}

    private final List<Told> told = new ArrayList<>(); // in this step
    private final List<PageId> images = new ArrayList<>(); // in this message

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
        Map<PageId, Integer> left = new TreeMap<>(); // updates still to be applied
        for (Effect effect : effects) {
            if (effect instanceof Effect.ApplyDiff(PageId page, var _)) {
                left.merge(page, 1, Integer::sum);
            }
        }
        Map<PageId, Integer> applied = new TreeMap<>(); // minus acknowledged updates
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
