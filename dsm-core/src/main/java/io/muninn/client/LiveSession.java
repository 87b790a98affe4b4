package io.muninn.client;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.Verdict;
import io.muninn.api.service.NodeLocks;
import io.muninn.api.service.NodeMessages;
import io.muninn.api.shipping.ShippedObjects;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.NodeChecks;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import io.muninn.nativefault.ApplicationMapping;
import io.muninn.nativefault.EngineKind;
import io.muninn.protocol.Meetings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * This process's part in a live cluster.
 *
 * <p><b>Threads.</b> Any application thread; each has a connection of its own to the agent, made
 * when it first asks its node for a service.
 */
final class LiveSession implements DsmSession {
    /** A collective allocation; the n-th of every thread is the same. */
    private record Allocation(String name, ViewSpec spec, Protocol protocol, RegionSpec region) {}

    private final AgentAddress agent;
    private final AgentConnection mainConnection;
    private final Thread mainThread = Thread.currentThread();
    private final int nodeId;
    private final int nodes;
    private final int threads;
    private final ApplicationMapping mapping;
    private final ControlMemory control;
    private final LiveNode[] services;
    private final ThreadLocal<AgentConnection> connections = new ThreadLocal<>();
    private final NodeLocks locks;
    private final List<Allocation> allocations = new ArrayList<>();
    private final Messages messages;
    private final ShippedObjects objects;
    private final AtomicInteger connectedThreads; // numbers of threads, the program's come first
    private final long spinNanos; // before a thread blocks for its agent
    private final boolean mailboxes;
    private final GrowingLayout layout;
    private volatile boolean running;
    private long startedNanos;
    private double seconds;

    private LiveSession(AgentAddress agent, AgentConnection connection, Layout declared) {
        this.agent = agent;
        this.mainConnection = connection;
        connections.set(connection);
        connection.start(Call.JOIN).text(declared.toText());
        connection.call();
        CallBuffer joined = connection.answer();
        nodeId = joined.u32();
        nodes = joined.u32();
        threads = joined.u32();
        long mappingBytes = joined.i64();
        long joiningLossMillis = joined.i64();
        long lossMillis = joined.i64();
        spinNanos = joined.i64();
        mailboxes = joined.u8() != 0;
        connection.spin(spinNanos);
        EngineKind engine = engine(joined.text());
        String faultSocket = joined.text();
        layout = new GrowingLayout(Layout.parse(joined.text()));
        mapping =
                ApplicationMapping.open(
                        engine, mappingBytes, ControlMemory.BYTES, ControlMemory.WATCH_OFFSET);
        control = new ControlMemory(mapping.control());
        mapping.attach(faultSocket, agent.token(), nodeId, joiningLossMillis);
        useMailbox(connection);
        connection.start(Call.READY);
        connection.call();
        mapping.allowSilence(lossMillis);
        locks = new NodeLocks(nodeId, new LiveLocks(this::connection, control));
        messages = new NodeMessages(nodeId, nodes, new LiveMessages(this::connection));
        services = new LiveNode[threads];
        Arrays.setAll(services, thread -> new LiveNode(this, thread));
        objects = new ShippedObjects(nodes, new LiveObjects(this));
        connectedThreads = new AtomicInteger(threads);
    }

    /**
     * Attaches this process and waits until all nodes have joined.
     *
     * @throws DsmException if the agent or the cluster refuses
     */
    static LiveSession attach(AgentAddress agent, Layout declared) {
        AgentConnection connection = new AgentConnection(agent.socket(), agent.token(), 0);
        try {
            return new LiveSession(agent, connection, declared);
        } catch (RuntimeException cause) {
            reportFailure(connection, cause);
            throw cause;
        }
    }

    private static EngineKind engine(String word) {
        return EngineKind.named(word)
                .orElseThrow(() -> new DsmException("the agent has an engine '" + word + "'"));
    }

