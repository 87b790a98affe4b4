package io.muninn.verify.check;

import io.muninn.api.reduction.Contribution;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A barrier breaks only for one of these reasons: the wait of a thread for which it has not fallen
 * has timed out; its parties disagree on their number or on a reduction; more threads arrive than
 * it has parties; or every thread of the cluster waits without a time limit at a barrier that has
 * not fallen. And a time-out is not lost: the manager is notified, or the thread's node is notified
 * that the barrier falls or breaks.
 *
 * <p>Barriers of allocations are not checked: they break when nodes allocate different variables.
 * Nothing is checked once a node is lost.
 */
final class BrokenBarriers implements Checker {
    static final String NAME = "broken barriers";

    /** A thread that waits. */
    private record Waiting(
            WaiterId waiter, long timeoutNanos, int parties, Optional<Contribution> contribution) {
        /** Whether both waits may belong to one round. */
        boolean fits(Waiting other) {
            boolean areSame =
                    contribution.isPresent()
                            && other.contribution.isPresent()
                            && contribution.get().fits(other.contribution.get());
            boolean areNone = contribution.isEmpty() && other.contribution.isEmpty();
            return parties == other.parties && (areSame || areNone);
        }
    }

    /** The actual state of a barrier, independent of the knowledge of nodes. */
    private static final class Barrier {
        final List<List<Waiting>> waiting = new ArrayList<>(); // by node, in order
        final List<List<WaiterId>> late = new ArrayList<>(); // by node: waiters that have timed out
        final BitSet lateNodes = new BitSet(); // that have had such waiters
        final int[] departing; // by node: waiters that must still be notified
        final int[] timeouts; // by node: in transit to the manager
        boolean isBroken;

        Barrier(int nodes) {
            departing = new int[nodes];
            timeouts = new int[nodes];
            for (int i = 0; i < nodes; i++) {
                waiting.add(new ArrayList<>());
                late.add(new ArrayList<>());
            }
        }
    }

