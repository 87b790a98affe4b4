package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.TimerId;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whatever meets a page, lock, barrier, condition or shipped object is in the state × event table
 * of its protocol, in the row of the state before, and that cell does not say that it is
 * impossible. Hits of cells are counted.
 *
 * <p>Not seen: what was deferred and is answered within the step of another event, and what a node
 * tells itself. A release that is performed is seen by what leaves the node. Nothing is looked at
 * on a node that has heard of a loss: it only tells its threads.
 */
final class TableChecker implements Checker {
    static final String NAME = "state × event table";

    private static final String RELEASE_PERFORMED = "release performed";
    private static final String ACQUIRE_PERFORMED = "acquire performed";

    private static final String ANY_FAULT = "fault";

    private static final String HOLD_OVER = "HoldOver";

    private static final String SEALED = "Sealed";

    private static final String RELEASE = "release";

    private static final String NOTICE = "notice";

    private final ClusterView overview;
    private final Coverage coverage;
    private final long[] hits = new long[Coverage.cells()];
    private final Map<StateTable, Integer> firsts = StateTables.FIRSTS;
    private WaitingCalls[] waits = {}; // by node
    private final List<Map<PageId, String>> twinsKept =
            new ArrayList<>(); // by node: states after the last comparison
    private final PerPage<@Nullable String[]> states; // by node: see #before; null until known
    private boolean[] isRunOver = {}; // by node
    private String[] receivers = {}; // by sender: what the node that steps is to it

