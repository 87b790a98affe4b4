package io.muninn.sim.app;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.service.NodeLocks;
import io.muninn.api.service.NodeMessages;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.shipping.ShippedObjects;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Event;
import io.muninn.protocol.Meetings;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.Traffic;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * A pretended node's part in a run of a program. What its threads ask of the kernel, and in which
 * order, is what the live client asks of its agent: a simulated run and a live one send the same
 * messages.
 *
 * <p><b>Threads.</b> The node's application threads, in turn.
 */
final class SimSession implements DsmSession {
    /** A collective allocation; the n-th of every thread is the same. */
    private record Allocation(String name, ViewSpec spec, Protocol protocol, RegionSpec region) {}

    private static final double NANOS = 1e9;

    private final AppCluster cluster;
    private final SimNode node;
    private final LentMemory lent = new LentMemory();
    private final Map<Integer, List<PageGuard>> guards = new TreeMap<>(); // by region
    private final SimulatedNode[] services;
    private final List<AppThread> started = new ArrayList<>();
    private final NodeLocks locks;
    private final List<Allocation> allocations = new ArrayList<>();
    private final Messages messages;
    private final ShippedObjects objects;
    private final GrowingLayout layout;
    private boolean isRunning;
    private long startedNanos;
    private double seconds;
    private boolean isClosed;
    private Optional<AppResult.Node> counts = Optional.empty();

    SimSession(AppCluster cluster, SimNode node, Layout layout) {
        this.cluster = cluster;
        this.node = node;
        this.layout = new GrowingLayout(layout);
        services = new SimulatedNode[node.threads().size()];
        Arrays.setAll(services, thread -> new SimulatedNode(this, thread));
        locks = new NodeLocks(nodeId(), new SimLocks(cluster));
        messages = new NodeMessages(nodeId(), nodes(), new SimMessages(cluster));
        objects = new ShippedObjects(nodes(), new SimObjects(this));
        node.onShrink(this::onShrink);
    }

    @Override
    public int nodeId() {
        return node.id().index();
    }

    @Override
    public int nodes() {
        return cluster.simulation().cluster().nodes();
    }

    @Override
    public int threads() {
        return services.length;
    }

    @Override
    public Layout layout() {
        return layout.layout();
    }

    @Override
    public MemorySegment segment(RegionSpec region) {
        return node.pages().memory(region.index());
    }

