package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.TimerId;
import io.muninn.sync.CollectionMessage;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tracks requests for pages. A node may wait for an answer about a page if the request or the
 * answer is in transit, or if the node that received the request last has deferred it and will
 * resume it. It resumes a request when it receives an answer that it awaits itself, when its hold
 * timer fires, when it receives awaited acknowledgements, or when a flush of the page arrives. A
 * node may await an acknowledgement if the invalidation or the acknowledgement is in transit, or if
 * a node defers the invalidation until its hold timer fires.
 */
final class OutstandingRequests {
    /** The requests for one page; by node. */
    private static final class Whereabouts {
        final NodeSets keepers; // nodes that keep a node's requests
        final NodeSets storesKeepers; // the same for requests for stores
        final NodeSets invalidated; // nodes whose acknowledgements it awaits
        final boolean[] isTimerArmed; // its hold timer
        final int[] withdrawals; // in progress
        final int[] unsent; // comparisons whose result the home has not received

        Whereabouts(int nodes) {
            keepers = new NodeSets(nodes);
            storesKeepers = new NodeSets(nodes);
            invalidated = new NodeSets(nodes);
            isTimerArmed = new boolean[nodes];
            withdrawals = new int[nodes];
            unsent = new int[nodes];
        }
    }

    private final ClusterView overview;
    private final PerPage<Whereabouts> pages;

    OutstandingRequests(ClusterView overview) {
        this.overview = overview;
        this.pages = new PerPage<>(_ -> new Whereabouts(overview.nodes()));
    }

    private boolean isValidating; // nodes may defer requests until they have performed a collection

