package io.muninn.bench.paper;

import io.muninn.apps.Exchange;
import io.muninn.coherence.lazy.LazyMessages;
import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ReservedBarriers;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Counts what happens in the parallel part of one run, which is what the papers count. */
final class Meter implements Observer {
    private static final double NANOS = 1e9;

    private static final BarrierId LOOPS = new BarrierId("muninn.loops");

    private final CostModel model;
    private final Optional<PaperProgram.Loops> counted; // of the program; empty counts all
    private final boolean countsResults;
    private final long[] atStart = new long[NodeCounter.values().length];
    private final long[] spent = new long[NodeCounter.values().length];
    private boolean isOn;
    private Optional<SimThread> root = Optional.empty();
    private int loops; // that the root has started
    private long startNanos;
    private long skippedNanos;
    private long messages;
    private long packets;
    private long bytes;
    private long misses;
    private long laterMisses;
    private long barrierMessages;
    private long pushMessages;
    private long lockMessages;
    private long lockGrants;
    private long acquires;
    private final FaultFates fates = new FaultFates();
    private ProcessorTimes used = ProcessorTimes.NONE; // until the start, later from then on
    private List<ProcessorTimes> usedByThread = List.of(); // as used
    private long dropped;
    private int threads = 1; // of each node

    /** By node: its counters when it began to bring results to the root, if these do not count. */
    private final Map<NodeId, long[]> computed = new HashMap<>();

    private long computedNanos; // when the last node did so; 0 if none has

    /** By node: the page at which a thread has stopped last, until its node asks for that page. */
    private final Map<NodeId, PageId> stopped = new HashMap<>();

    /**
     * @param counted the loops of a program that is made of them: what comes before the first one
     *     that counts is not counted then
     * @param countsResults whether messages that only bring results to the root count
     */
    Meter(CostModel model, Optional<PaperProgram.Loops> counted, boolean countsResults) {
        this.model = model;
        this.counted = counted;
        this.countsResults = countsResults;
    }

    @Override
    public void onInitialized(SimThread thread) {
        root = Optional.of(thread);
        threads = thread.node().threads().size();
        begin(thread.node().simulation());
    }

    private void begin(Simulation simulation) {
        startNanos = simulation.nowNanos();
        restart(simulation);
        used = processorTimes(simulation);
        usedByThread = threadTimes(simulation);
        isOn = true;
    }

    /** From now on all is counted. */
    private void restart(Simulation simulation) {
        count(simulation, atStart);
        messages = 0;
        packets = 0;
        bytes = 0;
        misses = 0;
        laterMisses = 0;
        barrierMessages = 0;
        pushMessages = 0;
        lockMessages = 0;
        lockGrants = 0;
        acquires = 0;
    }

    /** Of the program's threads, in order. */
    private static List<ProcessorTimes> threadTimes(Simulation simulation) {
        List<ProcessorTimes> times = new ArrayList<>();
        for (SimNode node : simulation.nodes()) {
            times.addAll(
                    node.processors()
                            .report()
                            .threads()
                            .subList(0, simulation.cluster().nodeThreads().count()));
        }
        return times;
    }

    private static ProcessorTimes processorTimes(Simulation simulation) {
        return simulation.nodes().stream()
                .map(node -> node.processors().report().total())
                .reduce(ProcessorTimes.NONE, ProcessorTimes::plus);
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int parties) {
        if (counted.isEmpty() || !barrier.equals(LOOPS) || !root.equals(Optional.of(thread))) {
            return;
        }
        loops++;
        if (loops == counted.get().first()) {
            Simulation simulation = thread.node().simulation();
            skippedNanos = simulation.nowNanos() - startNanos;
            restart(simulation);
        }
    }

    @Override
    public void onMessage(SimNode from, NodeId to, WireMessage message, int length) {
        if (isOn && !(message instanceof SyncMessage.Letter letter && isOfResults(letter.tag()))) {
            messages++;
            packets += model.packets(length);
            bytes += length;
            countKind(from.id(), message);
        }
    }

    private void countKind(NodeId from, WireMessage message) {
        switch (message) {
            case SyncMessage.BarrierArrive _, SyncMessage.BarrierDepart _ -> barrierMessages++;
            case LazyMessages.Push _ -> pushMessages++;
            case SyncMessage.LockRequest _ -> lockMessages++;
            case SyncMessage.LockGrant _ -> {
                lockMessages++;
                lockGrants++;
            }
            case ProtocolMessage.Request request -> {
                PageId page = stopped.get(from);
                if (page != null && request.pages().contains(page)) {
                    stopped.remove(from);
                    misses++;
                    if (isLater()) {
                        laterMisses++;
                    }
                }
            }
            default -> {} // of another kind
        }
    }

