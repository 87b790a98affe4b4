package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.ForwardingDelays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import io.muninn.wire.WireMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A {@link Simulation} that a test controls: only messages and timers take time. Threads are lists
 * of operations; messages wait until they are delivered, timers until time passes. The simulator's
 * checkers observe it.
 */
final class ManualCluster {
    static final long HOLD_NANOS = 100_000;
    static final long FLUSH_DELAY_NANOS = 1_000_000;

    private static final int THINGS_MAX = 1_000_000;

    /** A message, sent and perhaps delivered. */
    record Sent(int from, int to, WireMessage message) {}

    /** One direction between two nodes. */
    record Route(int from, int to) {}

    /** Nothing takes time; timers may be late. */
    private static final class NoDelays extends ForwardingDelays {
        private long lateNanos;

        NoDelays() {
            super(Delays.exact(new MachineModel(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)));
        }

        @Override
        public long loss() {
            return 0;
        }

        @Override
        public long timer() {
            return lateNanos;
        }
    }

    private final NoDelays delays = new NoDelays();
    private final Simulation simulation;
    private final List<ManualThread> everyThread;
    private final List<Route> underway = new ArrayList<>(); // in order of sending
    private final Set<Route> held = new HashSet<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    ManualCluster(int nodeCount, int threads, RegionSpec... regions) {
        this(
                nodeCount,
                threads,
                1,
                1,
                UpdateRules.PLAIN,
                AdaptiveTwinRules.DEFAULT,
                List.of(regions),
                checkers());
    }

    /**
     * @param processes of each node, between which its threads are divided
     * @param hosts between which consecutive nodes are divided
     * @param observers observe everything, including the initial regions
     */
    ManualCluster(
            int nodeCount,
            int threadCount,
            int processes,
            int hosts,
            UpdateRules updates,
            AdaptiveTwinRules twins,
            List<RegionSpec> regions,
            List<Observer> observers) {
        simulation =
                new Simulation(
                        new Simulation.Cluster(
                                nodeCount,
                                threadCount,
                                HOLD_NANOS,
                                FLUSH_DELAY_NANOS,
                                updates,
                                twins,
                                regions,
                                false,
                                0,
                                ProcessorRules.ONE_EACH,
                                regions.size(),
                                processes,
                                Hosts.blocks(nodeCount, hosts)),
                        delays,
                        Stream.concat(Stream.of(new Recorder()), observers.stream()).toList(),
                        Arena.ofAuto());
        simulation.deliverByHand();
        everyThread =
                nodes().stream()
                        .flatMap(node -> node.threads().stream().map(ManualThread::new))
                        .toList();
        runAll();
    }

    /** The simulator's checkers that do not need loads and stores, and others. */
    static List<Observer> checkers(Observer... others) {
        return Stream.concat(Checkers.withoutValues(new Coverage()).stream(), Arrays.stream(others))
                .toList();
    }

    /** A region of this many pages of 4 KiB, each of 512 words. */
    static RegionSpec region(int index, Protocol protocol, int pages) {
        return region(index, "region" + index, protocol, pages);
    }

    static RegionSpec region(int index, String name, Protocol protocol, int pages) {
        return region(index, name, protocol, pages, Home.BANDED);
    }

