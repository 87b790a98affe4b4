package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.protocol.TimerId;
import io.muninn.protocol.WaiterId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.Violation;
import io.muninn.sync.SyncMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often each cell of each state × event table was met. A pair that is in no table, or is
 * impossible there, is a violation.
 *
 * <p><b>Threads.</b> Any number of runs at once add to one coverage.
 */
public final class Coverage {
    static final String NAME = "state × event table";

    private final Map<StateTable.Cell, AtomicLong> met = new ConcurrentSkipListMap<>();

    /** An observer for one run. */
    Observer observer() {
        return new Meeting();
    }

    /** How often a cell was met. */
    public long count(StateTable.Cell cell) {
        AtomicLong count = met.get(cell);
        return count == null ? 0 : count.get();
    }

    /** The handled cells that no run has met, in the order of the tables. */
    public List<StateTable.Cell> missing() {
        return StateTable.all().stream()
                .flatMap(table -> table.handled().stream())
                .filter(cell -> count(cell) == 0)
                .toList();
    }

    /** The handled cells there are. */
    public int handled() {
        return StateTable.all().stream().mapToInt(table -> table.handled().size()).sum();
    }

    private void meet(StateTable table, String state, String event, Object what) {
        if (!table.knows(event)) {
            return;
        }
        if (table.mark(state, event) == StateTable.Mark.IMPOSSIBLE) {
            throw new Violation(
                    NAME, table.name() + ": " + event + " in state " + state + ": " + what);
        }
        met.computeIfAbsent(new StateTable.Cell(table.name(), state, event), _ -> new AtomicLong())
                .incrementAndGet();
    }

    /** One run's. */
    private final class Meeting implements Observer {
        @Override
        public void beforeStep(SimNode node, Event event) {
            if (node.simulation().lost().isPresent()) {
                return; // what comes after a loss is in no table
            }
            switch (event) {
                case Event.FaultRaised(_, PageId page, FaultKind kind, _) ->
                        page(node, page, kind.isStore() ? "write fault" : "read fault", event);
                case Event.MessageArrived(var _, ProtocolMessage message, long _) -> {
                    for (PageId page : message.pages()) {
                        page(node, page, message.codec().type().getSimpleName(), event);
                    }
                }
                case Event.MessageArrived(var _, SyncMessage.LockRequest message, long _) ->
                        lock(node, message.lock(), "LockRequest", event);
                case Event.MessageArrived(var _, SyncMessage.LockGrant message, long _) ->
                        lock(node, message.lock(), "LockGrant", event);
                case Event.TimerFired(TimerId.HoldOver(PageId page), long _) ->
                        page(node, page, "HoldOver", event);
                case Event.TimerFired(TimerId.WaitOver(WaiterId waiter), _) ->
                        node.threads()
                                .get(waiter.thread())
                                .awaitedLock()
                                .ifPresent(
                                        lock -> lock(node, lock, "wait over or cancelled", event));
                case Event.AcquireCalled call -> lock(node, call.lock(), "AcquireCalled", event);
                case Event.ReleaseCalled call -> lock(node, call.lock(), "ReleaseCalled", event);
                case Event.LockReclaimed call -> lock(node, call.lock(), "LockReclaimed", event);
                case Event.AcquireCancelled call ->
                        lock(node, call.lock(), "wait over or cancelled", event);
                default -> {}
            }
        }

        @Override
        public void afterStep(SimNode node, Event event, List<Effect> effects) {
            for (int i = 0; i < effects.size(); i++) {
                afterEffect(node, event, effects.get(i));
            }
        }

        /** What a kernel does by itself shows in its effects. */
        private void afterEffect(SimNode node, Event event, Effect effect) {
            switch (effect) {
                case Effect.SaveDiff(PageId page, long _) ->
                        meet(StateTable.of(Protocol.WRITE_SHARED), "Dirty", "release", event);
                case Effect.SetAccess(PageId page, var _) when event instanceof Event.Sealed ->
                        sealed(node, page, event);
                case Effect.Withdraw(PageId first, int _) when event instanceof Event.Sealed ->
                        sealed(node, first, event);
                case Effect.Send(var _, SyncMessage.LockGrant grant) ->
                        meet(StateTable.locks(), "Passing", "release performed", grant);
                default -> {}
            }
        }

        private void sealed(SimNode node, PageId page, Event event) {
            Protocol protocol = node.pages().spec(page.region()).protocol();
            String before = protocol == Protocol.READ_ONLY ? "Writable" : "Exclusive";
            meet(StateTable.of(protocol), before, "Sealed", event);
        }

        private void page(SimNode node, PageId page, String event, Object what) {
            StateTable table = StateTable.of(node.pages().spec(page.region()).protocol());
            boolean anyFault = event.endsWith("fault") && !table.knows(event);
            meet(table, node.snapshot(page).state(), anyFault ? "fault" : event, what);
        }

        private void lock(SimNode node, LockId lock, String event, Object what) {
            meet(StateTable.locks(), node.lockState(lock), event, what);
        }
    }
}
