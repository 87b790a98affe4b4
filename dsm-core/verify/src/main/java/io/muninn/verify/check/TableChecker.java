package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.TimerId;
import io.muninn.sync.ReadWriteMessage;
import io.muninn.sync.RemoteMessage;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Every event of a page, lock, barrier, condition, shipped object or letter has a cell in its state
 * × event table, and the cell is not marked as impossible. The kernel reports the events that it
 * finds within a step; the state is the one in which it reports them. Hits of cells are counted.
 *
 * <p>Not checked: a deferred message when it is answered, and a node after it was notified of a
 * loss.
 */
final class TableChecker implements Checker {
    static final String NAME = "state × event table";

    private static final String RELEASE_PERFORMED = "release performed";
    private static final String ACQUIRE_PERFORMED = "acquire performed";

    private static final String WAIT_OVER = "wait over or cancelled";

    private static final String ANY_FAULT = "fault";

    private static final String HOLD_OVER = "HoldOver";

    private final ClusterView overview;
    private final Coverage coverage;
    private final long[] hits = new long[Coverage.cells()];
    private final Map<StateTable, Integer> firsts = StateTables.FIRSTS;
    private WaitingCalls[] waits = {}; // by node
    private boolean[] isRunOver = {}; // by node

    /**
     * @param coverage takes the hits of the run when it ends
     */
    TableChecker(ClusterView overview, Coverage coverage) {
        this.overview = overview;
        this.coverage = coverage;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        isRunOver = new boolean[simulation.cluster().nodes()];
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
        switch (event) {
            case Event.FaultRaised(_, PageId page, var kind, _, long _) ->
                    onFault(node, page, kind.isStore());
            case Event.TwinMade(_, PageId page, long _) -> hitPage(node, page, "TwinMade");
            case Event.PageEntered(_, PageId page, boolean _, long _) ->
                    hitPage(node, page, "PageEntered");
            case Event.PoolDone(_, PoolResult.Entered(PageId page, var entry), _)
                    when entry != PoolResult.Entry.BY_TRAP ->
                    hitPage(node, page, "entered");
            case Event.AccessWithdrawn withdrawn -> onAccessWithdrawn(node, withdrawn);
            case Event.MessageArrived(NodeId from, WireMessage message, long _) ->
                    onMessage(node, from, message);
            case Event.TimerFired(TimerId.HoldOver(PageId page), long _) -> onHoldOver(node, page);
            case Event.TimerFired(TimerId.WaitOver(var waiter), long _) ->
                    onWaitOver(node, waiter.thread());
            case Event.AcquireCalled call -> hitLock(node, call.lock(), "AcquireCalled");
            case Event.ReleaseCalled(_, LockId lock) -> hitLock(node, lock, "ReleaseCalled");
            case Event.AcquireCancelled(_, LockId lock) -> hitLock(node, lock, WAIT_OVER);
            case Event.LockReclaimed(LockId lock, boolean _, _) ->
                    hitLock(node, lock, "LockReclaimed");
            case Event.BarrierReached call -> hitBarrier(node, call.barrier(), "BarrierReached");
            case Event.GatherCalled call -> hitBarrier(node, call.barrier(), "GatherCalled");
            case Event.Shipping about -> onShipping(node, about);
            case Event.Permitting about -> onPermitting(node, about);
            case Event.RemotePerformed _ -> hitHeld(node);
            case Event.TimerFired(TimerId.RemoteCheck _, long _) -> hitHeld(node);
            case Event.ConditionTested(NodeId from, long number, boolean _) ->
                    hitHome(node, from, number, "ConditionTested");
            case Event.WaitCalled call -> hitWaiter(node, call.waiter().thread(), "WaitCalled");
            case Event.SignalAwaited call ->
                    hitWaiter(node, call.waiter().thread(), "SignalAwaited");
            case Event.SignalAwaitCancelled(var waiter) ->
                    hitWaiter(node, waiter.thread(), WAIT_OVER);
            case Event.SignalCalled call -> hitWaiter(node, call.waiter().thread(), "SignalCalled");
            case Event.SendCalled call -> hitSender(node, call.to(), "SendCalled");
            default -> {} // has no column
        }
    }

    @Override
    public void onOwnMessage(SimNode node, WireMessage message) {
        if (isRunOver[node.id().index()]) {
            return;
        }
        waits[node.id().index()].onOwnMessage(message);
        onMessage(node, node.id(), message);
    }

    @Override
    public void onPageEvent(SimNode node, PageId page, String event) {
        if (!isRunOver[node.id().index()]) {
            hitPage(node, page, event);
        }
    }

    @Override
    public void onAcquirePerformed(SimNode node, GatedAcquire acquire) {
        if (isRunOver[node.id().index()]) {
            return;
        }
        switch (acquire) {
            case GatedAcquire.Token(LockId lock) -> hitLock(node, lock, ACQUIRE_PERFORMED);
            case GatedAcquire.Handover(LockId lock, _) -> hitLock(node, lock, ACQUIRE_PERFORMED);
            case GatedAcquire.Permission(var lock) -> hit(node, lock, ACQUIRE_PERFORMED);
            case GatedAcquire.Departure departure ->
                    hitBarrier(node, departure.barrier(), ACQUIRE_PERFORMED);
            case GatedAcquire.Call call -> hitObject(node, call.object(), ACQUIRE_PERFORMED);
            case GatedAcquire.Letter letter -> hitReceiver(node, letter.from(), "letter received");
            case GatedAcquire.Reply _, GatedAcquire.Refresh _ -> {}
            case GatedAcquire.Local _, GatedAcquire.Entry _ -> {}
        }
    }