    private final Map<BarrierId, Barrier> barriers = new TreeMap<>();
    private int nodes;
    private int threads; // of the cluster
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        nodes = simulation.cluster().nodes();
        threads = simulation.allThreads();
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        switch (event) {
            case Event.BarrierReached(var waiter, var id, int parties, long nanos, var given) -> {
                int count = parties == Event.ALL_PARTIES ? threads : parties;
                Optional<Contribution> contribution =
                        given.length() == 0
                                ? Optional.empty()
                                : Optional.of(Contribution.decode(given.array()));
                of(id).waiting.get(at).add(new Waiting(waiter, nanos, count, contribution));
            }
            case Event.TimerFired(TimerId.WaitOver(WaiterId waiter), long _) -> {
                for (Barrier barrier : barriers.values()) {
                    if (waits(barrier, at, waiter)) {
                        barrier.late.get(at).add(waiter);
                        barrier.lateNodes.set(at);
                    }
                }
            }
            case Event.MessageArrived(_, BarrierDepart depart, long _) -> {
                Barrier barrier = of(depart.barrier());
                barrier.departing[at] -= depart.count();
                depart(barrier, at, depart.count());
            }
            case Event.MessageArrived(NodeId from, BarrierTimeout timeout, long _) ->
                    of(timeout.barrier()).timeouts[from.index()]--;
            case Event.PeerLost _ -> isOver = true;
            default -> {} // about no barrier
        }
    }

    @Override
    public void onOwnMessage(SimNode node, WireMessage message) {
        if (message instanceof BarrierDepart depart) {
            depart(of(depart.barrier()), node.id().index(), depart.count());
        }
    }

    /** The oldest waiters depart; they resume when their acquire is performed. */
    private static void depart(Barrier barrier, int node, int count) {
        List<Waiting> waiting = barrier.waiting.get(node);
        List<Waiting> oldest = waiting.subList(0, Math.min(count, waiting.size()));
        oldest.forEach(each -> barrier.late.get(node).remove(each.waiter()));
        oldest.clear();
    }

    private static boolean waits(Barrier barrier, int node, WaiterId waiter) {
        return barrier.waiting.get(node).stream().anyMatch(each -> each.waiter().equals(waiter));
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (isOver) {
            return;
        }
        int at = node.id().index();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(NodeId to, BarrierDepart depart)) {
                of(depart.barrier()).departing[to.index()] += depart.count();
            } else if (effect instanceof Effect.Send(NodeId _, BarrierBroken broken)) {
                breakUp(node, of(broken.barrier()), broken);
            } else if (effect instanceof Effect.Send(NodeId _, BarrierTimeout timeout)) {
                of(timeout.barrier()).timeouts[at]++;
            }
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, var _)) {
                for (Barrier barrier : barriers.values()) {
                    barrier.waiting.get(at).removeIf(each -> each.waiter().equals(waiter));
                    barrier.late.get(at).remove(waiter);
                }
            }
        }
        for (Map.Entry<BarrierId, Barrier> each : barriers.entrySet()) {
            if (!each.getValue().isBroken) {
                checkLate(node, each.getKey(), each.getValue());
            }
        }
    }

    private void breakUp(SimNode root, Barrier barrier, BarrierBroken broken) {
        if (barrier.isBroken) {
            return;
        }
        barrier.isBroken = true;
        boolean isAllocation =
                ReservedBarriers.isAllocation(broken.barrier()); // nodes may not agree on it
        if (!isAllocation && !hasLate(barrier) && !isExceeded(barrier) && !isStuck()) {
            throw violation(
                    "node "
                            + root.id()
                            + " breaks barrier '"
                            + broken.barrier()
                            + "' without a reason, and says: "
                            + broken.reason());
        }
    }

    private boolean hasLate(Barrier barrier) {
        for (int i = 0; i < nodes; i++) {
            if (hasLate(barrier, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasLate(Barrier barrier, int node) {
        List<WaiterId> late = barrier.late.get(node);
        return !late.isEmpty()
                && present(barrier, node).stream().anyMatch(each -> late.contains(each.waiter()));
    }

    /** Threads of a node for which the barrier has not fallen. */
    private static List<Waiting> present(Barrier barrier, int node) {
        List<Waiting> waiting = barrier.waiting.get(node);
        return waiting.subList(Math.min(barrier.departing[node], waiting.size()), waiting.size());
    }

    private boolean isExceeded(Barrier barrier) {
        List<Waiting> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.addAll(present(barrier, i));
        }
        return !all.isEmpty()
                && (!all.stream().allMatch(all.getFirst()::fits)
                        || all.size() > all.getFirst().parties());
    }

    private boolean isStuck() {
        int count = 0;
        for (Barrier barrier : barriers.values()) {
            for (int i = 0; i < nodes; i++) {
                for (Waiting each : present(barrier, i)) {
                    if (each.timeoutNanos() >= 0) {
                        return false;
                    }
                    count++;
                }
            }
        }
        return count == threads;
    }

    private void checkLate(SimNode node, BarrierId id, Barrier barrier) {
        int at = node.id().index();
        int last = node.id().isRoot() ? nodes - 1 : at; // the root acts for all
        BitSet late = barrier.lateNodes;
        for (int i = late.nextSetBit(at); i >= 0 && i <= last; i = late.nextSetBit(i + 1)) {
            if (!barrier.late.get(i).isEmpty()
                    && barrier.timeouts[i] == 0
                    && barrier.departing[i] == 0
                    && hasLate(barrier, i)) {
                throw violation(
                        "node "
                                + i
                                + " has threads that have waited too long at barrier '"
                                + id
                                + "', and the manager does not know: "
                                + barrier.late.get(i));
            }
        }
    }

    private Barrier of(BarrierId id) {
        return barriers.computeIfAbsent(id, _ -> new Barrier(nodes));
    }
}
