package io.muninn.sim;

import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import io.muninn.spi.UpdateRules;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.WaitGraph;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.Codecs;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster under virtual time: nodes with the kernels that the agent runs, links between them, and
 * application threads. Every action is planned on one agenda, so a run is a function of its delays
 * and its programs.
 *
 * <p><b>Order.</b> The constructor notifies observers; then threads are started; then {@link #run}.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class Simulation {
    /** Length and code of a live system's frame, in addition to the message's bytes. */
    private static final int FRAME_BYTES = Integer.BYTES;

    /** Time for {@code finally} blocks when the run fails. */
    private static final long FINALLY_NANOS = 1_000_000_000;

    /**
     * The parameters of a cluster.
     *
     * @param nodes 1 to {@link NodeId#NODES_MAX}
     * @param threads application threads per node, of all its processes
     * @param holdNanos how long a node keeps a page that it has just obtained
     * @param flushDelayNanos how long stores stay unflushed after a release inside a node
     * @param updates how updates are sent, and how long an unused copy is kept
     * @param twins when a write-shared page keeps its twin
     * @param regions of the program
     * @param checksRaces whether overlapping stores of several nodes are reported
     * @param ownThreads number of {@link SimNode#ownThreads} of all nodes of which observers are
     *     notified, as of the program's
     * @param processors the processors of each node
     * @param allocatedFrom index of the first allocated region: the root does not initialize these
     * @param processes of each node; {@code threads} is a multiple of it
     * @param hosts which nodes share the memory of a pool
     */
    public record Cluster(
            int nodes,
            int threads,
            long holdNanos,
            long flushDelayNanos,
            UpdateRules updates,
            AdaptiveTwinRules twins,
            List<RegionSpec> regions,
            boolean checksRaces,
            int ownThreads,
            ProcessorRules processors,
            int allocatedFrom,
            int processes,
            Hosts hosts) {
        /** The application threads of a node. */
        public NodeThreads nodeThreads() {
            return new NodeThreads(processes, threads / processes);
        }

        /**
         * Creates a cluster with default twins, a processor for each thread and one host, without
         * race checks, own threads and allocated regions.
         */
        public Cluster(
                int nodes,
                int threads,
                long holdNanos,
                long flushDelayNanos,
                UpdateRules updates,
                List<RegionSpec> regions) {
            this(
                    nodes,
                    threads,
                    holdNanos,
                    flushDelayNanos,
                    updates,
                    AdaptiveTwinRules.DEFAULT,
                    regions,
                    false,
                    0,
                    ProcessorRules.ONE_EACH,
                    regions.size(),
                    1,
                    Hosts.one(nodes));
        }

        public Cluster {
            regions = List.copyOf(regions);
        }
    }

    private final Agenda agenda = new Agenda();
    private final TraceHash hash = new TraceHash();
    private final Codecs codecs = new Codecs(NodeKernel.codecs());
    private final Cluster cluster;
    private final Delays delays;
    private final Optional<SmpMachine> machine;
    private final Observers observers;
    private final Observer[] loadObservers;
    private final Observer[] storeObservers;
    private final Observer[] readyObservers;
    private final Observer[] runObservers;
    private final Observer[] messageObservers;
    private final Observer[] beforeStepObservers;
    private final Observer[] steppedObservers;
    private final Observer[] afterStepObservers;
    private final List<SimNode> nodes = new ArrayList<>();
    private final Links links;
    private final Wires wires;
    private final SyncWaits waits = new SyncWaits();
    private final SimPools pools;
    private int threadsLeft;
    private int ownThreads;
    private long steps;
    private Optional<NodeId> lost = Optional.empty();
    private Optional<String> failure = Optional.empty();

    /**
     * @param arena holds the pages of all nodes; closed by the caller when the run is over
     */
    public Simulation(Cluster cluster, Delays delays, List<Observer> observers, Arena arena) {
        this.cluster = cluster;
        this.delays = delays;
        this.machine = delays.machine(cluster.nodes(), cluster.threads(), new SimClock(this));
        this.observers = new Observers(observers);
        this.loadObservers = this.observers.of(Observers.Call.LOAD);
        this.storeObservers = this.observers.of(Observers.Call.STORE);
        this.readyObservers = this.observers.of(Observers.Call.READY);
        this.runObservers = this.observers.of(Observers.Call.RUN);
        this.messageObservers = this.observers.of(Observers.Call.MESSAGE);
        this.beforeStepObservers = this.observers.of(Observers.Call.BEFORE_STEP);
        this.steppedObservers = this.observers.of(Observers.Call.STEPPED);
        this.afterStepObservers = this.observers.of(Observers.Call.AFTER_STEP);
        this.wires = new Wires(delays, cluster.nodes(), new SimClock(this));
        this.links = new Links(cluster.nodes());
        for (int i = 0; i < cluster.nodes(); i++) {
            KernelConfig config =
                    new KernelConfig(
                            NodeId.of(i),
                            cluster.nodes(),
                            cluster.nodeThreads(),
                            cluster.holdNanos(),
                            cluster.flushDelayNanos(),
                            cluster.updates(),
                            cluster.twins(),
                            cluster.checksRaces());
            nodes.add(new SimNode(this, config, new NodeKernel(config), arena));
        }
        pools = new SimPools(this);
        threadsLeft = allThreads();
        observers().forEach(observer -> observer.onStart(this));
        if (!cluster.hosts().isOne()) {
            nodes.forEach(node -> node.meet(cluster.hosts()));
        }
        for (RegionSpec region : cluster.regions()) {
            boolean isAllocated = region.index() >= cluster.allocatedFrom();
            nodes.forEach(isAllocated ? node -> node.allocate(region) : node -> node.add(region));
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    public List<SimNode> nodes() {
        return nodes;
    }

    public SimNode node(NodeId id) {
        return nodes.get(id.index());
    }

    public Link link(int from, int to) {
        return links.of(from, to);
    }

    /** Calls the action for every link with messages, by sender and receiver. */
    public void forEachCarrying(Consumer<Link> action) {
        links.forEachCarrying(action);
    }

    /** Receives messages that have been sent and not stepped. */
    public interface UnderwayAction {
        void accept(NodeId from, NodeId to, WireMessage message);
    }

    /** Calls the action for every message on a link or in an agent's queue. */
    public void forEachUnderway(UnderwayAction action) {
        links.forEachCarrying(link -> {
            for (Link.Frame frame : link.frames()) {
                action.accept(NodeId.of(link.from()), NodeId.of(link.to()), frame.message());
            }
        });
        for (SimNode node : nodes) {
            node.forEachArrived((from, message) -> action.accept(from, node.id(), message));
        }
    }

    /** The number of application threads of the cluster. */
    public int allThreads() {
        return cluster.nodes() * cluster.threads();
    }

    /** The number of threads of which observers are notified, nodes' own ones included. */
    public int positions() {
        return allThreads() + cluster.ownThreads();
    }

    /** The position of a new own thread of a node. */
    int nextOwnPosition() {
        return allThreads() + ownThreads++;
    }

    public Delays delays() {
        return delays;
    }

    /** The memory that the nodes of each host address. */
    public SimPools pools() {
        return pools;
    }

    /** The waits of threads for other threads. */
    SyncWaits syncWaits() {
        return waits;
    }

    /** The hardware of the nodes, if they have several processors. */
    public Optional<SmpMachine> machine() {
        return machine;
    }

    public List<Observer> observers() {
        return observers.all();
    }

    public long nowNanos() {
        return agenda.nowNanos();
    }

    /** The observers that implement a method. */
    Observer[] observers(Observers.Call call) {
        return observers.of(call);
    }

    /** The number of steps of all kernels so far. */
    public long steps() {
        return steps;
    }

    /** A hash of all actions so far and their order. */
    public long traceHash() {
        return hash.value();
    }

    /** The node that died, if one did. */
    public Optional<NodeId> lost() {
        return lost;
    }

    /** Why the program ended the run, if it did. */
    public Optional<String> failure() {
        return failure;
    }

    /** Plans an action; one for a time that has passed runs now. */
    public void at(long timeNanos, Runnable action) {
        agenda.at(timeNanos, action);
    }

    public void after(long delayNanos, Runnable action) {
        agenda.after(delayNanos, action);
    }

    /**
     * Lets time pass for a running thread without a sleep, if no action is planned meanwhile.
     *
     * @return false if an action is planned: the thread has to sleep
     */
    public boolean passTime(long nanos) {
        if (agenda.nextNanos() <= agenda.nowNanos() + nanos) {
            return false;
        }
        agenda.passTo(agenda.nowNanos() + nanos);
        return true;
    }

    /**
     * Runs the next action, if it is planned for this time or earlier. For callers that make
     * decisions between two actions.
     *
     * @return false if no action is planned that early: no time has passed
     */
    public boolean doNext(long untilNanos) {
        if (agenda.nextNanos() > untilNanos || agenda.isEmpty()) {
            return false;
        }
        agenda.step();
        return true;
    }

    /**
     * Notifies observers that the root has initialized, and starts every other thread's program.
     */
    public void initialized() {
        SimThread root = nodes.getFirst().threads().getFirst();
        root.node().updates().ifPresent(AutomaticUpdates::initialized);
        observers().forEach(observer -> observer.onInitialized(root));
    }

    /**
     * Runs actions until every thread has ended and no action is planned.
     *
     * @param limitNanos time after which a thread that has not ended is a violation
     * @param thingsMax largest number of actions; more are a violation, too: messages without end,
     *     or a run in which time hardly passes
     * @throws Violation if a check fails
     */
    public void run(long limitNanos, long thingsMax) {
        long things = 0;
        while (!agenda.isEmpty() && failure.isEmpty()) {
            agenda.step();
            things++;
            boolean isLate = threadsLeft > 0 && agenda.nowNanos() > limitNanos;
            if (isLate || things > thingsMax) {
                throw new Violation(
                        "liveness",
                        String.format(
                                Locale.ROOT,
                                "not over after %d ns and %d actions: %s",
                                agenda.nowNanos(),
                                things,
                                waits()));
            }
        }
        if (failure.isPresent()) {
            observers().forEach(observer -> observer.onFailure(this));
            return;
        }
        if (threadsLeft > 0) {
            throw new Violation("waiters", whyNothingHappens());
        }
        observers().forEach(observer -> observer.onEnd(this));
    }

    private String whyNothingHappens() {
        List<NodeWaits> now =
                nodes.stream()
                        .filter(node -> !node.isDead())
                        .map(node -> new SimWaits(node).now(0, 0))
                        .toList();
        WaitGraph.Stuck stuck = WaitGraph.find(now, true);
        return stuck.isEmpty() ? "no action is planned any more, and " + waits() : stuck.text();
    }

    /** Describes the waits of all threads. */
    public String waits() {
        return nodes.stream()
                .filter(node -> !node.isDead())
                .flatMap(node -> Stream.concat(node.threads().stream(), node.ownThreads().stream()))
                .filter(thread -> thread.status() != SimThread.Status.ENDED && !thread.isIdle())
                .map(thread -> thread + " waits for " + thread.waitsFor().orElse("its turn"))
                .collect(Collectors.joining("; "));
    }

    int send(SimNode from, NodeId to, WireMessage message) {
        if (from.id().equals(to)) {
            throw new Violation("kernel", "node " + to + " sends itself " + message);
        }
        ByteWriter frame = new ByteWriter(payload -> image(from, payload), cluster.nodes());
        Codecs.encode(message, frame);
        byte[] bytes = frame.toArray();
        int frameBytes = bytes.length + FRAME_BYTES;
        from.traffic().count(message.codec().name(), frameBytes, frame.contentBytes());
        for (Observer observer : messageObservers) {
            observer.onMessage(from, to, message, frameBytes);
        }
        hash.add(from.id().index() << 8 | to.index());
        hash.add(bytes);
        Link link = links.of(from.id().index(), to.index());
        if (link.isCut() || node(to).isDead()) {
            return frameBytes;
        }
        Link.Frame accepted = new Link.Frame(message, bytes);
        links.accept(link, accepted);
        if (!link.isConnected()) {
            return frameBytes;
        }
        if (delays.isProcessorShared() || machine.isPresent()) {
            agenda.at(from.work().sendsUntilNanos(bytes.length), () -> carry(link, accepted));
        } else {
            carry(link, accepted);
        }
        return frameBytes;
    }

    private void carry(Link link, Link.Frame frame) {
        if (link.isCut()) {
            return;
        }
        if (machine.isPresent()) {
            int bytes = frame.bytes().length + FRAME_BYTES;
            machine.get().send(link.from(), link.to(), bytes, () -> deliver(link));
            return;
        }
        wires.carry(link, frame, () -> deliver(link));
    }

    Wires wires() {
        return wires;
    }

    /** How long the wires and the interface of a node still have messages to carry. */
    public long queueNanos(NodeId node) {
        return wires.queueNanos(node.index());
    }

    private MemorySegment image(SimNode from, Payload payload) {
        MemorySegment bytes = from.pages().bytes(payload);
        switch (payload) {
            case Payload.PageImage(PageId page) -> tellOfImage(from, page, bytes);
            case Payload.TwinImage(PageId page) -> tellOfImage(from, page, bytes);
            default -> {}
        }
        return bytes;
    }

    private void tellOfImage(SimNode from, PageId page, MemorySegment bytes) {
        for (Observer observer : observers.of(Observers.Call.IMAGE)) {
            observer.onImage(from, page, bytes);
        }
    }

    private void deliver(Link link) {
        if (link.isCut()) {
            return;
        }
        if (link.notBeforeNanos() > nowNanos()) {
            agenda.at(link.notBeforeNanos(), () -> deliver(link));
            return;
        }
        byte[] bytes = links.deliver(link).bytes();
        WireMessage message = codecs.decode(new ByteReader(bytes, cluster.nodes()));
        Event arrived = new Event.MessageArrived(NodeId.of(link.from()), message, 0);
        nodes.get(link.to()).arriveMessage(arrived, bytes.length);
    }

    /**
     * Disconnects all nodes, before the first message, and lets them connect as agents do. Without
     * this call they are connected from the beginning.
     *
     * @param twice pairs of which the higher node dials twice: bit {@code i * (i - 1) / 2 + j} for
     *     node i and a lower node j
     */
    public void join(BitSet twice) {
        new Connections(this, twice).begin();
    }

    /**
     * Holds back all messages; called before the first one. Each waits at its sender until it is
     * {@linkplain #deliver(int, int) delivered}.
     */
    public void deliverByHand() {
        links.disconnect();
    }

    /** Lets the oldest message of a link arrive now; there has to be one. */
    public void deliver(int from, int to) {
        deliver(links.of(from, to));
    }

    void connect(int from, int to, int attempt) {
        Link link = links.of(from, to);
        link.connect(attempt);
        link.frames().forEach(frame -> carry(link, frame));
    }

    /** Lets no message arrive on a link before this time. */
    public void clog(int from, int to, long untilNanos) {
        links.of(from, to).clogUntil(untilNanos);
    }

    /** Stops agent and threads of a node until this time, as a long garbage collection does. */
    public void pause(NodeId node, long untilNanos) {
        node(node).pauseUntil(untilNanos);
    }

    /**
     * Ends a node. Every other is notified after a delay, and receives no message of it from then
     * on.
     */
    public void kill(NodeId id) {
        SimNode dying = node(id);
        lost = Optional.of(id);
        threadsLeft -=
                (int)
                        dying.threads().stream()
                                .filter(thread -> thread.status() != SimThread.Status.ENDED)
                                .count();
        dying.die();
        for (SimNode other : nodes) {
            links.cut(other.id().index(), id.index());
            if (other != dying) {
                after(delays.loss(), () -> notice(other, id));
            }
        }
    }

    private void notice(SimNode node, NodeId dead) {
        links.cut(dead.index(), node.id().index());
        node.arrive(new Event.PeerLost(dead, "no heartbeat"));
    }

    /**
     * A node's program has failed: every kernel ends the waits of its threads when it is notified.
     * The run ends a second later, even if threads have not.
     */
    public void programFailed(NodeId id, String reason) {
        for (SimNode node : nodes) {
            long delay = node.id().equals(id) ? delays.call() : delays.loss();
            after(delay, () -> node.arrive(new Event.PeerLost(id, reason)));
        }
        after(FINALLY_NANOS, () -> failRun("node " + id + ": " + reason));
    }

    void failRun(String reason) {
        failure = failure.or(() -> Optional.of(reason));
    }

    void raceFound(PageId page, int offset, String text, boolean isCertain) {
        observers().forEach(observer -> observer.onRace(page, offset, text, isCertain));
    }

    /** A thread of a scripted program has loaded an element. */
    public void onLoad(SimThread thread, PageId page, int offset, int bytes, long value) {
        SimNode node = thread.node();
        if (node.loads().areOf(node.pages().spec(page.region()))) {
            node.loads().add(page, offset, bytes, true);
        }
        for (Observer observer : loadObservers) {
            observer.onLoad(thread, page, offset, bytes, value);
        }
    }

    /** A thread of a scripted program has stored to an element. */
    public void onStore(SimThread thread, PageId page, int offset, int bytes, long value) {
        for (Observer observer : storeObservers) {
            observer.onStore(thread, page, offset, bytes, value);
        }
    }

    void onReady(SimThread thread) {
        for (Observer observer : readyObservers) {
            observer.onReady(thread);
        }
    }

    void onSwitch(SimThread thread, int processor) {
        for (Observer observer : observers.of(Observers.Call.SWITCH)) {
            observer.onSwitch(thread, processor);
        }
    }

    void onRun(SimThread thread, int processor) {
        for (Observer observer : runObservers) {
            observer.onRun(thread, processor);
        }
    }

    void onStand(SimThread thread) {
        for (Observer observer : observers.of(Observers.Call.STAND)) {
            observer.onStand(thread);
        }
    }

    void onEnded(SimThread thread) {
        threadsLeft--;
        observers().forEach(observer -> observer.onEnded(thread));
    }

    void beforeStep(SimNode node, Event event) {
        for (Observer observer : beforeStepObservers) {
            observer.beforeStep(node, event);
        }
    }

    void onStepped(SimNode node, Event event, List<Effect> effects) {
        for (Observer observer : steppedObservers) {
            observer.onStepped(node, event, effects);
        }
    }

    void afterStep(SimNode node, Event event, List<Effect> effects) {
        steps++;
        hash.add(nowNanos());
        hash.add(node.id().index());
        hash.add(event.getClass().getSimpleName());
        hash.add(effects.size());
        for (Observer observer : afterStepObservers) {
            observer.afterStep(node, event, effects);
        }
    }
}
