package io.muninn.agent.memory;

import static io.muninn.model.MappingId.FIRST;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.agent.NodeFailures;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.LockWords;
import io.muninn.kernel.port.Timers;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.CommandSink;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.Gate;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.ViewMark;
import io.muninn.spi.WaiterId;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Nodes with real applications, each a process whose traps may be held at a gate; real pages and
 * kernels; and the test as the event loop of all agents, and as the links between them.
 */
final class TrapNodes implements AutoCloseable {
    static final int PAGE = RegionSpec.MACHINE_PAGE_BYTES;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int FRAME_BYTES_MAX = 1 << 20;

    private record Frame(NodeId from, Node to, ByteBuf bytes) {}

    private record Rules(int threads, long holdNanos, UpdateRules updates) {}

    private final Codecs codecs = new Codecs(NodeKernel.codecs());
    private final ArrayDeque<Frame> frames = new ArrayDeque<>();
    private final List<Frame> delayed = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private Optional<Predicate<Frame>> delays = Optional.empty();

    /** One region of write-shared pages, which nodes do not hold. */
    TrapNodes(EngineKind kind, int count, int pages, UpdateRules updates) throws IOException {
        this(kind, count, pages, Protocol.WRITE_SHARED, new Rules(1, 0, updates));
    }

    /** One region of a protocol; nodes of two threads, and a root that has initialized nothing. */
    TrapNodes(EngineKind kind, int count, int pages, Protocol protocol, long holdNanos)
            throws IOException {
        this(kind, count, pages, protocol, new Rules(2, holdNanos, UpdateRules.PLAIN));
        nodes.getFirst().handle(new Event.Sealed(new WaiterId(FIRST, Node.SEALING)));
    }

    private TrapNodes(EngineKind kind, int count, int pages, Protocol protocol, Rules rules)
            throws IOException {
        long bytes = (long) pages * PAGE;
        RegionSpec region =
                new RegionSpec(
                        0,
                        "shared",
                        protocol,
                        0,
                        bytes,
                        Long.BYTES,
                        1,
                        List.of(new VariableSpec("shared", "long", 0, bytes)));
        for (int id = 0; id < count; id++) {
            nodes.add(new Node(kind, NodeId.of(id), count, region, rules));
        }
    }

    Node node(int id) {
        return nodes.get(id);
    }

    /** Serves every agent once. */
    void serve() {
        while (!frames.isEmpty()) {
            Frame frame = frames.remove();
            if (delays.filter(delay -> delay.test(frame)).isPresent()) {
                delayed.add(frame);
            } else {
                deliver(frame);
            }
        }
        nodes.forEach(Node::serve);
    }

    /** From now on, messages of one node to another are delayed. */
    void delay(int from, int to) {
        delays = Optional.of(frame -> frame.from().index() == from && frame.to() == nodes.get(to));
    }

    /** Delivers all delayed messages now, in order. */
    void deliverDelayed() {
        delays = Optional.empty();
        delayed.forEach(this::deliver);
        delayed.clear();
    }

    private void deliver(Frame frame) {
        WireMessage message = codecs.decode(new ByteBufReader(frame.bytes()));
        frame.to().handle(new Event.MessageArrived(frame.from(), message, System.nanoTime()));
        frame.bytes().release();
    }

    /** Serves agents that rest when there is nothing to do. */
    void serveUntil(String what, BooleanSupplier reached) {
        serveUntil(what, reached, PageThreads::pause);
    }

