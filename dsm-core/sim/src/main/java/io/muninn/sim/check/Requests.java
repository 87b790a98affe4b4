package io.muninn.sim.check;

import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.migratory.Migratory;
import io.muninn.coherence.readonly.ReadOnly;
import io.muninn.coherence.writeshared.WriteSharedMessages.AheadRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.FetchRequest;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.TimerId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the requests for pages are. A node that waits for an answer about a page is right to do so
 * if its request or the answer is under way; or if the node that got the request last has kept it
 * and will come back to it, because it waits for an answer itself or because its hold timer is
 * armed, or because it awaits acknowledgements. Acknowledgements that are awaited likewise: the
 * invalidation or the acknowledgement is under way, or a node keeps the invalidation until its hold
 * timer fires.
 */
final class Requests {
    private static final int NOBODY = -1;

    /** What is known of one page; by node. */
    private static final class Whereabouts {
        final int[] lastWith; // the node that got a node's request last
        final long[] invalidated; // nodes whose acknowledgement it awaits, as bits
        final boolean[] isTimerArmed; // its hold timer

        Whereabouts(int nodes) {
            lastWith = new int[nodes];
            Arrays.fill(lastWith, NOBODY);
            invalidated = new long[nodes];
            isTimerArmed = new boolean[nodes];
        }
    }

    private final ClusterView overview;
    private final PerPage<Whereabouts> pages;

    Requests(ClusterView overview) {
        this.overview = overview;
        this.pages = new PerPage<>(_ -> new Whereabouts(overview.nodes()));
    }

    /** True for the states in which threads at a page wait for other nodes. */
    static boolean waitsForAnswer(String state) {
        return switch (state) {
            case "AwaitCopy", "AwaitGrant", "AwaitAcks", "Awaiting", "Fetching" -> true;
            default -> false;
        };
    }

    private static boolean waitsForAcks(String state) {
        return state.equals("AwaitAcks") || state.equals("Invalidating");
    }

    void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        switch (event) {
            case Event.MessageArrived(NodeId from, ProtocolMessage message, long _) -> {
                int asker = asker(from.index(), message);
                if (asker != NOBODY) {
                    message.pages().forEach(page -> pages.of(page).lastWith[asker] = at);
                } else if (message instanceof Conventional.InvalidateAck ack) {
                    pages.of(ack.page()).invalidated[at] &= ~(1L << from.index());
                }
            }
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) ->
                    pages.of(page).isTimerArmed[at] = false;
            default -> {} // moves no request
        }
    }

    void afterStep(SimNode node, List<Effect> effects) {
        int at = node.id().index();
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ArmTimer(TimerId.HoldOver(PageId page), long _) ->
                        pages.of(page).isTimerArmed[at] = true;
                case Effect.CancelTimer(TimerId.HoldOver(PageId page)) ->
                        pages.of(page).isTimerArmed[at] = false;
                case Effect.Send(NodeId to, Conventional.Invalidate invalidate) ->
                        pages.of(invalidate.page()).invalidated[at] |= 1L << to.index();
                default -> {} // neither timer nor invalidation
            }
        }
    }

    /** What is wrong with the waits for a page; empty if nothing is. */
    Optional<String> check(PageId page) {
        for (int i = 0; i < overview.nodes(); i++) {
            String state = overview.state(i, page);
            if (waitsForAcks(state) || waitsForAnswer(state)) {
                boolean isRight =
                        waitsForAcks(state) ? areAcksComing(i, page) : isAnswerComing(i, page);
                if (!isRight) {
                    return Optional.of(
                            overview.describe(i, page)
                                    + " waits, but nothing that would end it is under way, and no"
                                    + " node will come back to it");
                }
            }
        }
        return Optional.empty();
    }

    private boolean isAnswerComing(int node, PageId page) {
        for (ClusterView.Sent sent : overview.underway(page)) {
            if (asker(sent.from(), sent.message()) == node
                    || sent.to() == node && isAnswer(sent.message())) {
                return true;
            }
        }
        int keeper = pages.of(page).lastWith[node];
        return keeper != NOBODY && comesBack(keeper, page);
    }

    private boolean areAcksComing(int node, PageId page) {
        long missing = pages.of(page).invalidated[node];
        for (ClusterView.Sent sent : overview.underway(page)) {
            if (sent.message() instanceof Conventional.Invalidate && sent.from() == node) {
                missing &= ~(1L << sent.to());
            } else if (sent.message() instanceof Conventional.InvalidateAck && sent.to() == node) {
                missing &= ~(1L << sent.from());
            }
        }
        for (int i = 0; i < overview.nodes(); i++) {
            if ((missing & 1L << i) != 0 && !pages.of(page).isTimerArmed[i]) {
                return false;
            }
        }
        return pages.of(page).invalidated[node] != 0;
    }

    private boolean comesBack(int keeper, PageId page) {
        String state = overview.state(keeper, page);
        return waitsForAnswer(state) || waitsForAcks(state) || pages.of(page).isTimerArmed[keeper];
    }

    /** Who asks by a message; {@link #NOBODY} if it is no request. */
    private static int asker(int from, ProtocolMessage message) {
        return switch (message) {
            case Conventional.ReadRequest request -> request.asker().index();
            case Conventional.WriteRequest request -> request.asker().index();
            case Migratory.PageRequest request -> request.asker().index();
            case FetchRequest request -> request.asker().index();
            case AheadRequest request -> request.asker().index();
            case ReadOnly.CopyRequest _, ReadOnly.CopiesRequest _ -> from;
            default -> NOBODY;
        };
    }

    private static boolean isAnswer(ProtocolMessage message) {
        return message instanceof Conventional.ReadReply
                || message instanceof Conventional.WriteGrant
                || message instanceof Migratory.PageMove
                || message instanceof ReadOnly.PageReply
                || message instanceof PageReply;
    }
}
