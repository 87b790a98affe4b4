package io.muninn.sync;

import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.ReservedBarriers;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierGather;
import io.muninn.sync.SyncMessage.BarrierGathered;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The threads of one node at barriers. Arrivals combine: when all threads of the node have arrived
 * at a barrier for all threads, one message is sent to the manager on the root, and one is
 * returned.
 *
 * <p>When every thread of the node waits at some barrier, arrivals that have not combined are also
 * sent, so that the manager can detect a run in which no barrier will ever complete.
 *
 * <p>Contributions to a reduction are sent with the arrivals of their threads: combined if they are
 * from all threads of the node, otherwise one by one. Arrivals are sent in the order in which
 * threads arrived, so the result that is received with a departure is that of the oldest.
 *
 * <p>Source: Munin §3.5.2; reductions: CVM §3.1.2.
 *
 * <pre>
 *          BarrierReached   release performed  BarrierDepart        BarrierBroken     wait over
 * Unknown  as Whole         impossible         impossible           →Broken           ignore
 * Whole    wait; combined:  send arrival with  acquire for the      answer all        send timeout
 *          flush            contributions      oldest, as many as   waiters, →Broken
 *                                              came (1)
 * Broken   answer at once   send arrival (2)   ignore (2)           ignore            ignore
 *
 *          GatherCalled           BarrierGathered
 * Unknown  as Whole               impossible
 * Whole    ask; nobody runs:      acquire for who asked
 *          flush, send arrivals
 * Broken   answer at once         ignore (2)
 *
 *          acquire performed
 * Unknown  resume those, with the result (3)
 * Whole    resume those, with the result
 * Broken   resume those, with the result (3)
 *
 * (1) they do not wait any more. Report the timed-out waits that continue to the manager again: it
 *     may have ignored the first report
 * (2) it crossed the message that broke the barrier
 * (3) the barrier was removed at the departure, or broke after it
 * </pre>
 *
 * A departure of more threads than wait is impossible. A barrier of an allocation is Unknown again
 * after its departure.
 */
public final class BarrierArrivals {
    private static final class Barrier {
        final BarrierId id;
        final int parties;
        final ArrayDeque<WaiterId> waiting = new ArrayDeque<>();
        final LinkedHashSet<WaiterId> late = new LinkedHashSet<>();
        final TreeMap<Integer, Bytes> contributions = new TreeMap<>(); // unsent, by thread
        int unsent; // arrived and not combined
        int unsentTimed; // those of them with a time limit
        int leaving; // combined; they wait for their flush
        int departed; // since the start
        Optional<WaiterId> gatherer = Optional.empty(); // waits for all others
        Optional<String> broken = Optional.empty();

        Barrier(BarrierId id, int parties) {
            this.id = id;
            this.parties = parties;
        }
    }

    private final NodeId self;
    private final int threads;
    private final int allParties;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final Map<BarrierId, Barrier> barriers = new LinkedHashMap<>();

    /**
     * @param threads application threads of this node
     * @param allParties application threads of the cluster
     */
    public BarrierArrivals(
            NodeId self,
            int threads,
            int allParties,
            Releases releases,
            Acquires acquires,
            CargoHold cargo) {
        this.self = self;
        this.threads = threads;
        this.allParties = allParties;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
    }

