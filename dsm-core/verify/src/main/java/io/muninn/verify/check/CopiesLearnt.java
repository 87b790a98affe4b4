package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.Offer;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageCopies;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateAck;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.wire.WireMessage;
import java.util.List;

/**
 * A node never forgets copies of a write-shared page that it knows, and it learns the copies in
 * every message that it receives, in every state of the page, including waits for the page. For an
 * UpdateList this holds if the node answers without requesting the diffs; otherwise the Update
 * repeats the copies.
 */
public final class CopiesLearnt extends PageChecker {
    public static final String NAME = "copies learnt";

    private final PerPage<DatedCopyset[]> known; // by node

    public CopiesLearnt(ClusterView overview) {
        super(overview);
        known = new PerPage<>(_ -> new DatedCopyset[overview.nodes()]);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (event instanceof Event.MessageArrived(var _, WireMessage message, long _)
                && overview().isWhole()) {
            int at = node.id().index();
            switch (message) {
                case Update update -> {
                    for (PageDiff diff : update.diffs()) {
                        checkLearnt(at, diff.offer().page(), diff.offer().copies(), message);
                    }
                }
                case UpdateAck ack -> {
                    for (PageCopies each : ack.acks()) {
                        checkLearnt(at, each.page(), each.copies(), message);
                    }
                }
                case PageReply reply -> {
                    for (FetchReply each : reply.replies()) {
                        checkLearnt(at, each.page(), each.copies(), message);
                    }
                }
                case UpdateList list -> {
                    for (Offer offer : list.offers()) {
                        if (isAnswered(offer.page(), effects)) {
                            checkLearnt(at, offer.page(), offer.copies(), message);
                        }
                    }
                }
                default -> {} // contains no binding knowledge of copies
            }
        }
        super.afterStep(node, event, effects);
    }

    private static boolean isAnswered(PageId page, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(var _, UpdateAck ack) && ack.pages().contains(page)) {
                return true;
            }
        }
        return false;
    }

    private void checkLearnt(int node, PageId page, DatedCopyset told, WireMessage message) {
        DatedCopyset now = overview().snapshot(node, page).copies();
        if (!now.merge(told).equals(now)) {
            throw violation(
                    overview().describe(node, page)
                            + " knows of the copies "
                            + now
                            + " after it got "
                            + message);
        }
    }

    @Override
    protected void check(PageId page) {
        if (overview().protocol(page) != Protocol.WRITE_SHARED || !overview().isWhole()) {
            return;
        }
        DatedCopyset[] before = known.of(page);
        for (int i = 0; i < before.length; i++) {
            DatedCopyset now = overview().snapshot(i, page).copies();
            boolean isHandedOver = before[i] == null || before[i].areOnlyOf(NodeId.of(i));
            if (!isHandedOver && !now.merge(before[i]).equals(now)) {
                throw violation(
                        overview().describe(i, page)
                                + " knows of the copies "
                                + now
                                + ", and knew of "
                                + before[i]);
            }
            before[i] = now;
        }
    }
}
