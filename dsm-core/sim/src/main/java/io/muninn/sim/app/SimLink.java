package io.muninn.sim.app;

import io.muninn.api.Cluster;
import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import io.muninn.api.service.LockLink;
import io.muninn.api.service.MessageLink;
import io.muninn.api.service.NodeSession;
import io.muninn.api.service.NodeShape;
import io.muninn.api.service.ObjectLink;
import io.muninn.api.service.RemoteLink;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.api.spi.ClusterScope;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.link.EventLink;
import io.muninn.link.EventMessages;
import io.muninn.link.ThreadCalls;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A simulated process's link to the kernel of its node, in a run of a program. Its calls are those
 * of the live link, so a simulated run and a live one send the same messages.
 *
 * <p><b>Threads.</b> The node's application threads, in turn.
 */
final class SimLink extends EventLink {
    private final AppCluster cluster;
    private final SimNode node;
    private final MappingId process;
    private final NodeThreads threads;
    private final LentMemory lent = new LentMemory();
    private final Map<Integer, List<PageGuard>> guards = new TreeMap<>(); // by region
    private final NodeShape shape;
    private final List<AppThread> started = new ArrayList<>();
    private final LockLink locks;
    private final MessageLink messages;
    private final ObjectLink objects;
    private final RemoteLink remotes;
    private final NodeSession session;
    private boolean isClosed;
    private Optional<AppResult.Node> counts = Optional.empty();

    SimLink(AppCluster cluster, SimNode node, MappingId process, Layout declared) {
        this.cluster = cluster;
        this.node = node;
        this.process = process;
        threads = cluster.simulation().cluster().nodeThreads();
        shape =
                new NodeShape(
                        threads.seen(node.id(), process).index(),
                        cluster.simulation().cluster().nodes() * threads.processes(),
                        threads.perProcess(),
                        declared);
        locks = new SimLocks(cluster);
        messages = new EventMessages(cluster::current);
        objects = new SimObjects(this);
        remotes = new SimRemoteLink(cluster, node, threads);
        session = new NodeSession(this);
        node.onShrink(this::onShrink);
    }

    /** True for the first process of its node, which has the counts of the node. */
    boolean isFirst() {
        return process.equals(MappingId.FIRST);
    }

    /** What the program runs in. */
    NodeSession session() {
        return session;
    }

    @Override
    public NodeShape shape() {
        return shape;
    }

    @Override
    public LockLink locks() {
        return locks;
    }

    @Override
    public MessageLink messages() {
        return messages;
    }

    @Override
    public ObjectLink objects() {
        return objects;
    }

    @Override
    public RemoteLink remotes() {
        return remotes;
    }

    /** Empty: a simulated node's threads are what they are. */
    @Override
    public void bind(int thread) {}

    @Override
    protected ThreadCalls calls() {
        return current();
    }

    @Override
    public NodeId home(RegionSpec region, int page) {
        if (region.home() != Home.FIRST_TOUCH) {
            return region.homeOf(page, shape.nodes());
        }
        PageId of = new PageId(region.index(), page);
        NodeId home = ProtocolKind.home(region, node.snapshot(of), shape.nodes());
        return threads.seen(home, MappingId.FIRST);
    }

    @Override
    public void work(long units) {
        current().work(units);
    }

    @Override
    public MemorySegment segment(RegionSpec region) {
        return node.pages().memory(region.index());
    }

    @Override
    public Optional<AccessGuard> guard(RegionSpec region) {
        PageGuard guard = new PageGuard(cluster, node, process, lent, region);
        guards.computeIfAbsent(region.index(), _ -> new ArrayList<>()).add(guard);
        return Optional.of(guard);
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
    public ApplicationThread start(int thread, Runnable body) {
        int number = threads.first(process.index()) + thread;
        AppThread application =
                new AppThread(cluster, node.threads().get(number), () -> inCluster(body));
        started.add(application);
        return application;
    }

    private void inCluster(Runnable body) {
        Cluster size = new Cluster(shape().nodes(), shape().threads());
        ClusterScope.during(
                size,
                () -> {
                    body.run();
                    return size;
                });
    }

    /** Starts a thread that belongs to no program. */
    void startOwn(Runnable body) {
        started.add(new AppThread(cluster, node.addOwnThread(process), body));
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
        super.initialized();
        if (cluster.placesPages()) {
            shape.declared().regions().forEach(this::loadOwnPages);
            current().call(placed());
        }
    }

    private void loadOwnPages(RegionSpec region) {
        if (region.protocol() != Protocol.HOME_BASED) {
            return;
        }
        for (int page = 0; page < region.pages(); page++) {
            if (region.homeOf(page, shape.nodes()).index() == shape.node()) {
                current().load(new PageId(region.index(), page));
            }
        }
    }

    private Event.BarrierReached placed() {
        return new Event.BarrierReached(
                current().id(), AppRun.PLACED, shape.nodes(), EventLink.FOR_EVER);
    }

    @Override
    protected void onSealed() {
        current().observed(cluster::initialized);
    }

    @Override
    public void close(Verdict verdict, double seconds) {
        current().pass(cluster.simulation().delays().call());
        isClosed = true;
        if (shape.node() == 0) {
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

    @Override
    public Statistics statistics() {
        current().charge();
        return super.statistics();
    }

    @Override
    protected long count(NodeCounter counter) {
        return switch (counter) {
            case MESSAGES -> node.traffic().total().messages();
            case BYTES -> node.traffic().total().bytes();
            default -> node.count(counter);
        };
    }

    /** What the node has counted, until the end of the run. */
    AppResult.Node counts() {
        return counts.orElseGet(this::countsNow);
    }

    private AppResult.Node countsNow() {
        Map<NodeCounter, Long> counters = new EnumMap<>(NodeCounter.class);
        for (NodeCounter counter : NodeCounter.values()) {
            counters.put(counter, count(counter));
        }
        long compute = started.stream().mapToLong(AppThread::computeNanos).sum();
        return new AppResult.Node(
                counters,
                node.traffic().byKind(),
                node.statistics().counts(),
                compute,
                node.processors().report(),
                cluster.simulation()
                        .machine()
                        .map(machine -> machine.node(node.id().index()).counts()));
    }

    @Override
    public RegionSpec next(
            GrowingLayout layout, String name, ViewSpec spec, Protocol protocol, Home home) {
        return cluster.inForce(layout, name, spec, protocol, home);
    }

    @Override
    public void addRegion(GrowingLayout layout, RegionSpec region) {
        cluster.checkMemory(layout, region);
        if (region.index() == node.pages().regionCount()) { // the first process of its node
            current().observed(() -> node.allocate(region));
        }
    }
}