    @Override
    public Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.of(newGuard(region));
    }

    private PageGuard newGuard(RegionSpec region) {
        PageGuard guard = new PageGuard(cluster, node, lent, region);
        guards.computeIfAbsent(region.index(), _ -> new ArrayList<>()).add(guard);
        return guard;
    }

    private void onShrink(PageId page, PageAccess access) {
        SimPages pages = node.pages();
        boolean hasContent = pages.isPresent(page) && !pages.isPoisoned(page);
        lent.onShrink(page, hasContent ? lendable(access) : access);
        for (PageGuard guard : guards.getOrDefault(page.region(), List.of())) {
            guard.onShrink(page, access);
        }
    }

    /**
     * What lent memory still allows. Where access is withdrawn to see whether a copy is used, loads
     * of memory that is lent go on: in a live run they would fault, and get the access back.
     */
    private static PageAccess lendable(PageAccess access) {
        return access == PageAccess.NONE ? PageAccess.READ : access;
    }

    @Override
    public DsmNode node(int thread) {
        if (thread < 0 || thread >= threads()) {
            throw new IllegalArgumentException(
                    "thread " + thread + " is outside 0.." + (threads() - 1));
        }
        return services[thread];
    }

    @Override
    public ApplicationThread start(int thread, Runnable body) {
        AppThread application = new AppThread(cluster, node.threads().get(thread), body);
        started.add(application);
        return application;
    }

    /** Starts a thread that belongs to no program. */
    void startOwn(Runnable body) {
        started.add(new AppThread(cluster, node.addOwnThread(), body));
    }

    @Override
    public long nowNanos() {
        return cluster.simulation().nowNanos();
    }

    /** The application thread that calls, of whichever node. */
    AppThread current() {
        return cluster.current();
    }

    @Override
    public void initialized() {
        if (node.id().isRoot()) {
            AppThread self = current();
            Event sealed = new Event.Sealed(self.simThread().id());
            self.call(sealed, Counter.FAULT_NANOS, false);
            self.observed(cluster::initialized);
        }
        meet(Meetings.START, nodes());
        startedNanos = nowNanos();
        isRunning = true;
    }

    @Override
    public void threadEnds(int thread) {
        meet(Meetings.END, Event.ALL_PARTIES);
        if (thread == 0) {
            seconds = (nowNanos() - startedNanos) / NANOS;
        }
    }

    @Override
    public void finished() {
        meet(Meetings.FINISH, nodes());
        seconds = (nowNanos() - startedNanos) / NANOS;
    }

    private void meet(BarrierId barrier, int parties) {
        try {
            current().barrier(barrier, parties, AppThread.FOR_EVER, false);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public void close(Verdict verdict) {
        current().pass(cluster.simulation().delays().call());
        isClosed = true;
        if (node.id().isRoot()) {
            cluster.concluded(verdict);
        } else if (cluster.isConcluded()) {
            takeCounts();
        }
    }

    /**
     * The root has verified. What this node counts from now on is of no interest, once it has left
     * the last barrier: a live node hears of the end after that.
     */
    void runConcluded() {
        if (isClosed) {
            takeCounts();
        }
    }

    private void takeCounts() {
        counts = Optional.of(countsNow());
    }

    @Override
    public void failed(Throwable cause) {
        cluster.failed(node.id(), cause);
    }

    /** Ends what has not ended, and takes back what was lent. */
    void abandon() {
        started.forEach(AppThread::abandon);
        lent.close();
    }

    /** Virtual time of the parallel part; 0 while it has not ended. */
    double seconds() {
        return seconds;
    }

    NodeLocks locks() {
        return locks;
    }

    Messages messages() {
        return messages;
    }

    ShippedObjects objects() {
        return objects;
    }

    /**
     * @throws IllegalStateException during initialization, if another node serves the object
     */
    void checkMayCall(Declaration object) {
        if (!isRunning && object.node() != nodeId()) {
            throw object.tooEarly();
        }
    }

    Statistics statistics() {
        Traffic.Sent sent = node.traffic().total();
        return new Statistics(
                node.count(Counter.READ_FAULTS),
                node.count(Counter.WRITE_FAULTS),
                node.count(Counter.PAGES_FETCHED),
                node.count(Counter.PAGES_SENT),
                node.count(Counter.TWINS_MADE),
                node.count(Counter.DIFFS_MADE),
                node.count(Counter.DIFFS_APPLIED),
                sent.messages(),
                sent.bytes());
    }

    /** What the node has counted, until the end of the run. */
    AppResult.Node counts() {
        return counts.orElseGet(this::countsNow);
    }

    private AppResult.Node countsNow() {
        Map<Counter, Long> counters = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            counters.put(counter, node.count(counter));
        }
        Traffic.Sent sent = node.traffic().total();
        counters.put(Counter.MESSAGES, sent.messages());
        counters.put(Counter.BYTES, sent.bytes());
        long compute = started.stream().mapToLong(AppThread::computeNanos).sum();
        return new AppResult.Node(
                counters, node.traffic().byKind(), node.statistics().counts(), compute);
    }

    /**
     * Adds a region if the caller is the first thread of this node to ask, binds, and meets all.
     */
    void allocate(int ordinal, String name, SharedVariable shape, Protocol protocol) {
        if (!isRunning) {
            throw new IllegalStateException(
                    "variable '" + name + "' is allocated during initialization: declare it");
        }
        if (protocol == Protocol.READ_ONLY) {
            throw new IllegalArgumentException(
                    "variable '" + name + "' cannot be allocated READ_ONLY: nobody could fill it");
        }
        ViewSpec spec = ViewBinder.spec(shape);
        RegionSpec region = allocation(ordinal, name, spec, protocol).region();
        ViewBinder.bind(shape, name, segment(region).asSlice(0, spec.bytes()), newGuard(region));
        meet(Meetings.allocation(ordinal, name, spec.type(), protocol), Event.ALL_PARTIES);
    }

    private Allocation allocation(int ordinal, String name, ViewSpec spec, Protocol protocol) {
        if (ordinal < allocations.size()) {
            Allocation known = allocations.get(ordinal);
            if (!known.name().equals(name)
                    || !known.spec().equals(spec)
                    || known.protocol() != protocol) {
                throw new DsmException(
                        "threads of node "
                                + nodeId()
                                + " allocate differently: "
                                + known.name()
                                + " "
                                + known.spec().type()
                                + " and "
                                + name
                                + " "
                                + spec.type());
            }
            return known;
        }
        RegionSpec region = cluster.inForce(layout, name, spec, protocol);
        cluster.checkMemory(layout, region);
        current().observed(() -> node.add(region));
        layout.add(region);
        Allocation added = new Allocation(name, spec, protocol, region);
        allocations.add(added);
        return added;
    }
}