    @Override
    public int nodeId() {
        return nodeId;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public int threads() {
        return threads;
    }

    @Override
    public synchronized Layout layout() {
        return layout.layout();
    }

    @Override
    public MemorySegment segment(RegionSpec region) {
        return mapping.region().asSlice(region.offset(), region.bytes());
    }

    @Override
    public DsmNode node(int thread) {
        if (thread < 0 || thread >= threads) {
            throw new IllegalArgumentException(
                    "thread " + thread + " is outside 0.." + (threads - 1));
        }
        return services[thread];
    }

    @Override
    public void initialized() {
        if (nodeId == 0) {
            connection().start(Call.SEALED);
            connection().call();
        }
        meet(Meetings.START.name(), nodes);
        startedNanos = System.nanoTime();
        running = true;
    }

    @Override
    public void threadEnds(int thread) {
        bindThread(thread);
        meet(Meetings.END.name(), 0);
        if (thread == 0) {
            seconds = (System.nanoTime() - startedNanos) / 1e9;
        }
    }

    @Override
    public void finished() {
        meet(Meetings.FINISH.name(), nodes);
        seconds = (System.nanoTime() - startedNanos) / 1e9;
    }

    private void meet(String barrier, int parties) {
        try {
            await(barrier, parties, -1);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    /**
     * Waits at a barrier.
     *
     * @param parties 0 stands for all
     */
    void await(String barrier, int parties, long limitNanos) throws TimeoutException {
        connection().start(Call.BARRIER).text(barrier).u32(parties).i64(limitNanos);
        connection().callTimed();
    }

    @Override
    public void close(Verdict verdict) {
        connection()
                .start(Call.CLOSE)
                .u8(verdict.checked() ? 1 : 0)
                .u8(verdict.right() ? 1 : 0)
                .text(verdict.detail())
                .f64(seconds)
                .text(System.getProperty(ApplicationMain.PROGRAM_PROPERTY, ""))
                .text(System.getProperty(ApplicationMain.VERSION_PROPERTY, ""));
        connection().call();
    }

    @Override
    public void failed(Throwable cause) {
        AgentConnection mine = connections.get();
        if (mine != null) {
            reportFailure(mine, cause);
            return;
        }
        try (AgentConnection fresh = new AgentConnection(agent.socket(), agent.token(), -1)) {
            reportFailure(fresh, cause);
        }
    }

    private static void reportFailure(AgentConnection connection, Throwable cause) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        connection.start(Call.FAILED).text(trace.toString());
        try {
            connection.call();
        } catch (DsmException unheard) {
            cause.addSuppressed(unheard); // the agent is ending the run already
        }
    }

    ControlMemory control() {
        return control;
    }

    /** Makes the calling thread application thread {@code thread}, unless it is already. */
    void bindThread(int thread) {
        if (connections.get() != null) {
            return;
        }
        NodeChecks.checkThread();
        connections.set(
                thread == 0 && Thread.currentThread() == mainThread
                        ? mainConnection
                        : connected(thread));
    }

    /**
     * Makes the calling thread one more application thread, which serves shipped objects or
     * completes their calls.
     */
    void bindOwnThread() {
        connections.set(connected(connectedThreads.getAndIncrement()));
    }

    private AgentConnection connected(int thread) {
        AgentConnection connection = new AgentConnection(agent.socket(), agent.token(), thread);
        connection.spin(spinNanos);
        useMailbox(connection);
        return connection;
    }

    private void useMailbox(AgentConnection connection) {
        if (mailboxes) {
            mapping.tellFd().ifPresent(fd -> connection.useMailbox(control, fd));
        }
    }

    Messages messages() {
        return messages;
    }

    ShippedObjects objects() {
        return objects;
    }

    /** True once initialization is over. */
    boolean isRunning() {
        return running;
    }

    NodeLocks locks() {
        return locks;
    }

    /** The calling thread's connection. */
    AgentConnection connection() {
        AgentConnection mine = connections.get();
        if (mine == null) {
            throw new IllegalStateException(
                    "thread "
                            + Thread.currentThread().getName()
                            + " is no application thread: it has asked no DsmNode for a service");
        }
        return mine;
    }

    /**
     * Adds a region if the caller is the first thread of this node to ask, binds, and meets all.
     */
    void allocate(int ordinal, String name, SharedVariable shape, Protocol protocol) {
        if (!running) {
            throw new IllegalStateException(
                    "variable '" + name + "' is allocated during initialization: declare it");
        }
        if (protocol == Protocol.READ_ONLY) {
            throw new IllegalArgumentException(
                    "variable '" + name + "' cannot be allocated READ_ONLY: nobody could fill it");
        }
        ViewSpec spec = ViewBinder.spec(shape);
        Allocation allocation = allocation(ordinal, name, spec, protocol);
        ViewBinder.bind(shape, name, segment(allocation.region()).asSlice(0, spec.bytes()));
        meet(Meetings.allocation(ordinal, name, spec.type(), protocol).name(), 0);
    }

    private synchronized Allocation allocation(
            int ordinal, String name, ViewSpec spec, Protocol protocol) {
        if (ordinal < allocations.size()) {
            Allocation known = allocations.get(ordinal);
            if (!known.name().equals(name)
                    || !known.spec().equals(spec)
                    || known.protocol() != protocol) {
                throw new DsmException(
                        "threads of node "
                                + nodeId
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
        RegionSpec region = layout.next(name, spec, protocol);
        AgentConnection connection = connection();
        connection.start(Call.ADD_REGION).u32(region.index()).text(region.toText());
        try {
            connection.call();
        } catch (RefusedException tooLarge) {
            throw new IllegalArgumentException(tooLarge.getMessage(), tooLarge);
        }
        layout.add(region);
        Allocation added = new Allocation(name, spec, protocol, region);
        allocations.add(added);
        return added;
    }
}