    /**
     * @param coverage takes the hits of the run when it ends
     */
    TableChecker(ClusterView overview, Coverage coverage) {
        this.overview = overview;
        states = new PerPage<>(_ -> new String[overview.nodes()]);
        this.coverage = coverage;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        isRunOver = new boolean[simulation.cluster().nodes()];
        receivers = new String[isRunOver.length];
        for (int i = 0; i < isRunOver.length; i++) {
            twinsKept.add(new TreeMap<>());
        }
        waits = new WaitingCalls[isRunOver.length];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = new WaitingCalls(simulation.cluster());
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        isRunOver[at] |= event instanceof Event.PeerLost;
        if (isRunOver[at]) {
            return;
        }
        waits[at].beforeStep(event);
        noteReceivers(node);
        switch (event) {
            case Event.FaultRaised(_, PageId page, var kind, _, long _) ->
                    onFault(node, page, kind.isStore());
            case Event.TwinMade(_, PageId page, long _) -> hitPage(node, page, "TwinMade");
            case Event.AccessWithdrawn withdrawn -> onAccessWithdrawn(node, withdrawn);
            case Event.MessageArrived(NodeId from, WireMessage message, long _) ->
                    onMessage(node, from, message);
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) -> onHoldOver(node, page);
            case Event.TimerFired(TimerId.WaitOver(var waiter), long _) ->
                    onWaitOver(node, waiter.thread());
            case Event.AcquireCalled call -> hitLock(node, call.lock(), "AcquireCalled");
            case Event.ReleaseCalled(LockId lock) -> hitLock(node, lock, "ReleaseCalled");
            case Event.AcquireCancelled(_, LockId lock) ->
                    hitLock(node, lock, "wait over or cancelled");
            case Event.LockReclaimed(LockId lock, boolean _) ->
                    hitLock(node, lock, "LockReclaimed");
            case Event.BarrierReached call -> hitBarrier(node, call.barrier(), "BarrierReached");
            case Event.GatherCalled call -> hitBarrier(node, call.barrier(), "GatherCalled");
            case Event.Shipping about -> onShipping(node, about);
            case Event.WaitCalled call -> hitWaiter(node, call.waiter().thread(), "WaitCalled");
            case Event.SignalAwaited call ->
                    hitWaiter(node, call.waiter().thread(), "SignalAwaited");
            case Event.SignalAwaitCancelled(var waiter) ->
                    hitWaiter(node, waiter.thread(), "wait over or cancelled");
            case Event.SignalCalled call -> hitWaiter(node, call.waiter().thread(), "SignalCalled");
            case Event.SendCalled call -> hitSender(node, call.to(), "SendCalled");
            default -> {} // has no column
        }
    }

    @Override
    public void onOwnMessage(SimNode node, WireMessage message) {
        waits[node.id().index()].onOwnMessage(message);
    }

    @Override
    public void onAcquirePerformed(SimNode node, GatedAcquire acquire) {
        if (isRunOver[node.id().index()]) {
            return;
        }
        switch (acquire) {
            case GatedAcquire.Token(LockId lock) -> hitLock(node, lock, ACQUIRE_PERFORMED);
            case GatedAcquire.Departure departure ->
                    hitBarrier(node, departure.barrier(), ACQUIRE_PERFORMED);
            case GatedAcquire.Call call -> hitObject(node, call.object(), ACQUIRE_PERFORMED);
            case GatedAcquire.Reply _, GatedAcquire.Letter _, GatedAcquire.Refresh _ -> {}
        }
    }

    private void onAccessWithdrawn(SimNode node, Event.AccessWithdrawn withdrawn) {
        for (int i = 0; i < withdrawn.count(); i++) {
            PageId page = withdrawn.first().plus(i);
            if (isInvalidatedByAcquires(page)) {
                hitPage(node, page, "AccessWithdrawn");
            }
        }
    }

    private boolean isInvalidatedByAcquires(PageId page) {
        return overview.traits(page).has(Trait.ACQUIRES_INVALIDATE);
    }

    /** True if a release protects its pages, and compares none of them. */
    private boolean keepsDiffs(PageId page) {
        return overview.traits(page).has(Trait.KEEPS_DIFFS);
    }

    private void onShipping(SimNode node, Event.Shipping event) {
        switch (event) {
            case Event.ObjectDeclared call -> hitObject(node, call.object(), "ObjectDeclared");
            case Event.ServeCalled call -> hitObject(node, call.object(), "ServeCalled");
            case Event.CallServed call -> hitObject(node, call.object(), "CallServed");
            case Event.ShipCalled _, Event.PostCalled _, Event.ReplyAwaited _ -> {} // the caller's
        }
    }

    private void onFault(SimNode node, PageId page, boolean isStore) {
        boolean isAny = StateTables.of(overview.kind(page)).column(ANY_FAULT) >= 0;
        hitPage(node, page, isAny ? ANY_FAULT : isStore ? "write fault" : "read fault");
    }

    private void onMessage(SimNode node, NodeId from, WireMessage message) {
        switch (message) {
            case SyncMessage.Letter _ -> hitReceiver(node, from, "Letter");
            case SyncMessage.LetterStall _ -> hitReceiver(node, from, "LetterStall");
            case SyncMessage.LetterCredit _ -> hitSender(node, from, "LetterCredit");
            case ProtocolMessage about -> {
                if (!about.tableEvent().isEmpty()) {
                    for (PageId page : about.pages()) {
                        hitPage(node, page, about.tableEvent());
                    }
                }
            }
            case SyncMessage.LockRequest request -> hitLock(node, request.lock(), "LockRequest");
            case SyncMessage.LockGrant grant -> hitLock(node, grant.lock(), "LockGrant");
            case SyncMessage.ConditionWait wait ->
                    hitCondition(node, wait.condition(), "ConditionWait");
            case SyncMessage.ConditionSignal signal ->
                    hitCondition(node, signal.condition(), "ConditionSignal");
            case SyncMessage.ConditionCancel cancel ->
                    hitCondition(node, cancel.condition(), "ConditionCancel");
            case SyncMessage.ConditionQueued queued ->
                    hitWaiter(node, queued.thread(), "ConditionQueued");
            case SyncMessage.ConditionWake wake -> hitWaiter(node, wake.thread(), "ConditionWake");
            case SyncMessage.ConditionCancelled cancelled ->
                    hitWaiter(node, cancelled.thread(), "ConditionCancelled");
            case SyncMessage.ConditionSignalled signalled ->
                    hitWaiter(node, signalled.thread(), "ConditionSignalled");
            case SyncMessage.BarrierDepart depart ->
                    hitBarrier(node, depart.barrier(), "BarrierDepart");
            case SyncMessage.BarrierBroken broken ->
                    hitBarrier(node, broken.barrier(), "BarrierBroken");
            case SyncMessage.BarrierGathered gathered ->
                    hitBarrier(node, gathered.barrier(), "BarrierGathered");
            case SyncMessage.ShippedCall call -> hitObject(node, call.object(), "ShippedCall");
            default -> {} // of the manager, or of callers
        }
    }

    private void onHoldOver(SimNode node, PageId page) {
        if (!overview.traits(page).has(Trait.HELD) && !isInvalidatedByAcquires(page)) {
            throw violation(node.describe(page) + " is never held, and its timer fires");
        }
        if (StateTables.of(overview.kind(page)).column(HOLD_OVER) >= 0) {
            hitPage(node, page, HOLD_OVER); // else a footnote says what it does
        }
    }

    private void onWaitOver(SimNode node, int thread) {
        LockId lock = waits[node.id().index()].lock(thread);
        BarrierId barrier = waits[node.id().index()].barrier(thread);
        if (lock != null) {
            hitLock(node, lock, "wait over or cancelled");
        } else if (barrier != null) {
            hitBarrier(node, barrier, "wait over");
        } else if (waits[node.id().index()].condition(thread) != null) {
            hitWaiter(node, thread, "wait over or cancelled");
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        if (isRunOver[at]) {
            return;
        }
        waits[at].afterStep(effects);
        boolean isSealing = event instanceof Event.Sealed;
        Set<PageId> withdrawn = withdrawn(event, effects);
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.SaveDiff(PageId page, long _, boolean _)
                        when !withdrawn.contains(page) && !keepsDiffs(page) ->
                        onCompared(node, page);
                case Effect.SetAccess(_, PageId page, PageAccess access)
                        when access == PageAccess.READ && keepsDiffs(page) ->
                        hit(
                                node,
                                StateTables.of(overview.kind(page)),
                                written(overview.traits(page)),
                                RELEASE,
                                page);
                case Effect.SetAccess(_, PageId page, PageAccess access)
                        when access == PageAccess.READ && isStoredToInPlace(node, page) ->
                        onReleasedInPlace(node, page, withdrawn.contains(page));
                case Effect.SetAccess(_, PageId page, _) when isSealing -> onSealed(node, page);
                case Effect.SetAccess(_, PageId page, PageAccess access)
                        when access == PageAccess.NONE && isInvalidatedByAcquires(page) ->
                        onNotice(node, page);
                case Effect.Withdraw(_, PageId first, int _) when isSealing ->
                        onSealed(node, first);
                case Effect.Withdraw(_, PageId first, int count) -> {
                    for (int i = 0; i < count; i++) {
                        onNotice(node, first.plus(i));
                        withdrawn.add(first.plus(i));
                    }
                }
                case Effect.Send(_, SyncMessage.LockGrant grant) ->
                        hit(node, StateTables.LOCKS, "Passing", RELEASE_PERFORMED, grant.lock());
                case Effect.Send(_, SyncMessage.BarrierArrive arrive) ->
                        hitBarrier(node, arrive.barrier(), RELEASE_PERFORMED);
                case Effect.Send(_, SyncMessage.ConditionSignal signal) ->
                        hit(
                                node,
                                StateTables.CONDITION_WAITS,
                                "Flushing",
                                RELEASE_PERFORMED,
                                node.thread(signal.thread()));
                case Effect.ResumeWaiter(_, Outcome.Delivered(int from, _)) when from != at ->
                        hit(
                                node,
                                StateTables.LETTERS,
                                receivers[from],
                                "letter received",
                                "letters");
                default -> {} // says nothing of a cell
            }
        }
        for (PageId page : overview.touched()) {
            if (isInvalidatedByAcquires(page)) {
                states.of(page)[at] = overview.state(at, page);
            }
        }
    }

    /** The pages that a withdrawal which is done now was about; those that begin are added. */
    private static Set<PageId> withdrawn(Event event, List<Effect> effects) {
        boolean isAny = event instanceof Event.AccessWithdrawn;
        for (Effect effect : effects) {
            isAny |= effect instanceof Effect.Withdraw;
        }
        if (!isAny) {
            return Set.of(); // of none, and none is added
        }
        Set<PageId> pages = new HashSet<>();
        if (event instanceof Event.AccessWithdrawn(_, PageId first, int count, _)) {
            for (int i = 0; i < count; i++) {
                pages.add(first.plus(i));
            }
        }
        return pages;
    }

    /** Its state before the event; that of the first if nothing was known of it. */
    private String before(SimNode node, PageId page) {
        return Objects.requireNonNullElse(states.of(page)[node.id().index()], "Idle");
    }

    private boolean isStoredToInPlace(SimNode node, PageId page) {
        if (!isInvalidatedByAcquires(page)) {
            return false;
        }
        ProtocolTraits.State before = overview.traits(page).state(before(node, page));
        return before.is(Mark.WHOLE) && before.access() == PageAccess.READ_WRITE;
    }

    /**
     * @param isSettled whether its withdrawal has ended in this step, so that a thread may store
     */
    private void onReleasedInPlace(SimNode node, PageId page, boolean isSettled) {
        String before = isSettled ? storedToInPlace(overview.traits(page)) : before(node, page);
        hit(node, StateTables.of(overview.kind(page)), before, RELEASE, page);
    }

    private static String storedToInPlace(ProtocolTraits traits) {
        return traits.states().stream()
                .filter(state -> state.is(Mark.WHOLE) && state.access() == PageAccess.READ_WRITE)
                .filter(state -> !state.is(Mark.AWAITS_WITHDRAWAL))
                .findFirst()
                .orElseThrow()
                .name();
    }

    /** A page that is withdrawn again, since it was refused, has met no other notice. */
    private void onNotice(SimNode node, PageId page) {
        String before = before(node, page);
        if (!overview.traits(page).state(before).is(Mark.AWAITS_WITHDRAWAL)) {
            hit(node, StateTables.of(overview.kind(page)), before, NOTICE, page);
        }
    }

    private void onCompared(SimNode node, PageId page) {
        ProtocolTraits traits = overview.traits(page);
        Map<PageId, String> kept = twinsKept.get(node.id().index());
        String before = Objects.requireNonNullElseGet(kept.remove(page), () -> written(traits));
        hit(node, StateTables.of(overview.kind(page)), before, RELEASE, page);
        ProtocolTraits.State after = overview.contract(node.id().index(), page);
        if (after.is(Mark.TWIN) && !after.is(Mark.AWAITS_WITHDRAWAL)) {
            kept.put(page, after.name());
        }
    }

    /** The state that a page enters with the first store of an interval. */
    private static String written(ProtocolTraits traits) {
        return traits.states().stream()
                .filter(state -> state.is(Mark.TWIN))
                .findFirst()
                .orElseThrow()
                .name();
    }

    /** The state before is not looked at: the table names one in which a page is sealed. */
    private void onSealed(SimNode node, PageId page) {
        StateTable table = StateTables.of(overview.kind(page));
        hit(node, table, table.onlyState(SEALED), SEALED, page);
    }

    private void hitPage(SimNode node, PageId page, String event) {
        hit(
                node,
                StateTables.of(overview.kind(page)),
                overview.state(node.id().index(), page),
                event,
                page);
    }

    private void hitLock(SimNode node, LockId lock, String event) {
        hit(node, StateTables.LOCKS, node.view().lockState(lock), event, lock);
    }

    private void hitBarrier(SimNode node, BarrierId barrier, String event) {
        hit(node, StateTables.BARRIERS, node.view().barrierState(barrier), event, barrier);
    }

    private void hitObject(SimNode node, ObjectId object, String event) {
        hit(node, StateTables.OBJECTS, node.view().objectState(object), event, object);
    }

    /** What the node was to those that it receives from, before its step. */
    private void noteReceivers(SimNode node) {
        for (int i = 0; i < receivers.length; i++) {
            receivers[i] = node.view().letters().receivingState(NodeId.of(i));
        }
    }

    private void hitReceiver(SimNode node, NodeId from, String event) {
        hit(node, StateTables.LETTERS, receivers[from.index()], event, "letters of node " + from);
    }

    private void hitSender(SimNode node, NodeId to, String event) {
        if (!to.equals(node.id())) {
            String state = node.view().letters().sendingState(to);
            hit(node, StateTables.LETTERS, state, event, "letters to node " + to);
        }
    }

    private void hitWaiter(SimNode node, int thread, String event) {
        SimThread waiter = node.thread(thread);
        hit(
                node,
                StateTables.CONDITION_WAITS,
                node.view().conditionState(waiter.id()),
                event,
                waiter);
    }

    private void hitCondition(SimNode node, ConditionId condition, String event) {
        String state = node.view().conditionManager().stateOf(condition);
        hit(node, StateTables.CONDITIONS, state, event, condition);
    }

    private void hit(SimNode node, StateTable table, String state, String event, Object what) {
        int column = table.column(event);
        int cell = column < 0 ? column : table.cell(state, column);
        if (cell < 0 || !table.isPossible(cell)) {
            String where =
                    what instanceof PageId page
                            ? node.describe(page)
                            : "node " + node.id() + " " + what;
            throw violation(
                    where
                            + ": "
                            + event
                            + " in state "
                            + state
                            + ", of which the table of "
                            + table.name()
                            + " says '"
                            + (cell < 0 ? "" : table.says(cell))
                            + "'");
        }
        hits[Objects.requireNonNull(firsts.get(table)) + cell]++;
    }

    @Override
    public void onFailure(Simulation simulation) {
        coverage.add(hits);
    }

    @Override
    public void onEnd(Simulation simulation) {
        coverage.add(hits);
    }
}
