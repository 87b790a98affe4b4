package io.muninn.sync;

import io.muninn.api.reduction.Round;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.ReservedBarriers;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierGather;
import io.muninn.sync.SyncMessage.BarrierGathered;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * All barriers of the cluster, on the root: counts arrivals, and replies to every node after the
 * last one.
 *
 * <p>Contributions to a reduction are received with the arrivals. After the last arrival they are
 * combined in order of node and thread, and the result is sent with the departures. Contributions
 * of a round that breaks are discarded.
 *
 * <p>Source: Munin §3.5.2; reductions: CVM §3.1.2.
 *
 * <pre>
 *          BarrierArrive                              BarrierTimeout
 * Open     count, keep contributions (3); the last    report the missing to all nodes, →Broken (1)
 *          one: combine them, answer all nodes; the
 *          last but a gatherer: answer it (4)
 * Broken   ignore (2)                                 ignore (2)
 *
 *          BarrierGather
 * Open     note; all others are here: answer (4)
 * Broken   ignore (2)
 *
 * (1) ignored if a departure to that node is in transit. If it does not end the wait, the node
 *     reports the timeout again
 * (2) every node has the reason
 * (3) if they are for different reductions, of different lengths, or from some parties only: report
 *     two that differ to all nodes, →Broken
 * (4) with the contributions so far, which are then discarded: the contributions of the gatherer's
 *     arrival are for the others. A second gatherer breaks the barrier
 * </pre>
 *
 * The cargo of each arrival contributes to the departures, also if it is the second arrival of its
 * node. An arrival at a broken barrier has no effect; its cargo is still deposited.
 *
 * <p>A barrier of an allocation ({@link ReservedBarriers#allocation}) completes once and is
 * removed. If threads wait at two of them, nodes disagree on one allocation: both break.
 *
 * <p>Arrivals that declare another number of parties break the barrier, and so do contributions for
 * different reductions, of different lengths, or from some parties only; so does a cluster in which
 * every thread waits, without a time limit, at barriers of which none can complete.
 */
public final class BarrierManager {
    /** Largest number of barriers named in the message that none can complete. */
    private static final int NAMED_MAX = 8;

    private static final class Barrier {
        final BarrierId id;
        final int parties;
        final TreeMap<NodeId, Integer> arrived = new TreeMap<>();
        final TreeMap<NodeId, Integer> departed = new TreeMap<>(); // since the start
        Round round = new Round(); // contributions of those that have arrived
        int timed; // arrived threads with a time limit
        Optional<NodeId> gatherer = Optional.empty(); // of the thread that waits for all others
        Optional<String> broken = Optional.empty();

        Barrier(BarrierId id, int parties) {
            this.id = id;
            this.parties = parties;
        }

        int count() {
            int sum = 0;
            for (int each : arrived.values()) {
                sum += each;
            }
            return sum;
        }
    }

    private final int nodes;
    private final int threads;
    private final CargoHold cargo;
    private final Map<BarrierId, Barrier> barriers = new LinkedHashMap<>();

    /**
     * @param threads application threads per node
     */
    public BarrierManager(int nodes, int threads, CargoHold cargo) {
        this.nodes = nodes;
        this.threads = threads;
        this.cargo = cargo;
    }

    static String differingParties(BarrierId id, int before, NodeId node, int now) {
        return "barrier '"
                + id
                + "' is for "
                + before
                + " parties, but node "
                + node
                + " came with "
                + now;
    }

    public void onBarrierArrive(NodeId from, BarrierArrive arrive, Effects out) {
        Barrier barrier =
                barriers.computeIfAbsent(arrive.barrier(), id -> new Barrier(id, arrive.parties()));
        cargo.onArrival(barrier.id, arrive.cargo());
        if (barrier.broken.isPresent()) {
            return;
        }
        barrier.arrived.merge(from, arrive.count(), Integer::sum);
        barrier.timed += arrive.timed();
        Optional<String> differs =
                Contributions.add(barrier.round, from, arrive.count(), arrive.cargo());
        Optional<Barrier> other = otherAllocation(barrier);
        if (other.isPresent()) {
            String reason = differingAllocations(other.get(), barrier);
            breakUp(other.get(), reason, out);
            breakUp(barrier, reason, out);
        } else if (arrive.parties() != barrier.parties) {
            breakUp(
                    barrier,
                    differingParties(barrier.id, barrier.parties, from, arrive.parties()),
                    out);
        } else if (differs.isPresent()) {
            breakUp(barrier, "barrier '" + barrier.id + "': " + differs.get(), out);
        } else if (barrier.gatherer.isPresent() && barrier.count() == barrier.parties - 1) {
            gathered(barrier, barrier.gatherer.get(), out);
        } else if (barrier.count() == barrier.parties) {
            fall(barrier, out);
        } else if (barrier.count() > barrier.parties) {
            breakUp(
                    barrier,
                    "barrier '"
                            + barrier.id
                            + "': "
                            + barrier.count()
                            + " threads came for "
                            + barrier.parties
                            + " parties",
                    out);
        } else {
            breakAllIfNobodyRuns(out);
        }
    }

    /** Records a thread that waits for all others, and arrives after them. */
    public void onBarrierGather(NodeId from, BarrierGather gather, Effects out) {
        Barrier barrier =
                barriers.computeIfAbsent(gather.barrier(), id -> new Barrier(id, gather.parties()));
        if (barrier.broken.isPresent()) {
            return;
        }
        boolean isFirst = barrier.gatherer.isEmpty();
        barrier.gatherer = Optional.of(from);
        if (gather.parties() != barrier.parties) {
            breakUp(
                    barrier,
                    differingParties(barrier.id, barrier.parties, from, gather.parties()),
                    out);
        } else if (!isFirst) {
            breakUp(barrier, twoGatherers(barrier.id), out);
        } else if (barrier.count() == barrier.parties - 1) {
            gathered(barrier, from, out);
        }
        breakAllIfNobodyRuns(out);
    }

    static String twoGatherers(BarrierId id) {
        return "barrier '" + id + "': two threads wait for all others";
    }

    private void gathered(Barrier barrier, NodeId gatherer, Effects out) {
        Cargo departure =
                cargo.onBarrierComplete(barrier.id, Collections.singleton(gatherer), out)
                        .getOrDefault(gatherer, Cargo.NONE);
        Bytes result = result(barrier);
        barrier.gatherer = Optional.empty();
        barrier.round = new Round(); // what comes now is for those who wait
        out.send(
                gatherer,
                new BarrierGathered(barrier.id, departure.with(Cargo.REDUCTION_CODE, result)));
    }

    private static Bytes result(Barrier barrier) {
        return barrier.round.isEmpty() ? Bytes.EMPTY : new Bytes(barrier.round.result());
    }

    public void onBarrierTimeout(NodeId from, BarrierTimeout timeout, Effects out) {
        Barrier barrier =
                barriers.computeIfAbsent(
                        timeout.barrier(), id -> new Barrier(id, timeout.parties()));
        boolean crossed = barrier.departed.getOrDefault(from, 0) != timeout.departed();
        if (barrier.broken.isEmpty() && !crossed) {
            barrier.arrived.merge(from, timeout.local(), Integer::sum);
            breakUp(barrier, missing(barrier), out);
        }
    }

    /**
     * Another allocation at which threads wait. Threads allocate in the same order, so there must
     * be none.
     */
    private Optional<Barrier> otherAllocation(Barrier barrier) {
        if (!ReservedBarriers.isAllocation(barrier.id)) {
            return Optional.empty();
        }
        return barriers.values().stream()
                .filter(each -> each != barrier && ReservedBarriers.isAllocation(each.id))
                .filter(each -> each.count() > 0)
                .findFirst();
    }

    private static String differingAllocations(Barrier first, Barrier second) {
        return "nodes allocate differently: node "
                + first.arrived.firstKey()
                + " variable "
                + ReservedBarriers.allocated(first.id)
                + ", and node "
                + second.arrived.firstKey()
                + " variable "
                + ReservedBarriers.allocated(second.id)
                + "; all threads allocate the same variables in the same order";
    }

    private void fall(Barrier barrier, Effects out) {
        if (ReservedBarriers.isAllocation(barrier.id)) {
            barriers.remove(barrier.id); // no thread arrives again
        }
        TreeMap<NodeId, Integer> arrived = new TreeMap<>(barrier.arrived);
        SortedMap<NodeId, Cargo> departures =
                cargo.onBarrierComplete(barrier.id, arrived.keySet(), out);
        Bytes result = result(barrier);
        clear(barrier);
        arrived.forEach((node, count) -> {
            barrier.departed.merge(node, count, Integer::sum);
            Cargo departure =
                    departures.getOrDefault(node, Cargo.NONE).with(Cargo.REDUCTION_CODE, result);
            out.send(node, new BarrierDepart(barrier.id, count, departure));
        });
    }

    private static void clear(Barrier barrier) {
        barrier.arrived.clear();
        barrier.round = new Round();
        barrier.gatherer = Optional.empty();
        barrier.timed = 0;
    }

    private void breakAllIfNobodyRuns(Effects out) {
        int waiting = 0;
        for (Barrier barrier : barriers.values()) {
            if (barrier.timed > 0) {
                return; // a thread will continue
            }
            waiting += barrier.count() + (barrier.gatherer.isPresent() ? 1 : 0);
        }
        if (waiting < nodes * threads) {
            return;
        }
        List<Barrier> stuck =
                barriers.values().stream()
                        .filter(b -> b.count() > 0 || b.gatherer.isPresent())
                        .toList();
        StringJoiner where = new StringJoiner("; ", "every thread waits, none can go on: ", "");
        stuck.stream().limit(NAMED_MAX).forEach(barrier -> where.add(missing(barrier)));
        if (stuck.size() > NAMED_MAX) {
            where.add("and " + (stuck.size() - NAMED_MAX) + " more");
        }
        stuck.forEach(barrier -> breakUp(barrier, where.toString(), out));
    }

    private void breakUp(Barrier barrier, String reason, Effects out) {
        barrier.broken = Optional.of(reason);
        clear(barrier);
        for (int i = 0; i < nodes; i++) {
            out.send(NodeId.of(i), new BarrierBroken(barrier.id, reason));
        }
    }

    /** The nodes whose threads have ended, as in "node 1 has ended; node 2 has ended (1 of 2)". */
    private String ended(Barrier end) {
        StringJoiner text = new StringJoiner("; ");
        end.arrived.forEach((node, count) ->
                text.add(
                        "node "
                                + node
                                + " has ended"
                                + (count < threads ? " (" + count + " of " + threads + ")" : "")));
        return text.toString();
    }

    /**
     * The missing parties as text: by node if all threads are expected, otherwise those that have
     * arrived.
     */
    private String missing(Barrier barrier) {
        if (barrier.id.equals(ReservedBarriers.END)) {
            return ended(barrier);
        }
        String counts =
                ReservedBarriers.describe(barrier.id)
                        + " has "
                        + barrier.count()
                        + " of "
                        + barrier.parties
                        + " parties";
        StringJoiner absent = new StringJoiner(", ", ", missing: ", "");
        StringJoiner present = new StringJoiner(", ", ", arrived: ", "");
        for (int i = 0; i < nodes; i++) {
            int count = barrier.arrived.getOrDefault(NodeId.of(i), 0);
            if (count < threads) {
                absent.add("node " + i + " (" + (threads - count) + " of " + threads + ")");
            }
            if (count > 0) {
                present.add("node " + i + " (" + count + ")");
            }
        }
        return counts + (barrier.parties == nodes * threads ? absent : present);
    }
}