    @Override
    public void onReleasePerformed(SimNode node, GatedRelease release) {
        if (isRunOver[node.id().index()]) {
            return;
        }
        switch (release) {
            case GatedRelease.Token token -> hitLock(node, token.lock(), RELEASE_PERFORMED);
            case GatedRelease.Permission(var lock) -> hit(node, lock, RELEASE_PERFORMED);
            case GatedRelease.Arrival arrival ->
                    hitBarrier(node, arrival.barrier(), RELEASE_PERFORMED);
            case GatedRelease.Signal signal ->
                    hitWaiter(node, signal.waiter().thread(), RELEASE_PERFORMED);
            default -> {} // has no column in a table that is executed
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

    private void onShipping(SimNode node, Event.Shipping event) {
        switch (event) {
            case Event.ObjectDeclared call -> hitObject(node, call.object(), "ObjectDeclared");
            case Event.ServeCalled call -> hitObject(node, call.object(), "ServeCalled");
            case Event.CallServed call -> hitObject(node, call.object(), "CallServed");
            case Event.ShipCalled _, Event.PostCalled _, Event.ReplyAwaited _ -> {} // of the caller
        }
    }

    private void onPermitting(SimNode node, Event.Permitting event) {
        switch (event) {
            case Event.PermissionCalled call -> hit(node, call.lock(), "PermissionCalled");
            case Event.PermissionCancelled call -> hit(node, call.lock(), WAIT_OVER);
            case Event.WriteReleased call -> hit(node, call.lock(), "WriteReleased");
            case Event.ReadersLeft left -> hit(node, left.lock(), "ReadersLeft");
            case Event.ReadersClosed closed -> hit(node, closed.lock(), "ReadersClosed");
            case Event.LocalReadCalled _ -> {} // has no column
        }
    }

    private void onMessage(SimNode node, ReadWriteMessage message) {
        switch (message) {
            case ReadWriteMessage.ReadWriteGrant _ -> hit(node, message.lock(), "ReadWriteGrant");
            case ReadWriteMessage.ReadWriteRecall _ -> hit(node, message.lock(), "ReadWriteRecall");
            case ReadWriteMessage.ReadWriteRequest _ -> hitManager(node, message);
            case ReadWriteMessage.ReadWriteReturn _ -> hitManager(node, message);
            case ReadWriteMessage.ReadWriteCancel _ -> hitManager(node, message);
        }
    }

    private void onMessage(SimNode node, NodeId from, RemoteMessage message) {
        String event = message.getClass().getSimpleName();
        switch (message) {
            case RemoteMessage.RemoteReply _, RemoteMessage.RemoteWaitOver _ ->
                    hitRemote(node, node.view().remoteCalls().stateOf(message.number()), event);
            case RemoteMessage.RemoteWait _, RemoteMessage.RemoteWaitCancel _ ->
                    hitHome(node, from, message.number(), event);
            case RemoteMessage.RemoteRequest _ -> {} // has no column
        }
    }

    private void hitRemote(SimNode node, String state, String event) {
        hit(node, StateTables.REMOTE_CALLS, state, event, "a remote request");
    }

    private void hitHome(SimNode node, NodeId from, long number, String event) {
        String state = node.view().remoteHome().stateOf(from, number);
        hit(node, StateTables.REMOTE_HOME, state, event, "a wait of node " + from);
    }

    private void hitHeld(SimNode node) {
        if (node.view().remoteHome().held() > 0) {
            hit(node, StateTables.REMOTE_HOME, "Held", "performed, check due", "a wait");
        }
    }

    private void hitManager(SimNode node, ReadWriteMessage message) {
        String state = node.view().readWriteManager().stateOf(message.lock());
        String event = message.getClass().getSimpleName();
        hit(node, StateTables.READ_WRITE_MANAGER, state, event, message.lock());
    }

    private void hit(SimNode node, ReadWriteLockId lock, String event) {
        String state = node.view().readWriteLocks().stateOf(lock);
        hit(node, StateTables.READ_WRITE_LOCKS, state, event, lock);
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
            case ReadWriteMessage about -> onMessage(node, about);
            case RemoteMessage about -> onMessage(node, from, about);
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
            hitPage(node, page, HOLD_OVER); // else a footnote specifies the action
        }
    }

    private void onWaitOver(SimNode node, int thread) {
        LockId lock = waits[node.id().index()].lock(thread);
        BarrierId barrier = waits[node.id().index()].barrier(thread);
        ReadWriteLockId permission = waits[node.id().index()].permission(thread);
        if (lock != null) {
            hitLock(node, lock, WAIT_OVER);
        } else if (permission != null) {
            hit(node, permission, WAIT_OVER);
        } else if (barrier != null) {
            hitBarrier(node, barrier, "wait over");
        } else if (waits[node.id().index()].condition(thread) != null) {
            hitWaiter(node, thread, WAIT_OVER);
        } else {
            String state = node.view().remoteCalls().stateOf(node.thread(thread).id());
            hitRemote(node, state, "WaitOver");
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (!isRunOver[node.id().index()]) {
            waits[node.id().index()].afterStep(effects);
        }
    }

    private void hitPage(SimNode node, PageId page, String event) {
        hit(node, StateTables.of(overview.kind(page)), node.snapshot(page).state(), event, page);
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

    private void hitReceiver(SimNode node, NodeId from, String event) {
        String state = node.view().letters().receivingState(from);
        hit(node, StateTables.LETTERS, state, event, "letters of node " + from);
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
        if (cell >= 0 && table.isUnconcerned(cell)) {
            return;
        }
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