    static RegionSpec region(int index, String name, Protocol protocol, int pages, Home home) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(index, name, protocol, 0, bytes, Long.BYTES, 1, home, List.of());
    }

    private record SavedDiff(SimNode node, PageId page, long interval) {}

    /**
     * Records data for tests, and checks that each diff is dropped once, which pages do not check.
     */
    private final class Recorder implements Observer {
        private final Set<SavedDiff> diffs = new HashSet<>();

        @Override
        public void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {
            sent.add(new Sent(from.id().index(), to.index(), message));
            if (!simulation.node(to).isDead()) {
                underway.add(new Route(from.id().index(), to.index()));
            }
        }

        @Override
        public void onStepped(SimNode node, Event event, List<Effect> effects) {
            for (Effect effect : effects) {
                switch (effect) {
                    case Effect.FailRun(String reason) ->
                            failures.add("node " + node.id() + ": " + reason);
                    case Effect.SaveDiff(PageId page, long interval, boolean _) ->
                            diffs.add(new SavedDiff(node, page, interval));
                    case Effect.DropDiff(PageId page, long interval) ->
                            assertTrue(
                                    diffs.remove(new SavedDiff(node, page, interval)),
                                    () -> effect + " on node " + node.id() + ", not saved");
                    default -> {} // the simulation performs it
                }
            }
        }
    }

    SimNode node(int index) {
        return simulation.nodes().get(index);
    }

    List<SimNode> nodes() {
        return simulation.nodes();
    }

    ManualThread thread(int node, int thread) {
        return threads(node).get(thread);
    }

    /** The threads of a node. */
    List<ManualThread> threads(int node) {
        int count = simulation.cluster().threads();
        return everyThread.subList(node * count, (node + 1) * count);
    }

    /** The threads of all nodes, in order. */
    List<ManualThread> everyThread() {
        return everyThread;
    }

    /** A word of a page as a node has it. */
    long held(int node, PageId page, int word) {
        assertTrue(node(node).pages().isPresent(page), () -> "not on node " + node);
        return node(node).pages().content(page).getAtIndex(ValueLayout.JAVA_LONG, word);
    }

    /** The reasons that ended the run, by node. */
    List<String> failures() {
        return failures;
    }

    /** Every message sent since {@link #forgetSent}. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** Messages of one kind sent since {@link #forgetSent}, by the name of their codec. */
    long sent(String kind) {
        return sent.stream().filter(each -> each.message().codec().name().equals(kind)).count();
    }

    void forgetSent() {
        sent.clear();
    }

    long count(NodeCounter counter) {
        return nodes().stream().mapToLong(node -> node.count(counter)).sum();
    }

    /**
     * Delivers nothing on this link until {@link #free}, except messages that the test delivers
     * itself.
     */
    void hold(int from, int to) {
        held.add(new Route(from, to));
    }

    void free(int from, int to) {
        held.remove(new Route(from, to));
    }

    /** Messages on a link. */
    int waiting(int from, int to) {
        return simulation.link(from, to).frames().size();
    }

    /** True if no message is in transit. */
    boolean isQuiet() {
        return underway.isEmpty();
    }

    /** Ends a node, and notifies the others. */
    void lose(int index) {
        simulation.kill(NodeId.of(index));
        underway.removeIf(route -> route.from() == index || route.to() == index);
    }

    /** Timers that are armed from now on fire late by this time. */
    void timersLate(long nanos) {
        delays.lateNanos = nanos;
    }

    /**
     * Delivers the oldest message of a link, held or not, and runs all actions that follow at once.
     */
    void deliver(int from, int to) {
        if (!underway.remove(new Route(from, to))) {
            throw new AssertionError("nothing is on its way from n" + from + " to n" + to);
        }
        simulation.deliver(from, to);
        runAll();
    }

    /** Runs all actions that need no message and no time: agents first, then threads in order. */
    void runAll() {
        for (int i = 0; i < THINGS_MAX; i++) {
            if (!simulation.doNext(simulation.nowNanos()) && !runThread()) {
                return;
            }
        }
        failToSettle("threads run");
    }

    private boolean runThread() {
        Optional<ManualThread> first =
                everyThread().stream().filter(ManualThread::isRunnable).findFirst();
        first.ifPresent(ManualThread::perform);
        return first.isPresent();
    }

    /** Runs all actions that need no time: delivers in the order of sending. */
    void settleNow() {
        runAll();
        Optional<Route> next = oldest();
        for (int i = 0; i < THINGS_MAX && next.isPresent(); i++) {
            deliver(next.get().from(), next.get().to());
            next = oldest();
        }
        next.ifPresent(this::failToSettle);
    }

    private void failToSettle(Object next) {
        throw new AssertionError("it does not settle: " + next + "; " + simulation.waits());
    }

    private Optional<Route> oldest() {
        return underway.stream().filter(route -> !held.contains(route)).findFirst();
    }

    /** Runs all actions, and lets time pass until no timer is armed. */
    void settle() {
        do {
            settleNow();
        } while (passToNextTimer());
    }

    /** Lets time pass to the next timer, which fires unless it was cancelled; false if none is. */
    boolean passToNextTimer() {
        return simulation.doNext(Long.MAX_VALUE);
    }

    /** Lets time pass; timers fire when they are due, and no message is delivered. */
    void pass(long nanos) {
        long end = simulation.nowNanos() + nanos;
        do {
            runAll();
        } while (simulation.doNext(end));
        simulation.passTime(end - simulation.nowNanos());
    }
}
