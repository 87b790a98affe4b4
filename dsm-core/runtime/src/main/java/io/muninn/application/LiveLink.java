package io.muninn.application;

import io.muninn.api.DsmException;
import io.muninn.api.Home;
import io.muninn.api.Verdict;
import io.muninn.api.service.LockLink;
import io.muninn.api.service.MessageLink;
import io.muninn.api.service.NodeShape;
import io.muninn.api.service.ObjectLink;
import io.muninn.api.service.RemoteLink;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.NodeChecks;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.ipc.ControlMemory;
import io.muninn.link.EventLink;
import io.muninn.link.RefusedException;
import io.muninn.link.ThreadCalls;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.nativefault.ApplicationMapping;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.QuitSignal;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * This process's link to its agent.
 *
 * <p><b>Threads.</b> Any application thread; each has its own connection to the agent, created when
 * it first requests a service of its node.
 */
final class LiveLink extends EventLink {
    private final AgentAddress agent;
    private final AgentConnection mainConnection;
    private final Thread mainThread = Thread.currentThread();
    private final NodeShape shape;
    private final ApplicationMapping mapping;
    private final ControlMemory control;
    private final ThreadLocal<AgentConnection> connections = new ThreadLocal<>();
    private final LockLink locks;
    private final MessageLink messages = new LiveMessages(this::connection);
    private final ObjectLink objects;
    private final RemoteLink remotes;
    private final NodeThreads threads;
    private final AtomicInteger furtherThreads = new AtomicInteger(); // of this process
    private final long spinNanos; // polling time before a thread blocks
    private final boolean mailboxes;
    private final Places places;
    private final Optional<LoadRecord> loads; // of a run that looks for races
    private final Optional<StoreLines> stores; // of such a run whose report is a page

    private LiveLink(AgentAddress agent, AgentConnection connection, Layout wanted) {
        this.agent = agent;
        this.mainConnection = connection;
        connections.set(connection);
        connection.start(Call.JOIN).text(wanted.toText());
        connection.call();
        CallBuffer joined = connection.answer();
        int node = joined.u32();
        int nodes = joined.u32();
        threads = new NodeThreads(joined.u32(), joined.u32());
        long mappingBytes = joined.i64();
        long joiningLossMillis = joined.i64();
        long lossMillis = joined.i64();
        spinNanos = joined.i64();
        mailboxes = joined.u8() != 0;
        long served = joined.i64();
        loads = joined.u8() != 0 ? Optional.of(loadRecord()) : Optional.empty();
        stores = joined.u8() != 0 ? Optional.of(new StoreLines()) : Optional.empty();
        connection.spin(spinNanos);
        if (System.getenv(AgentAddress.RUN_VARIABLE) != null) {
            QuitSignal.ignoreTerminal();
        }
        places = new Places(agent);
        places.add(agent.firstThread());
        EngineKind engine = engine(joined.text());
        String faultSocket = joined.text();
        shape =
                new NodeShape(
                        node * threads.processes() + agent.process(),
                        nodes * threads.processes(),
                        threads.perProcess(),
                        Layout.parse(joined.text()));
        ApplicationMapping.Shape memory =
                new ApplicationMapping.Shape(
                        engine,
                        threads.processes(),
                        mappingBytes,
                        ControlMemory.BYTES,
                        ControlMemory.WATCH_OFFSET);
        mapping =
                agent.process() == 0
                        ? ApplicationMapping.open(memory)
                        : ApplicationMapping.join(
                                memory,
                                agent.process(),
                                faultSocket,
                                agent.token(),
                                joiningLossMillis);
        control = new ControlMemory(mapping.control());
        mapping.attach(faultSocket, agent.token(), node, joiningLossMillis);
        useMemory(connection);
        connection.start(Call.READY);
        connection.call();
        mapping.allowSilence(lossMillis);
        places.start();
        locks =
                new LiveLocks(
                        this::connection,
                        control,
                        MappingId.of(agent.process()),
                        threads.processes() > 1);
        objects = new LiveObjects(this);
        long remoteBytes = shape.declared().remoteBytes();
        remotes =
                new LiveRemotes(
                        this::connection,
                        connections,
                        remoteBytes == 0 ? MemorySegment.NULL : mapping.shared(remoteBytes),
                        home -> (served >>> threads.nodeOf(NodeId.of(home)).index() & 1) != 0);
    }

