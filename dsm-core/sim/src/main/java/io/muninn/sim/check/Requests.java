package io.muninn.sim.check;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.TimerId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the requests for pages are. A node that waits for an answer about a page is right to do so
 * if its request or the answer is under way; or if the node that got the request last has kept it
 * and will come back to it, because it waits for an answer itself or because its hold timer is
 * armed, or because it awaits acknowledgements, or because a flush of the page is on its way to it.
 * Acknowledgements that are awaited likewise: the invalidation or the acknowledgement is under way,
 * or a node keeps the invalidation until its hold timer fires.
 */
final class Requests {
    private static final int NOBODY = -1;

    /** What is known of one page; by node. */
    private static final class Whereabouts {
        final int[] lastWith; // the node that got a node's request last
        final long[] invalidated; // nodes whose acknowledgement it awaits, as bits
        final boolean[] isTimerArmed; // its hold timer
        final int[] withdrawals; // under way

        Whereabouts(int nodes) {
            lastWith = new int[nodes];
            Arrays.fill(lastWith, NOBODY);
            invalidated = new long[nodes];
            isTimerArmed = new boolean[nodes];
            withdrawals = new int[nodes];
        }
    }

    private final ClusterView overview;
    private final PerPage<Whereabouts> pages;

    Requests(ClusterView overview) {
        this.overview = overview;
        this.pages = new PerPage<>(_ -> new Whereabouts(overview.nodes()));
    }

    void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        switch (event) {
            case Event.MessageArrived(NodeId from, ProtocolMessage message, long _) -> {
                for (PageId page : message.pages()) {
                    if (message instanceof ProtocolMessage.Request request) {
                        pages.of(page).lastWith[request.askedBy(from).index()] = at;
                    } else if (message instanceof ProtocolMessage.Acknowledgement) {
                        pages.of(page).invalidated[at] &= ~bit(from.index());
                    }
                }
            }
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) ->
                    pages.of(page).isTimerArmed[at] = false;
            case Event.AccessWithdrawn(_, PageId first, int count, _) ->
                    addWithdrawals(at, first, count, -1);
            default -> {} // moves no request
        }
    }

    void afterStep(SimNode node, List<Effect> effects) {
        int at = node.id().index();
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
                        pages.of(page).invalidated[at] |= bit(to.index());
                    }
                }
                default -> {} // neither timer nor invalidation
            }
        }
    }

    private void addWithdrawals(int node, PageId first, int count, int more) {
        for (int i = 0; i < count; i++) {
            pages.of(first.plus(i)).withdrawals[node] += more;
        }
    }

    /** What is wrong with the waits for a page; empty if nothing is. */
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
        for (ClusterView.Sent sent : overview.underway(page)) {
            boolean isRequest =
                    sent.message() instanceof ProtocolMessage.Request request
                            && request.askedBy(NodeId.of(sent.from())).index() == node;
            boolean isReply = sent.message() instanceof ProtocolMessage.Reply && sent.to() == node;
            if (isRequest || isReply) {
                return true;
            }
        }
        int keeper = pages.of(page).lastWith[node];
        return keeper != NOBODY && comesBack(keeper, page);
    }

    /**
     * Some node has saved a diff of the page, or is about to, or one is on its way, perhaps by a
     * node that forwards it.
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
            if (i != node && (isClosing || overview.node(i).pages().isDiffSaved(page))) {
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
        long missing = pages.of(page).invalidated[node];
        for (ClusterView.Sent sent : overview.underway(page)) {
            if (sent.message() instanceof ProtocolMessage.Invalidation && sent.from() == node) {
                missing &= ~bit(sent.to());
            } else if (sent.message() instanceof ProtocolMessage.Acknowledgement
                    && sent.to() == node) {
                missing &= ~bit(sent.from());
            }
        }
        for (int i = 0; i < overview.nodes(); i++) {
            if ((missing & bit(i)) != 0 && !pages.of(page).isTimerArmed[i]) {
                return false;
            }
        }
        return pages.of(page).invalidated[node] != 0;
    }

    private boolean comesBack(int keeper, PageId page) {
        ProtocolTraits.State contract = overview.contract(keeper, page);
        return isWaiting(contract)
                || contract.is(Mark.ANSWERS) && isFlushComing(keeper, page)
                || pages.of(page).isTimerArmed[keeper];
    }

    private static boolean isWaiting(ProtocolTraits.State contract) {
        return contract.is(Mark.THREADS_WAIT)
                || contract.is(Mark.AWAITS_ACKS)
                || contract.is(Mark.AWAITS_WITHDRAWAL)
                || contract.is(Mark.AWAITS_UPDATES);
    }

    private static long bit(int node) {
        return 1L << node;
    }
}