    public void onBarrierReached(Event.BarrierReached call, Effects out) {
        int parties = parties(call.parties());
        Barrier barrier = barriers.computeIfAbsent(call.barrier(), id -> new Barrier(id, parties));
        if (isRefused(barrier, call.waiter(), parties, out)) {
            return;
        }
        barrier.waiting.add(call.waiter());
        barrier.unsent++;
        if (call.contribution().length() > 0) {
            barrier.contributions.put(call.waiter().thread(), call.contribution());
        }
        if (call.timeoutNanos() >= 0) {
            barrier.unsentTimed++;
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
        if (parties != allParties || barrier.unsent == threads) {
            leave(barrier, out);
        }
        leaveIfNobodyRuns(out);
    }

    private int parties(int declared) {
        return declared == Event.ALL_PARTIES ? allParties : declared;
    }

    /** True if a thread cannot wait at a barrier, and has received an error. */
    private boolean isRefused(Barrier barrier, WaiterId waiter, int parties, Effects out) {
        if (barrier.broken.isPresent()) {
            out.resumeWaiter(waiter, new Outcome.Broken(barrier.broken.get()));
            return true;
        }
        if (barrier.parties != parties) {
            out.resumeWaiter(
                    waiter,
                    new Outcome.Broken(
                            BarrierManager.differingParties(
                                    barrier.id, barrier.parties, self, parties)));
            return true;
        }
        return false;
    }

    private void leaveIfNobodyRuns(Effects out) {
        int waiting = 0;
        for (Barrier barrier : barriers.values()) {
            waiting += barrier.waiting.size() + (barrier.gatherer.isPresent() ? 1 : 0);
        }
        if (waiting == threads) {
            barriers.values().forEach(each -> leave(each, out));
        }
    }

    /** Makes a thread that has not arrived wait until all others have. */
    public void onGatherCalled(Event.GatherCalled call, Effects out) {
        int parties = parties(call.parties());
        Barrier barrier = barriers.computeIfAbsent(call.barrier(), id -> new Barrier(id, parties));
        if (isRefused(barrier, call.waiter(), parties, out)) {
            return;
        }
        if (barrier.gatherer.isPresent()) {
            out.resumeWaiter(
                    call.waiter(), new Outcome.Broken(BarrierManager.twoGatherers(barrier.id)));
            return;
        }
        barrier.gatherer = Optional.of(call.waiter());
        out.send(NodeId.ROOT, new BarrierGather(barrier.id, parties));
        leaveIfNobodyRuns(out);
    }

    /** Called when all others have arrived: the thread that waited for them runs alone. */
    public void onBarrierGathered(BarrierGathered gathered, Effects out) {
        Barrier barrier = barrier(gathered.barrier(), gathered);
        if (barrier.broken.isPresent()) {
            return;
        }
        WaiterId waiter =
                barrier.gatherer.orElseThrow(() ->
                        new ProtocolViolation(
                                "barrier=" + barrier.id + " nobody gathers, event=" + gathered));
        barrier.gatherer = Optional.empty();
        acquires.begin(
                new GatedAcquire.Departure(
                        barrier.id, List.of(waiter), gathered.cargo().of(Cargo.REDUCTION_CODE)),
                gathered.cargo(),
                out);
    }

    private void leave(Barrier barrier, Effects out) {
        if (barrier.unsent > 0) {
            Bytes contributions =
                    barrier.contributions.isEmpty()
                            ? Bytes.EMPTY
                            : Contributions.ofArrival(
                                    barrier.contributions, barrier.contributions.size() == threads);
            GatedRelease.Arrival arrival =
                    new GatedRelease.Arrival(
                            barrier.id,
                            barrier.unsent,
                            barrier.unsentTimed,
                            barrier.parties == allParties,
                            contributions);
            barrier.contributions.clear();
            barrier.unsent = 0;
            barrier.unsentTimed = 0;
            barrier.leaving += arrival.count();
            releases.begin(arrival, out);
        }
    }

    /** Sends arrivals, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Arrival arrival, Effects out) {
        Barrier barrier = barrier(arrival.barrier(), arrival);
        barrier.leaving -= arrival.count();
        Cargo arriving =
                cargo.onSend(NodeId.ROOT, out).with(Cargo.REDUCTION_CODE, arrival.contributions());
        out.send(
                NodeId.ROOT,
                new BarrierArrive(
                        barrier.id, arrival.count(), arrival.timed(), barrier.parties, arriving));
    }

    public void onBarrierDepart(BarrierDepart depart, Effects out) {
        Barrier barrier = barrier(depart.barrier(), depart);
        if (barrier.broken.isPresent()) {
            return;
        }
        if (depart.count() > barrier.waiting.size()) {
            throw new ProtocolViolation(
                    "barrier=" + barrier.id + " state=" + barrier.waiting + " event=" + depart);
        }
        out.count(NodeCounter.BARRIERS);
        List<WaiterId> departing = new ArrayList<>();
        for (int i = 0; i < depart.count(); i++) {
            departing.add(barrier.waiting.remove());
        }
        barrier.late.removeAll(departing);
        Bytes result = depart.cargo().of(Cargo.REDUCTION_CODE);
        acquires.begin(
                new GatedAcquire.Departure(barrier.id, departing, result), depart.cargo(), out);
        barrier.departed += depart.count();
        if (ReservedBarriers.isAllocation(barrier.id)) {
            barriers.remove(barrier.id); // all have arrived, and none arrives again
        }
        if (!barrier.late.isEmpty()) {
            sendTimeout(barrier, out);
        }
    }

    /** Resumes the threads that departed, because the stores of the others are visible here. */
    public void onAcquirePerformed(GatedAcquire.Departure departure, Effects out) {
        Outcome outcome =
                departure.result().length() == 0
                        ? Outcome.DONE
                        : new Outcome.Delivered(NodeId.ROOT.index(), departure.result());
        departure.waiters().forEach(waiter -> resume(waiter, outcome, out));
    }

    public void onBarrierBroken(BarrierBroken message, Effects out) {
        Barrier barrier = barriers.computeIfAbsent(message.barrier(), id -> new Barrier(id, 0));
        if (barrier.broken.isPresent()) {
            return;
        }
        barrier.broken = Optional.of(message.reason());
        barrier.contributions.clear();
        barrier.unsent = 0;
        barrier.unsentTimed = 0;
        for (WaiterId waiter : barrier.waiting) {
            resume(
                    waiter,
                    barrier.late.contains(waiter)
                            ? new Outcome.TimedOut(message.reason())
                            : new Outcome.Broken(message.reason()),
                    out);
        }
        barrier.gatherer.ifPresent(
                waiter -> resume(waiter, new Outcome.Broken(message.reason()), out));
        barrier.gatherer = Optional.empty();
        barrier.waiting.clear();
        barrier.late.clear();
    }

    /**
     * Reports a timed-out waiter to the manager, which knows the missing threads and breaks the
     * barrier.
     *
     * @return true if the waiter waits at that barrier
     */
    public boolean onWaitOver(BarrierId id, WaiterId waiter, Effects out) {
        Barrier barrier = barriers.get(id);
        if (barrier == null || !barrier.waiting.contains(waiter)) {
            return false;
        }
        barrier.late.add(waiter);
        sendTimeout(barrier, out);
        return true;
    }

    /** The barrier's state on this node, by its name in the table above. */
    public String stateOf(BarrierId id) {
        Barrier barrier = barriers.get(id);
        if (barrier == null) {
            return "Unknown";
        }
        return barrier.broken.isPresent() ? "Broken" : "Whole";
    }

    private static void sendTimeout(Barrier barrier, Effects out) {
        out.send(
                NodeId.ROOT,
                new BarrierTimeout(
                        barrier.id,
                        barrier.parties,
                        barrier.unsent + barrier.leaving,
                        barrier.departed));
    }

    private static void resume(WaiterId waiter, Outcome outcome, Effects out) {
        out.cancelTimer(new TimerId.WaitOver(waiter));
        out.resumeWaiter(waiter, outcome);
    }

    private Barrier barrier(BarrierId id, Object event) {
        Barrier barrier = barriers.get(id);
        if (barrier == null) {
            throw new ProtocolViolation("barrier=" + id + " state=unknown event=" + event);
        }
        return barrier;
    }
}