    /**
     * Attaches this process and waits until all nodes have joined.
     *
     * @throws DsmException if the agent or the cluster refuses
     */
    static LiveLink attach(AgentAddress agent, Layout declared) {
        AgentConnection connection =
                new AgentConnection(agent.socket(), agent.token(), agent.firstThread());
        try {
            return new LiveLink(agent, connection, declared);
        } catch (RuntimeException cause) {
            reportFailure(connection, cause);
            throw cause;
        }
    }

    private static LoadRecord loadRecord() {
        if (!Boolean.getBoolean(ApplicationMain.GUARDED)) {
            throw new DsmException(
                    "the run looks for races, and this application does not record its loads:"
                            + " start its JVM with -D"
                            + ApplicationMain.GUARDED
                            + "=true, or run without --check-races");
        }
        return new LoadRecord();
    }

    private static EngineKind engine(String word) {
        return EngineKind.named(word)
                .orElseThrow(() -> new DsmException("the agent has an engine '" + word + "'"));
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

    @Override
    public MemorySegment segment(RegionSpec region) {
        return mapping.region().asSlice(region.offset(), region.bytes());
    }

    @Override
    public Optional<AccessGuard> guard(RegionSpec region) {
        ProtocolTraits traits = ProtocolKind.of(region.protocol()).traits();
        Optional<AccessGuard> ofLoads =
                loads.filter(_ -> traits.has(Trait.FINDS_RACES))
                        .map(record -> record.guard(region));
        return stores.isPresent() && traits.has(Trait.TWINS)
                ? Optional.of(stores.get().guard(region, ofLoads))
                : ofLoads;
    }

    @Override
    protected ThreadCalls calls() {
        return connection();
    }

    /** Does nothing in a thread that has no connection. */
    @Override
    protected void hint(Function<ThreadCalls, Event> event) {
        if (connections.get() != null) {
            super.hint(event);
        }
    }

    /** Calls the agent only for a home by first touch; any other home is computed. */
    @Override
    public NodeId home(RegionSpec region, int page) {
        if (region.home() != Home.FIRST_TOUCH || connections.get() == null) {
            return region.homeOf(page, shape.nodes());
        }
        connection().start(Call.HOME).u32(region.index()).u32(page);
        return NodeId.of((int) connection().call());
    }

    /** Does nothing in live runs, where computation takes real time. */
    @Override
    public void work(long units) {}

    @Override
    protected long count(NodeCounter counter) {
        return control.counter(counter);
    }

    @Override
    public void addRegion(GrowingLayout layout, RegionSpec region) {
        AgentConnection connection = connection();
        connection.start(Call.ADD_REGION).u32(region.index()).text(region.toText());
        try {
            connection.call();
        } catch (RefusedException tooLarge) {
            throw new IllegalArgumentException(tooLarge.getMessage(), tooLarge);
        }
    }

    @Override
    public void close(Verdict verdict, double seconds) {
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
        mapping.warnOfReplacedHandler();
        AgentConnection mine = connections.get();
        if (mine != null) {
            reportFailure(mine, cause);
            return;
        }
        try (AgentConnection fresh =
                new AgentConnection(agent.socket(), agent.token(), -1 - agent.process())) {
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
            cause.addSuppressed(unheard); // the agent is already ending the run
        }
    }

    @Override
    public void bind(int thread) {
        if (connections.get() != null) {
            return;
        }
        NodeChecks.checkThread();
        connections.set(
                thread == 0 && Thread.currentThread() == mainThread
                        ? mainConnection
                        : connected(agent.firstThread() + thread));
    }

    /**
     * Registers the calling thread as a further application thread, which serves shipped objects or
     * completes their calls.
     */
    void bindOwnThread() {
        connections.set(
                connected(threads.further(agent.process(), furtherThreads.getAndIncrement())));
    }

    private AgentConnection connected(int thread) {
        AgentConnection connection = new AgentConnection(agent.socket(), agent.token(), thread);
        connection.spin(spinNanos);
        useMemory(connection);
        places.add(thread);
        return connection;
    }

    private void useMemory(AgentConnection connection) {
        connection.useRecord(control);
        loads.ifPresent(connection::tellLoads);
        stores.ifPresent(connection::tellStores);
        if (CallEvents.isOn()) {
            connection.record(new CallEvents(shape.node()));
        }
        if (mailboxes) {
            mapping.tellFd().ifPresent(fd -> connection.useMailbox(control, fd));
        }
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
}