    /** After the first time step that is counted. */
    private boolean isLater() {
        return counted.isPresent() && loops >= counted.get().first() + counted.get().perStep();
    }

    @Override
    public void onFault(SimThread thread, PageId page, FaultKind kind) {
        stopped.put(thread.node().id(), page);
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.FaultRaised _ -> fates.before(node);
            case Event.SendCalled call when isOfResults(call.tag()) -> hasComputed(node);
            case Event.ReceiveCalled call when isOfResults(call.tag()) -> hasComputed(node);
            default -> {} // counted elsewhere, or not at all
        }
    }

    private boolean isOfResults(int tag) {
        return !countsResults && tag >= Exchange.RESULT_TAGS;
    }

    /** A node begins to bring results to the root, or goes on with it. */
    private void hasComputed(SimNode node) {
        if (computed.putIfAbsent(node.id(), counts(node)) == null) {
            computedNanos = node.simulation().nowNanos();
        }
    }

    @Override
    public void onAcquired(SimThread thread, LockId lock) {
        acquires++;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (isOn && event instanceof Event.FaultRaised fault) {
            fates.after(node, fault.page(), effects);
        }
    }

    @Override
    public void onPrefetchDropped(SimThread thread, Event.PrefetchCalled call) {
        dropped += isOn ? call.count() : 0;
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        if (barrier.equals(AppRun.PLACED) && root.equals(Optional.of(thread))) {
            begin(thread.node().simulation());
        }
        if (isOn && barrier.equals(ReservedBarriers.END)) {
            isOn = false;
            used = processorTimes(thread.node().simulation()).since(used);
            usedByThread = since(threadTimes(thread.node().simulation()), usedByThread);
            count(thread.node().simulation(), spent);
        }
    }

    private static List<ProcessorTimes> since(
            List<ProcessorTimes> now, List<ProcessorTimes> before) {
        return IntStream.range(0, now.size())
                .mapToObj(i -> now.get(i).since(before.get(i)))
                .toList();
    }

    private void count(Simulation simulation, long[] into) {
        Arrays.fill(into, 0);
        for (SimNode node : simulation.nodes()) {
            long[] mine = computed.getOrDefault(node.id(), counts(node));
            for (int i = 0; i < into.length; i++) {
                into[i] += mine[i];
            }
        }
    }

    private static long[] counts(SimNode node) {
        long[] counts = new long[NodeCounter.values().length];
        for (NodeCounter counter : NodeCounter.values()) {
            counts[counter.code()] = node.count(counter);
        }
        return counts;
    }

    /** What was counted, of a run that has ended well. */
    SimulatedTimes measured(double seconds) {
        double ended = computed.isEmpty() ? seconds : (computedNanos - startNanos) / NANOS;
        return new SimulatedTimes(
                ended - skippedNanos / NANOS,
                messages,
                packets,
                bytes,
                spent(NodeCounter.READ_FAULTS) + spent(NodeCounter.WRITE_FAULTS),
                spent(NodeCounter.FAULT_NANOS) / NANOS,
                spent(NodeCounter.LOCK_NANOS) / NANOS,
                spent(NodeCounter.CONDITION_NANOS) / NANOS,
                spent(NodeCounter.CALL_NANOS) / NANOS,
                spent(NodeCounter.BARRIER_NANOS) / NANOS,
                spent(NodeCounter.RECEIVE_NANOS) / NANOS,
                new SimulatedTimes.Sharing(
                        spent(NodeCounter.INVALIDATIONS),
                        misses,
                        laterMisses,
                        spent(NodeCounter.DIFFS_MADE),
                        spent(NodeCounter.PUSHES_RECEIVED),
                        spent(NodeCounter.PUSHES_WASTED),
                        barrierMessages,
                        pushMessages,
                        lockMessages),
                new SimulatedTimes.Hiding(
                        used,
                        used.stalls(ProcessorUse.BARRIER_STALL) / threads,
                        fates.counts(),
                        spent(NodeCounter.PREFETCHES) + dropped,
                        spent(NodeCounter.PREFETCHES_UNNECESSARY),
                        dropped),
                new SimulatedTimes.Clustering(
                        usedByThread,
                        spent(NodeCounter.PAGES_FETCHED),
                        acquires - lockGrants,
                        lockGrants));
    }

    private long spent(NodeCounter counter) {
        return spent[counter.code()] - atStart[counter.code()];
    }
}
