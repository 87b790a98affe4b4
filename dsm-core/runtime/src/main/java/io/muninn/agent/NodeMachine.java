package io.muninn.agent;

import io.muninn.agent.calls.CallConnection;
import io.muninn.agent.calls.CallRouter;
import io.muninn.agent.calls.CallServer;
import io.muninn.agent.calls.LiveLockWords;
import io.muninn.agent.memory.HostPool;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.LivePages;
import io.muninn.agent.memory.LiveRemoteMemory;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.AgentRequest;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.KernelView;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.RemoteMemory;
import io.muninn.kernel.port.RunControl;
import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.Mailboxes;
import io.muninn.nativefault.TrappedProcess;
import io.muninn.report.NodeReport;
import io.muninn.report.WaitMeters;
import io.muninn.spi.Event;
import io.muninn.spi.Hosts;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.transport.Cluster;
import io.muninn.transport.ClusterListener;
import io.muninn.transport.MessageListener;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.waits.DescribedWaits;
import io.muninn.waits.NodeWaits;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Connects the kernel of a node with its fault engine, cluster, timers, lock words and calls. It is
 * created when the application has handed over its memory.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class NodeMachine implements CallRouter.Regions, MessageListener {
    /** Delay before a refused withdrawal is reported: a trap that is not interrupted needs less. */
    private static final long REFUSAL_NANOS = 20_000;

    private final AgentConfig config;
    private final Trap trap;
    private final FaultEngine engine;
    private final ControlMemory control;
    private final Owner owner;
    private final Cluster cluster;
    private final LivePages pages;
    private final LiveTracer tracer;
    private final PageStatistics statistics = new PageStatistics();
    private final RecordedWaits waits;
    private final KernelLoop kernel;
    private final KernelView view;
    private Optional<Consumer<String>> lateAccess =
            Optional.empty(); // once the run is over; until then empty
    private final LiveLockWords locks;
    private final CallRouter router;
    private final LiveTimers timers;
    private final Runnable countMessages;
    private final long remoteBytes;
    private List<RegionSpec> remotes = List.of();
    private final GrowingLayout layout = new GrowingLayout(Layout.EMPTY);
    private final DescribedWaits described;
    private long received; // messages of other nodes

    /** Receives the events that change the node's life cycle. */
    public interface Owner extends ClusterListener, RunControl, NodeFailures.Owner {
        /** Processor time of the agent's thread since the start, if this node counts it; else 0. */
        long agentNanos();

        /** The meters of this node's waits, if it serves any. */
        Optional<WaitMeters> meters();

        /** Returns how many connections to sockets of the agent were refused so far. */
        long connectionsRefused();
    }

    /** The engine that traps the application, and why it was chosen. */
    public record Trap(FaultEngine engine, String why) {
        public NodeReport.Engine report() {
            return new NodeReport.Engine(engine.kind().word(), engine.way().text(), why);
        }
    }

    /**
     * @param remotes the words of remote variables that the agent's nodes share, if there are any
     * @param pool of the run, if it has one
     */
    public NodeMachine(
            AgentConfig config,
            AgentEventLoop loop,
            ClusterConfig clusterConfig,
            LocalNodes locals,
            Trap trap,
            Optional<MemorySegment> remotes,
            Optional<HostPool> pool,
            Owner owner) {
        this.config = config;
        this.owner = owner;
        this.trap = trap;
        this.engine = trap.engine();
        waits = new RecordedWaits(config, owner.meters(), layout.regions()::get, this::onStopped);
        if (config.output().everyPage() || waits.isRecorded()) {
            statistics.keepEveryPage();
        }
        control = new ControlMemory(engine.control());
        tracer = new LiveTracer(control);
        locks = new LiveLockWords(control, config.processes());
        described = new DescribedWaits(locks::holds);
        pages =
                new LivePages(
                        config.nodeThreads().every(),
                        engine,
                        withdrawn -> onWithdrawn(withdrawn, loop),
                        locks::watchReleases,
                        waits);
        pool.ifPresent(of -> pages.use(of, config.self().index(), config.nodeThreads()));
        cluster =
                new Cluster(
                        loop,
                        clusterConfig,
                        locals,
                        new Codecs(NodeKernel.codecs()),
                        pages,
                        this,
                        owner);
        countMessages = loop.oncePerBatch(() -> tracer.update(cluster.counters()));
        router =
                new CallRouter(
                        config.nodeThreads(),
                        this::handle,
                        locks,
                        tracer,
                        this,
                        config.nodes() * config.processes(),
                        waits);
        timers = new LiveTimers(loop, control, this::onTimer);
        remoteBytes = remotes.map(MemorySegment::byteSize).orElse(0L);
        NodeKernel ofNode = new NodeKernel(kernelConfig(config));
        view = ofNode.view();
        kernel =
                new KernelLoop(
                        ofNode,
                        ports(remotes),
                        pages,
                        System::nanoTime,
                        statistics,
                        new NodeFailures(owner));
    }

    private static KernelConfig kernelConfig(AgentConfig config) {
        return new KernelConfig(
                config.self(),
                config.nodes(),
                config.nodeThreads(),
                config.coherence().holdNanos(),
                config.coherence().flushDelayNanos(),
                config.coherence().updates(),
                config.coherence().twins(),
                config.coherence().checksRaces());
    }

    private EffectPerformer.Ports ports(Optional<MemorySegment> remotes) {
        RemoteMemory words =
                remotes.<RemoteMemory>map(LiveRemoteMemory::new).orElse(RemoteMemory.NONE);
        return new EffectPerformer.Ports(
                this::send, pages, locks, this::resume, timers, tracer, owner, words, pages.pool());
    }

    private void onTimer(TimerId timer) {
        handle(new Event.TimerFired(timer, System.nanoTime()));
    }

    /** Begins to join the cluster. */
    public void start() {
        cluster.start();
    }

    /** The run has started: tells the kernel which nodes share the pool of an agent. */
    public void meet() {
        waits.start();
        Hosts hosts = cluster.hosts();
        if (config.coherence().updates().weak().isPooled() && !hosts.isOne()) {
            pages.meet(hosts);
            handle(new Event.HostsMet(hosts));
        }
    }

    public void handle(Event event) {
        kernel.handle(event);
    }

    /** The engine of the application's memory. */
    public FaultEngine engine() {
        return engine;
    }

    public Cluster cluster() {
        return cluster;
    }

    public LiveTracer tracer() {
        return tracer;
    }

    /**
     * Compares the run's pool with this node's copies, when the program is over.
     *
     * @throws io.muninn.nativefault.BrokenMemoryException if the pool was overwritten
     */
    public void verifyPool() {
        if (config.nodes() > 1) { // one node alone enters no page
            pages.verifyPool();
        }
    }

    /** Updates the counts that are kept elsewhere. */
    public void countOthers() {
        control.set(NodeCounter.AGENT_NANOS, owner.agentNanos());
        control.set(NodeCounter.REMOTE_DIRECT, control.accesses());
        tracer.updateLinks(cluster.counters());
    }

    public NodeReport report() {
        countOthers();
        control.set(NodeCounter.CONNECTIONS_REFUSED, owner.connectionsRefused());
        return waits.addTo(
                tracer.report(
                        config.self(),
                        trap.report(),
                        pids(),
                        cluster.counters(),
                        statistics.counts()));
    }

    private NodeReport.Pids pids() {
        return new NodeReport.Pids(
                ProcessHandle.current().pid(),
                engine.processes().stream().map(process -> (long) process.pid()).toList());
    }

    private void onStopped(PageId page, long loadNanos, long storeNanos) {
        tracer.count(NodeCounter.FAULT_NANOS, loadNanos + storeNanos);
        statistics.onStopped(page, loadNanos, storeNanos);
    }

    /**
     * Adds the declared regions, and handles faults and the calls of threads from now on.
     *
     * @param declared the layout in force
     * @return ends the handling of faults, and of calls in mailboxes
     */
    public Cancellable open(Layout declared, AgentEventLoop loop, CallServer calls) {
        declared.regions().forEach(region -> add(region, false));
        remotes = declared.remotes();
        calls.use(this::onCall);
        if (!engine.watchEdges()) {
            return watchFaults(engine.first(), loop);
        }
        calls.use(new Mailboxes(control.mailboxes()));
        return loop.registerEdges(
                engine.first().faultFd(),
                () -> {
                    onFaults(MappingId.FIRST); // of all processes
                    calls.handlePosted();
                });
    }

    /**
     * Handles the faults of a further process from now on.
     *
     * @return ends that
     */
    public Cancellable join(TrappedProcess process, AgentEventLoop loop) {
        return engine.kind().hasTraps() ? () -> {} : watchFaults(process, loop);
    }

    private Cancellable watchFaults(TrappedProcess process, AgentEventLoop loop) {
        return loop.register(process.faultFd(), () -> onFaults(process.mapping()));
    }

    /** What waits in the node, see {@link KernelView#describeWaits}. */
    public NodeWaits waits() {
        return view.describeWaits(
                described.of(view.waits()),
                cluster.counters().total().messages(),
                received,
                List.of());
    }

    private boolean onCall(CallConnection caller, int call, WireReader body) {
        boolean isHandled = router.onCall(caller, call, body);
        timers.onCallEntered();
        return isHandled;
    }

    /** Handles a bounded batch of faults; the descriptor stays readable if there are more. */
    private void onFaults(MappingId readable) {
        long now = System.nanoTime();
        engine.readFaults(
                readable,
                (of, offset, kind, thread) -> onFault(of, offset, kind, mark(thread), now));
    }

    /** Returns the mark of a stopped thread; the count of its calls does not change meanwhile. */
    private ThreadMark mark(int id) {
        int thread = control.threadOf(id);
        if (thread < 0) {
            return ThreadMark.UNKNOWN;
        }
        OptionalInt slot = control.section(thread);
        return new ThreadMark(
                thread,
                control.calls(thread),
                slot.isPresent() ? locks.lock(slot.getAsInt()) : Optional.empty());
    }

    private void onFault(
            MappingId of, long offset, FaultKind kind, ThreadMark thread, long nowNanos) {
        PageId page;
        try {
            page = pages.faulted(of, offset, kind, thread.thread(), nowNanos);
        } catch (IllegalArgumentException stray) {
            owner.failRun(stray.getMessage());
            return;
        }
        if (lateAccess.isPresent()) {
            lateAccess.get().accept(lateAccess(page));
            lateAccess = Optional.empty(); // warns once
        }
        if (pages.takeFaulted(of, page)) {
            handle(new Event.FaultRaised(of, page, kind, thread, nowNanos));
        }
    }

    /**
     * Ends the use of shared memory: the run is over, and the exit of the application is no longer
     * a loss. Pages that are not on this node cannot be fetched from now on, as after a loss.
     *
     * @param warn receives a warning if the program still accesses shared memory
     */
    public void runIsOver(Consumer<String> warn) {
        engine.processes().forEach(TrappedProcess::bye);
        lateAccess = Optional.of(warn);
        handle(new Event.PeerLost(config.self(), "the run is over"));
    }

    private String lateAccess(PageId page) {
        return "warning: a thread accesses variable '"
                + layout.regions().get(page.region()).name()
                + "' after the end of the run, where a page that is not on this node gives an"
                + " InternalError; a shutdown hook must not use shared variables";
    }

    @Override
    public void onMessage(NodeId from, WireMessage message) {
        received++;
        handle(new Event.MessageArrived(from, message, System.nanoTime()));
    }

    /** Warns of each page for which a thread has waited longer than the heartbeat limit, once. */
    public void warnOfOverdueFaults(Consumer<String> warn) {
        long limitNanos = config.membership().heartbeatLimit().toNanos();
        pages.reportOverdue(
                System.nanoTime(),
                limitNanos,
                page ->
                        warn.accept(
                                "warning: a thread has waited for more than "
                                        + config.membership().heartbeatLimit().toMillis()
                                        + " ms for a page of "
                                        + kernel.describe(page)));
    }

    /** What agents have to do before the node can go on: the oldest request of each kind. */
    public List<AgentRequest> oldestRequests() {
        List<AgentRequest> oldest = new ArrayList<>(view.oldestRequests());
        pages.oldestStop()
                .ifPresent(stop ->
                        oldest.add(new AgentRequest(stop, "request for " + asked(stop.page()))));
        return oldest;
    }

    private String asked(PageId page) {
        return nameOf(page)
                + ", which node "
                + kernel.snapshot(page).probableOwner()
                + " probably has ("
                + kernel.describe(page)
                + ")";
    }

    /** Messages of other nodes that have arrived. */
    public long received() {
        return received;
    }

    /** Called when a process's command thread has withdrawn access as requested. */
    public void onWithdrawn(MappingId of) {
        pages.onWithdrawn(of);
    }

    /**
     * Delays a refusal, because the protocol repeats the withdrawal: otherwise it would do so
     * without end.
     */
    private void onWithdrawn(Event.AccessWithdrawn withdrawn, AgentEventLoop loop) {
        if (withdrawn.refused().isEmpty()) {
            handle(withdrawn);
        } else {
            loop.schedule(REFUSAL_NANOS, () -> handle(withdrawn));
        }
    }

    @Override
    public boolean hasPage(PageId page) {
        List<RegionSpec> regions = layout.regions();
        return page.region() < regions.size() && page.index() < regions.get(page.region()).pages();
    }

    @Override
    public String nameOf(PageId page) {
        String variable = layout.regions().get(page.region()).name();
        return "page " + page + " of variable '" + variable + "'";
    }

    @Override
    public NodeId home(PageId page) {
        RegionSpec region = layout.regions().get(page.region());
        NodeId node = ProtocolKind.home(region, kernel.snapshot(page), config.nodes());
        return config.nodeThreads().seen(node, MappingId.FIRST);
    }

    public List<RegionSpec> regions() {
        return layout.regions();
    }

    /** The remote variables. */
    public List<RegionSpec> remotes() {
        return remotes;
    }

    @Override
    public long remoteBytes() {
        return remoteBytes;
    }

    /** Every process of the node allocates a region; the first adds it. */
    @Override
    public void allocate(RegionSpec declared) {
        RegionSpec region = config.inForce(declared);
        List<RegionSpec> known = layout.regions();
        if (config.processes() == 1 || region.index() >= known.size()) {
            add(region, true);
        } else if (!known.get(region.index()).equals(region)) {
            throw new IllegalArgumentException(
                    "a process allocates "
                            + region
                            + ", and another of its node "
                            + known.get(region.index()));
        }
    }

    private void add(RegionSpec region, boolean isAllocated) {
        LayoutLimits.check(region, engine.regionBytes(), config.coherence().memoryBytes());
        layout.add(region);
        pages.add(
                region, ProtocolKind.of(region.protocol(), config.coherence().updates()).traits());
        handle(new Event.RegionAdded(region, isAllocated));
    }

    private int send(NodeId to, WireMessage message) {
        int bytes = cluster.send(to, message);
        countMessages.run();
        return bytes;
    }

    /**
     * Resumes a waiter. Pending messages are sent first, because waking a thread takes longer than
     * sending. The thread may read the counts of messages. If another node of this agent replies,
     * the reply is in the batch of the request.
     */
    private void resume(WaiterId waiter, Outcome outcome) {
        cluster.flush();
        tracer.update(cluster.counters());
        router.resume(waiter, outcome);
    }
}