    /**
     * @param rest action of the agents when no message is in transit
     */
    void serveUntil(String what, BooleanSupplier reached, Runnable rest) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("waited in vain for " + what);
            }
            serve();
            if (frames.isEmpty()) {
                rest.run();
            }
        }
    }

    /** Flushes the stores of a node's threads, and has them acknowledged by all. */
    void flush(int id) {
        nodes.get(id).beginFlush();
        serveUntil("acknowledgements", frames::isEmpty);
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        frames.forEach(frame -> frame.bytes().release());
        delayed.forEach(frame -> frame.bytes().release());
    }

    final class Node implements LockWords, Timers, NodeFailures.Owner {
        private final NodeId id;
        private final AgentSocket socket;
        private final Process application;
        private final PrintStream commands;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final FaultEngine engine;
        private final ControlMemory control;
        private final LivePages pages;
        private final KernelLoop kernel;
        private final Map<NodeCounter, Long> counts = new EnumMap<>(NodeCounter.class);
        private static final int SEALING = -1;

        private final Map<TimerId, Long> armed = new LinkedHashMap<>(); // when they are due
        private final Set<WaiterId> resumed = new LinkedHashSet<>();
        private Runnable beforeReclaim = () -> {};
        private int waiters;
        private int fired;

        Node(EngineKind kind, NodeId id, int count, RegionSpec region, Rules rules)
                throws IOException {
            this.id = id;
            String name = "muninn-traps-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
            byte[] token = new byte[32];
            socket = AgentSocket.listen(name);
            ProcessBuilder builder = PageThreads.process(kind, name, token, region.bytes());
            builder.environment().put(Gate.VARIABLE, "1");
            application = builder.start();
            commands =
                    new PrintStream(application.getOutputStream(), true, StandardCharsets.US_ASCII);
            Thread.ofPlatform().daemon().start(this::readLines);
            engine = accept(token);
            control = new ControlMemory(engine.control());
            pages =
                    new LivePages(
                            FIRST, engine, this::handle, this::watchReleases, (_, _, _) -> {});
            KernelConfig config =
                    new KernelConfig(
                            id,
                            count,
                            rules.threads(),
                            rules.holdNanos(),
                            1_000_000,
                            rules.updates());
            kernel =
                    new KernelLoop(
                            new NodeKernel(config),
                            new EffectPerformer.Ports(
                                    this::send,
                                    pages,
                                    this,
                                    (waiter, _) -> resumed.add(waiter),
                                    this,
                                    (counter, amount) -> counts.merge(counter, amount, Long::sum),
                                    this::fail),
                            pages,
                            System::nanoTime,
                            new PageStatistics(),
                            new NodeFailures(this));
            pages.add(region, ProtocolKind.of(region.protocol()).traits());
            handle(new Event.RegionAdded(region));
        }

        private FaultEngine accept(byte[] token) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < PATIENCE_NANOS) {
                var accepted = socket.accept(token);
                if (accepted.isPresent()) {
                    return accepted.get().engine();
                }
                PageThreads.pause();
            }
            throw new AssertionError("no application");
        }

        private void readLines() {
            try (BufferedReader reader = application.inputReader(StandardCharsets.US_ASCII)) {
                reader.lines().skip(1).forEach(lines::add); // it has attached
            } catch (IOException | UncheckedIOException killed) {
                lines.add("end");
            }
        }

        Gate gate() {
            return new Gate(engine);
        }

        void handle(Event event) {
            kernel.handle(event);
        }

        private int send(NodeId to, WireMessage message) {
            ByteBuf bytes = Unpooled.directBuffer();
            ByteBufWriter writer = new ByteBufWriter(pages);
            writer.wrap(bytes, FRAME_BYTES_MAX);
            Codecs.encode(message, writer);
            frames.add(new Frame(id, nodes.get(to.index()), bytes));
            return bytes.readableBytes();
        }

        void serve() {
            long now = System.nanoTime();
            engine.readFaults(MappingId.FIRST, (_, offset, kind, _) -> onFault(offset, kind, now));
            engine.first().onCommandReadable(new Withdrawals());
            List<TimerId> due =
                    armed.keySet().stream()
                            .filter(timer -> !timer.equals(new TimerId.FlushDue()))
                            .filter(timer -> now - armed.get(timer) >= 0)
                            .toList();
            due.forEach(timer -> fire(timer, now));
        }

        private void fire(TimerId timer, long now) {
            armed.remove(timer);
            fired++;
            handle(new Event.TimerFired(timer, now));
        }

        private void onFault(long offset, FaultKind kind, long now) {
            PageId page = pages.faulted(MappingId.FIRST, offset, kind, -1, now);
            handle(new Event.FaultRaised(FIRST, page, kind, ThreadMark.UNKNOWN, now));
        }

        /** Begins a flush as after a noticed release whose delay has elapsed. */
        void beginFlush() {
            handle(new Event.ReleaseNoticed());
            if (armed.containsKey(new TimerId.FlushDue())) {
                fire(new TimerId.FlushDue(), System.nanoTime());
            }
        }

        void load(int page, int word) {
            commands.println(PageThreads.load(offset(page, word)));
        }

        void store(int page, int word, long value) {
            commands.println(PageThreads.store(offset(page, word), value));
        }

        /** Adds 1 to a word of each page in turn. */
        void add(int word, long count) {
            commands.println(PageThreads.add(offset(0, word), count));
        }

        private static long offset(int page, int word) {
            return (long) page * PAGE + word * 8L;
        }

        /** The result of an access, once it has ended. */
        String outcome() {
            serveUntil("an access of node " + id, () -> !lines.isEmpty());
            return lines.remove().replaceFirst("\\d+ ", "");
        }

        boolean isOver() {
            return !lines.isEmpty();
        }

        String valueAt(int page, int word) {
            load(page, word);
            return outcome();
        }

        /** The content of the memory now, regardless of access. */
        long content(int page, int word) {
            return engine.alias().get(JAVA_LONG, offset(page, word));
        }

        String describe(int page) {
            return kernel.describe(new PageId(0, page));
        }

        long count(NodeCounter counter) {
            return counts.getOrDefault(counter, 0L);
        }

        boolean takeWatch() {
            return control.takeWatch();
        }

        /** Stops every thread of the application. */
        void stop() {
            signal("STOP");
            serveUntil("its stop", this::isStopped);
        }

        private boolean isStopped() {
            try (Stream<Path> threads =
                    Files.list(Path.of("/proc", "" + application.pid(), "task"))) {
                for (Path thread : threads.toList()) {
                    String line = Files.readString(thread.resolve("stat"));
                    if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
                        return false;
                    }
                }
                return true;
            } catch (IOException _) {
                return false; // a thread ended while we looked
            }
        }

        void goOn() {
            signal("CONT");
        }

        private void signal(String name) {
            try {
                int status =
                        new ProcessBuilder("sh", "-c", "kill -" + name + " " + application.pid())
                                .inheritIO()
                                .start()
                                .waitFor();
                if (status != 0) {
                    throw new AssertionError("kill -" + name + " failed");
                }
            } catch (IOException | InterruptedException cause) {
                throw new AssertionError(cause);
            }
        }

        /** A thread obtains the lock: at once, or from another node. */
        void lock(LockId lock) {
            WaiterId waiter = beginLock(lock);
            serveUntil("lock " + lock.name(), () -> has(waiter));
        }

        /** A thread begins to wait for the lock. */
        WaiterId beginLock(LockId lock) {
            WaiterId waiter = new WaiterId(FIRST, waiters++);
            handle(new Event.AcquireCalled(waiter, lock, -1));
            return waiter;
        }

        /** True if a thread has obtained the object of its wait. */
        boolean has(WaiterId waiter) {
            return resumed.contains(waiter);
        }

        /**
         * Number of timers that have fired; the timer of a flush counts only once the flush has
         * begun.
         */
        int timersFired() {
            return fired;
        }

        /**
         * Sets an action of threads with a lock that is lent to them, until their agent reclaims
         * it.
         */
        void beforeReclaim(Runnable action) {
            beforeReclaim = action;
        }

        @Override
        public Event.LockReclaimed reclaim(LockId lock) {
            beforeReclaim.run();
            return new Event.LockReclaimed(lock, true); // it is free
        }

        @Override
        public void mark(LockId lock, ViewMark mark) {
            throw new IllegalStateException("the node has one process");
        }

        @Override
        public void covers(MappingId reader, ViewMark mark) {
            throw new IllegalStateException("the node has one process");
        }

        @Override
        public void lend(LockId lock, boolean held, boolean wanted) {
            // the test owns the words of locks
        }

        @Override
        public void admit(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark) {
            throw new AssertionError("no reader-writer locks here");
        }

        @Override
        public Event.ReadersClosed close(ReadWriteLockId lock) {
            throw new AssertionError("no reader-writer locks here");
        }

        @Override
        public void watchReleases() {
            control.watchReleases();
        }

        @Override
        public void arm(TimerId timer, long delayNanos) {
            armed.put(timer, System.nanoTime() + delayNanos);
        }

        @Override
        public void cancel(TimerId timer) {
            armed.remove(timer);
        }

        @Override
        public boolean watch(TimerId timer, List<ThreadMark> threads) {
            throw new IllegalStateException("no thread is known here: " + threads);
        }

        @Override
        public void onHalt(String description) {
            fail(description);
        }

        @Override
        public void onBrokenMemory(BrokenMemoryException broken) {
            fail(String.valueOf(broken.getMessage()));
        }

        @Override
        public void onMalformed(NodeId from, String text) {
            fail("node " + from + " " + text);
        }

        private void fail(String reason) {
            throw new AssertionError("node " + id + ": " + reason);
        }

        void close() {
            application.destroyForcibly();
            engine.close();
            socket.close();
        }

        private final class Withdrawals implements CommandSink {
            @Override
            public void onPong(long sequence) {
                throw new AssertionError("nobody asked");
            }

            @Override
            public void onDropped(long sequence, long offset, long bytes) {
                pages.onWithdrawn(MappingId.FIRST);
            }

            @Override
            public void onApplicationGone() {
                throw new AssertionError("the application of node " + id + " has ended");
            }
        }
    }
}
