package io.muninn.verify.check;

import io.muninn.model.ConditionId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Signals of conditions:
 *
 * <ul>
 *   <li>a thread may release the lock only when it is in the queue
 *   <li>a signal leaves its node only after every page that was dirty when it was given is compared
 *       with its twin
 *   <li>a signal for all threads empties the queue, a signal for one thread removes the oldest
 *   <li>a wait ends as signalled if, and only if, a signal has chosen it
 * </ul>
 *
 * Messages of the root's kernel to itself are not observed: the last two are checked for other
 * messages.
 */
final class Signals implements Checker {
    static final String NAME = "signals";

    /** The state of a thread's stay at a condition. */
    private static final class Stay {
        @Nullable Event call; // null unless its agent has received a call and not answered it
        final TreeSet<PageId> unflushed = new TreeSet<>(); // since its signal was given
        boolean isChosen;
    }

    private final List<List<Stay>> stays = new ArrayList<>(); // by node and thread
    private final List<TreeSet<PageId>> dirty = new ArrayList<>(); // by node
    private final Map<ConditionId, List<Queued>> queues = new TreeMap<>(); // in order
    private boolean isOver; // once a node is lost

    /** A thread in the queue of a condition. */
    private record Queued(NodeId node, int thread) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        for (int i = 0; i < simulation.cluster().nodes(); i++) {
            stays.add(new ArrayList<>());
            dirty.add(new TreeSet<>());
        }
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.WaitCalled call -> of(node, call.waiter()).call = call;
            case Event.SignalAwaited call -> of(node, call.waiter()).call = call;
            case Event.SignalCalled call -> {
                Stay stay = of(node, call.waiter());
                stay.call = call;
                stay.unflushed.clear();
                stay.unflushed.addAll(dirty.get(node.id().index()));
            }
            case Event.PeerLost _ -> isOver = true;
            default -> {} // about no condition
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (int i = 0; i < effects.size() && !isOver; i++) {
            switch (effects.get(i)) {
                case Effect.MakeTwin(PageId page)
                        when !node.traits(page).has(Trait.ACQUIRES_INVALIDATE) ->
                        dirty.get(node.id().index()).add(page);
                case Effect.SaveDiff(PageId page, long _, boolean _) -> flushed(node, page);
                case Effect.Send(NodeId _, SyncMessage.ConditionSignal signal) ->
                        checkFlushed(node, signal.thread());
                case Effect.Send(NodeId to, SyncMessage.ConditionWake wake) ->
                        of(to, wake.thread()).isChosen = true;
                case Effect.ResumeWaiter(WaiterId waiter, Outcome outcome) ->
                        checkAnswer(node, waiter, outcome);
                default -> {} // about no condition
            }
        }
        if (event instanceof Event.MessageArrived(_, SyncMessage.ConditionSignal signal, long _)
                && signal.all()
                && !isOver) {
            checkEmpty(node, signal.condition());
        }
        if (node.id().isRoot() && !isOver) {
            checkOldest(node, event);
        }
    }

    /**
     * Follows the queues of the root: only the oldest entry leaves a queue, or the entry of a
     * cancelled wait.
     */
    private void checkOldest(SimNode root, Event event) {
        switch (event) {
            case Event.MessageArrived(NodeId from, SyncMessage.ConditionWait wait, long _) ->
                    queue(wait.condition()).add(new Queued(from, wait.thread()));
            case Event.WaitCalled(WaiterId waiter, ConditionId condition) ->
                    queue(condition).add(new Queued(root.id(), waiter.thread()));
            case Event.MessageArrived(NodeId from, SyncMessage.ConditionCancel cancel, long _) ->
                    queue(cancel.condition()).remove(new Queued(from, cancel.thread()));
            case Event.TimerFired(TimerId.WaitOver(WaiterId waiter), long _) ->
                    forget(root, waiter);
            case Event.SignalAwaitCancelled(WaiterId waiter) -> forget(root, waiter);
            default -> {} // may be a signal
        }
        for (Map.Entry<ConditionId, List<Queued>> of : queues.entrySet()) {
            if (!of.getValue().isEmpty()) {
                checkOldest(root, of.getKey(), of.getValue());
            }
        }
    }

    private void checkOldest(SimNode root, ConditionId condition, List<Queued> queue) {
        boolean isOlderLeft = false;
        for (Queued each : List.copyOf(queue)) {
            boolean isLeft =
                    root.view().conditionManager().isQueued(condition, each.node(), each.thread());
            if (!isLeft && isOlderLeft) {
                throw violation(
                        "thread "
                                + each.thread()
                                + " of node "
                                + each.node()
                                + " is taken out of the queue of condition '"
                                + condition
                                + "' before one that has waited longer");
            }
            isOlderLeft |= isLeft;
            if (!isLeft) {
                queue.remove(each);
            }
        }
    }

    private void forget(SimNode root, WaiterId waiter) {
        queues.values().forEach(queue -> queue.remove(new Queued(root.id(), waiter.thread())));
    }

    private List<Queued> queue(ConditionId condition) {
        return queues.computeIfAbsent(condition, _ -> new ArrayList<>());
    }

    private void flushed(SimNode node, PageId page) {
        dirty.get(node.id().index()).remove(page);
        for (Stay stay : stays.get(node.id().index())) {
            stay.unflushed.remove(page);
        }
    }

    private void checkFlushed(SimNode node, int thread) {
        TreeSet<PageId> unflushed = of(node.id(), thread).unflushed;
        if (!unflushed.isEmpty()) {
            throw violation(
                    node.thread(thread)
                            + " signals before a flush of "
                            + node.describe(unflushed.first()));
        }
    }

    private void checkAnswer(SimNode node, WaiterId waiter, Outcome outcome) {
        Stay stay = of(node, waiter);
        Event call = stay.call;
        stay.call = null;
        switch (call) {
            case Event.WaitCalled(_, ConditionId condition) -> checkQueued(node, waiter, condition);
            case Event.SignalCalled _ -> checkFlushed(node, waiter.thread());
            case Event.SignalAwaited _ -> {
                boolean isChosen = stay.isChosen;
                stay.isChosen = false;
                if (isChosen != outcome instanceof Outcome.Done && !node.id().isRoot()) {
                    throw violation(
                            node.thread(waiter.thread())
                                    + (isChosen
                                            ? " was chosen by a signal and is told "
                                            : " was chosen by no signal and is told ")
                                    + outcome);
                }
            }
            case null, default -> {} // another wait
        }
    }

    private void checkQueued(SimNode node, WaiterId waiter, ConditionId condition) {
        SimNode root = node.simulation().nodes().getFirst();
        if (!root.isDead()
                && !root.view()
                        .conditionManager()
                        .isQueued(condition, node.id(), waiter.thread())) {
            throw violation(
                    node.thread(waiter.thread())
                            + " may give up the lock of condition '"
                            + condition
                            + "' and is not in its queue");
        }
    }

    private void checkEmpty(SimNode root, ConditionId condition) {
        if (!root.view().conditionManager().stateOf(condition).equals("Empty")) {
            throw violation("a signal for all leaves somebody at condition '" + condition + "'");
        }
    }

    private Stay of(SimNode node, WaiterId waiter) {
        return of(node.id(), waiter.thread());
    }

    private Stay of(NodeId node, int thread) {
        List<Stay> ofNode = stays.get(node.index());
        while (ofNode.size() <= thread) {
            ofNode.add(new Stay());
        }
        return ofNode.get(thread);
    }
}