    void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        switch (event) {
            case Event.MessageArrived(NodeId from, ProtocolMessage message, long _) -> {
                for (PageId page : message.pages()) {
                    if (message instanceof ProtocolMessage.Request request) {
                        addKeeper(keepers(page, request), request.askedBy(from), from, at);
                    } else if (message instanceof ProtocolMessage.Acknowledgement) {
                        pages.of(page).invalidated.of(at).clear(from.index());
                    }
                }
            }
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) ->
                    pages.of(page).isTimerArmed[at] = false;
            case Event.AccessWithdrawn(_, PageId first, int count, _) ->
                    addWithdrawals(at, first, count, -1);
            case Event.DiffSaved saved when hasHome(saved.page()) ->
                    pages.of(saved.page()).unsent[at]++; // also of an empty diff
            case Event.MessageArrived(_, CollectionMessage.CollectValidate _, long _) ->
                    isValidating = true;
            case Event.MessageArrived(_, CollectionMessage.CollectFree _, long _) ->
                    isValidating = false;
            default -> {} // moves no request
        }
    }

    private NodeSets keepers(PageId page, ProtocolMessage message) {
        boolean isOfStores =
                message instanceof ProtocolMessage.StoresRequest
                        || message instanceof ProtocolMessage.StoresReply;
        return isOfStores ? pages.of(page).storesKeepers : pages.of(page).keepers;
    }

    /**
     * Adds a node that received a request. A node that has forwarded the request no longer keeps
     * it.
     */
    private static void addKeeper(NodeSets keepers, NodeId asker, NodeId from, int keeper) {
        BitSet of = keepers.of(asker.index());
        of.clear(from.index());
        of.set(keeper);
    }

    private void answered(int keeper, NodeId asker, ProtocolMessage answer) {
        for (PageId page : answer.pages()) {
            keepers(page, answer).of(asker.index()).clear(keeper);
        }
    }

    private boolean hasHome(PageId page) {
        return overview.traits(page).has(Trait.HOMES);
    }

    void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        boolean forwards = event instanceof Event.MessageArrived(_, ProtocolMessage.Flush _, _);
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ArmTimer(TimerId.HoldOver(PageId page), long _) ->
                        pages.of(page).isTimerArmed[at] = true;
                case Effect.Withdraw(_, PageId first, int count) ->
                        addWithdrawals(at, first, count, 1);
                case Effect.CancelTimer(TimerId.HoldOver(PageId page)) ->
                        pages.of(page).isTimerArmed[at] = false;
                case Effect.Send(NodeId to, ProtocolMessage.Invalidation invalidation) -> {
                    for (PageId page : invalidation.pages()) {
                        pages.of(page).invalidated.of(at).set(to.index());
                    }
                }
                case Effect.Send(NodeId to, ProtocolMessage.Reply reply) -> answered(at, to, reply);
                case Effect.Send(NodeId to, ProtocolMessage.StoresReply reply) ->
                        answered(at, to, reply);
                case Effect.Send(NodeId _, ProtocolMessage.Flush flush) when !forwards ->
                        sent(at, flush);
                default -> {} // no timer, invalidation, answer or flush
            }
        }
    }

    private void sent(int node, ProtocolMessage.Flush flush) {
        for (PageId page : flush.pages()) {
            if (hasHome(page)) {
                pages.of(page).unsent[node]--;
            }
        }
    }

    private void addWithdrawals(int node, PageId first, int count, int more) {
        for (int i = 0; i < count; i++) {
            pages.of(first.plus(i)).withdrawals[node] += more;
        }
    }

    /** Describes a wait for a page without a reason; empty if there is none. */
    Optional<String> check(PageId page) {
        for (int i = 0; i < overview.nodes(); i++) {
            ProtocolTraits.State contract = overview.contract(i, page);
            if (isWaiting(contract)) {
                boolean isRight =
                        contract.is(Mark.AWAITS_ACKS)
                                ? areAcksComing(i, page)
                                : contract.is(Mark.AWAITS_UPDATES)
                                        ? isFlushComing(i, page)
                                        : contract.is(Mark.AWAITS_WITHDRAWAL)
                                                ? isWithdrawalUnderWay(i, page)
                                                : isAnswerComing(i, page);
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
        if (overview.node(node).isEntering(page)) {
            return true; // a trap will report its entry
        }
        for (ClusterView.Sent sent : overview.underway(page)) {
            boolean isRequest =
                    sent.message() instanceof ProtocolMessage.Request request
                            && request.askedBy(NodeId.of(sent.from())).index() == node;
            boolean isReply =
                    sent.to() == node
                            && (sent.message() instanceof ProtocolMessage.Reply
                                    || sent.message() instanceof ProtocolMessage.StoresReply);
            if (isRequest || isReply) {
                return true;
            }
        }
        Whereabouts of = pages.of(page);
        return Stream.of(of.keepers, of.storesKeepers)
                .anyMatch(each -> each.of(node).stream().anyMatch(i -> comesBack(i, page)));
    }

    /**
     * Whether a flush of the page will arrive: it is in transit, perhaps to a node that forwards
     * it, or some node has compared the page, or is about to, and has not sent the result.
     */
    private boolean isFlushComing(int node, PageId page) {
        for (ClusterView.Sent sent : overview.underway(page)) {
            boolean isForwarded = !overview.contract(sent.to(), page).is(Mark.WHOLE);
            if (sent.message() instanceof ProtocolMessage.Flush
                    && (sent.to() == node || isForwarded)) {
                return true;
            }
        }
        for (int i = 0; i < overview.nodes(); i++) {
            ProtocolTraits.State contract = overview.contract(i, page);
            boolean isClosing = contract.is(Mark.AWAITS_WITHDRAWAL) && contract.is(Mark.TWIN);
            if (i != node && (isClosing || pages.of(page).unsent[i] > 0)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWithdrawalUnderWay(int node, PageId page) {
        Whereabouts of = pages.of(page);
        return of.withdrawals[node] > 0 || of.isTimerArmed[node];
    }

    private boolean areAcksComing(int node, PageId page) {
        BitSet invalidated = pages.of(page).invalidated.of(node);
        BitSet missing = (BitSet) invalidated.clone();
        for (ClusterView.Sent sent : overview.underway(page)) {
            if (sent.message() instanceof ProtocolMessage.Invalidation && sent.from() == node) {
                missing.clear(sent.to());
            } else if (sent.message() instanceof ProtocolMessage.Acknowledgement
                    && sent.to() == node) {
                missing.clear(sent.from());
            }
        }
        return !invalidated.isEmpty()
                && missing.stream().allMatch(i -> pages.of(page).isTimerArmed[i]);
    }

    private boolean comesBack(int keeper, PageId page) {
        ProtocolTraits.State contract = overview.contract(keeper, page);
        return isWaiting(contract)
                || contract.is(Mark.ANSWERS) && isFlushComing(keeper, page)
                || isValidating && overview.traits(page).has(Trait.KEEPS_DIFFS)
                || pages.of(page).isTimerArmed[keeper];
    }

    private static boolean isWaiting(ProtocolTraits.State contract) {
        return contract.is(Mark.THREADS_WAIT)
                || contract.is(Mark.AWAITS_ACKS)
                || contract.is(Mark.AWAITS_WITHDRAWAL)
                || contract.is(Mark.AWAITS_UPDATES);
    }
}
