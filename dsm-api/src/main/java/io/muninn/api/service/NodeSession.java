package io.muninn.api.service;

import static java.util.Objects.requireNonNull;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Home;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Verdict;
import io.muninn.api.shipping.ShippedObjects;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ApplicationThread;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.OverriddenLink;
import io.muninn.api.spi.Printable;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.RemoteAccess;
import io.muninn.api.spi.VariableSpec;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The session of one node, over any kernel.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public final class NodeSession implements DsmSession {
    private static final double NANOS = 1e9;

    /** A collective allocation; the n-th allocation of every thread is the same. */
    private record Allocation(
            String name,
            ViewSpec spec,
            Protocol protocol,
            Home home,
            RegionSpec region,
            MemorySegment memory) {
        boolean isOf(String otherName, ViewSpec otherSpec, Protocol otherProtocol, Home otherHome) {
            return name.equals(otherName)
                    && spec.equals(otherSpec)
                    && protocol == otherProtocol
                    && home == otherHome;
        }

        String text() {
            return NodeSession.text(name, spec, protocol, home);
        }
    }

    private final KernelLink link;
    private final NodeRemotes remotes;
    private final NodeLocks locks;
    private final Messages messages;
    private final ShippedObjects objects;
    private final List<ThreadServices> services;
    private final GrowingLayout layout; // guarded by the monitor, as are the allocations
    private final List<Allocation> allocations = new ArrayList<>();
    private volatile boolean isRunning; // true once initialization is over
    private long startedNanos;
    private double seconds;

    public NodeSession(KernelLink link) {
        this.link = link;
        int node = nodeId();
        NodeReplies replies = new NodeReplies(link.objects());
        this.remotes = new NodeRemotes(node, nodes(), link.remotes(), replies);
        this.locks = new NodeLocks(node, link.locks(), remotes::beforeUnlock);
        this.messages = new NodeMessages(node, nodes(), link.messages(), remotes::beforeRelease);
        this.objects =
                new ShippedObjects(
                        nodes(),
                        new NodeObjects(
                                node, link.objects(), locks, replies, remotes, () -> isRunning));
        this.services =
                IntStream.range(0, link.shape().threads())
                        .mapToObj(thread -> new ThreadServices(this, link, thread))
                        .toList();
        this.layout = new GrowingLayout(link.shape().declared());
    }

    @Override
    public int nodeId() {
        return link.shape().node();
    }

    @Override
    public int nodes() {
        return link.shape().nodes();
    }

    @Override
    public int threads() {
        return services.size();
    }

    @Override
    public synchronized Layout layout() {
        return layout.layout();
    }

    @Override
    public MemorySegment segment(RegionSpec region) {
        return link.segment(region);
    }

    @Override
    public Optional<AccessGuard> guard(RegionSpec region) {
        return link.guard(region);
    }

    @Override
    public ViewLink link(RegionSpec region, VariableSpec variable) {
        return new RegionLink(link, region, variable.offset());
    }

    @Override
    public RemoteAccess remote(RegionSpec remote) {
        return remotes.of(remote);
    }

    /** The remote variables of this node. */
    NodeRemotes remotes() {
        return remotes;
    }

    @Override
    public DsmNode node(int thread) {
        if (thread < 0 || thread >= threads()) {
            throw new IllegalArgumentException(
                    "thread " + thread + " is outside 0.." + (threads() - 1));
        }
        return services.get(thread);
    }

    @Override
    public ApplicationThread start(int thread, Runnable body) {
        if (link.shape().declared().remotes().isEmpty()) {
            return link.start(thread, body);
        }
        return link.start(
                thread,
                () -> {
                    link.bind(thread); // remote variables call without a node
                    body.run();
                });
    }

    @Override
    public long nowNanos() {
        return link.nowNanos();
    }

    @Override
    public void initialized() {
        remotes.beforeRelease();
        link.initialized();
        startedNanos = nowNanos();
        isRunning = true;
    }

    @Override
    public void partsInitialized() {
        startedNanos = nowNanos();
    }

    @Override
    public void threadEnds(int thread) {
        link.bind(thread);
        remotes.beforeRelease();
        link.threadEnds();
        services.get(thread).ended();
        if (thread == 0) {
            takeTime();
        }
    }

    @Override
    public void finished() {
        link.finished();
        takeTime();
    }

    private void takeTime() {
        seconds = (nowNanos() - startedNanos) / NANOS;
    }

    /** False during initialization. */
    boolean isRunning() {
        return isRunning;
    }

    /** Duration of the parallel part in seconds; 0 while it has not ended. */
    public double seconds() {
        return seconds;
    }

    @Override
    public void close(Verdict verdict) {
        link.close(verdict, seconds);
    }

    @Override
    public void failed(Throwable cause) {
        link.failed(Printable.of(cause));
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
     * Adds a region if the caller is the first thread of this node to allocate it, binds the shape
     * and waits for all threads.
     *
     * @param ordinal number of earlier allocations of the calling thread
     */
    void allocate(int ordinal, String name, SharedVariable shape, Protocol protocol, Home home) {
        requireNonNull(protocol, () -> "variable '" + name + "' has no protocol");
        requireNonNull(home, () -> "variable '" + name + "' has no home policy");
        if (protocol.isSealed()) {
            throw new IllegalArgumentException(
                    "variable '"
                            + name
                            + "' cannot be allocated "
                            + protocol
                            + ": nobody could fill it, except by DsmNode.allocateReadOnly");
        }
        ViewSpec spec = ViewBinder.spec(shape);
        Allocation allocation = allocation(ordinal, name, spec, protocol, home);
        RegionSpec region = allocation.region();
        ViewBinder.bind(
                shape,
                name,
                allocation.memory(),
                link.guard(region).orElse(null),
                OverriddenLink.of(
                        link(region, region.variables().getFirst()),
                        nodes(),
                        name,
                        protocol,
                        region.protocol()));
        link.meetToAllocate(ordinal, name, spec.type(), protocol, home);
    }

    private synchronized Allocation allocation(
            int ordinal, String name, ViewSpec spec, Protocol protocol, Home home) {
        if (ordinal < allocations.size()) {
            Allocation known = allocations.get(ordinal);
            if (!known.isOf(name, spec, protocol, home)) {
                throw new DsmException(
                        "threads of node "
                                + nodeId()
                                + " allocate differently: "
                                + known.text()
                                + ", and "
                                + text(name, spec, protocol, home));
            }
            return known;
        }
        RegionSpec region = link.next(layout, name, spec, protocol, home);
        link.addRegion(layout, region);
        layout.add(region);
        MemorySegment memory = link.segment(region).asSlice(0, spec.bytes());
        Allocation added = new Allocation(name, spec, protocol, home, region, memory);
        allocations.add(added);
        return added;
    }

    private static String text(String name, ViewSpec spec, Protocol protocol, Home home) {
        String homes = home == Home.BANDED ? "" : ", home " + home;
        return "variable '" + name + "', " + spec.type() + " " + protocol + homes;
    }
}
