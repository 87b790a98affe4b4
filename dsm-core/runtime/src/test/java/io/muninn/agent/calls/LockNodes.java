package io.muninn.agent.calls;

import io.muninn.agent.LiveTimers;
import io.muninn.agent.LiveTracer;
import io.muninn.agent.NodeFailures;
import io.muninn.api.Cluster;
import io.muninn.api.spi.RegionSpec;
import io.muninn.application.AgentAddress;
import io.muninn.application.TestApplication;
import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.Traps;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.Mailboxes;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Refusals;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Nodes without pages: calls over real sockets, on nodes of even number also by mailboxes, lock
 * words in memory that threads and agents share, real kernels and timers. All agents run on one
 * event loop, which also carries their messages.
 */
final class LockNodes implements AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Arena arena = Arena.ofShared();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AgentEventLoop loop =
            new AgentEventLoop(cause -> failure.compareAndSet(null, cause));
    private final List<Node> nodes;

    LockNodes(int count, int threads) {
        nodes = IntStream.range(0, count).mapToObj(id -> new Node(id, count, threads)).toList();
        nodes.forEach(Node::listen);
        loop.execute(() -> nodes.forEach(Node::openMailboxes));
    }

    TestApplication application(int node) {
        return nodes.get(node).application;
    }

    long counter(int node, NodeCounter counter) {
        return nodes.get(node).control.counter(counter);
    }

    /** Notifies one node's kernel of the loss of another node; returns when it has been stepped. */
    void lose(int node, int lost, String reason) {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        loop.execute(() -> {
            nodes.get(node).kernel.handle(new Event.PeerLost(NodeId.of(lost), reason));
            heard.complete(null);
        });
        heard.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Fails if any agent has failed so far. */
    void check() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new AssertionError("an agent failed", cause);
        }
    }

    /** Ends the agents, which the waiting threads will notice. */
    void end() {
        loop.close();
    }

    /** After {@link #end}, and after all threads. */
    @Override
    public void close() {
        nodes.forEach(Node::close);
        arena.close();
        check();
    }

    private final class Node implements CallServer.Calls, CallRouter.Regions, NodeFailures.Owner {
        final String name =
                "muninn-locks-" + ProcessHandle.current().pid() + "-" + NAMES.getAndIncrement();
        final byte[] token = new byte[32];
        final ControlMemory control = new ControlMemory(arena.allocate(ControlMemory.BYTES, 64));
        final CallRouter router;
        final KernelLoop kernel;
        final TestApplication application;
        final CallServer calls = new CallServer(token, new Refusals(this::fail), this);
        final Optional<FileDescriptor> told;

        Node(int id, int count, int threads) {
            LiveTracer tracer = new LiveTracer(control);
            LiveLockWords words = new LiveLockWords(control, 1);
            router =
                    new CallRouter(
                            new NodeThreads(1, 1),
                            this::handle,
                            words,
                            tracer,
                            this,
                            count,
                            CallRouter.Listener.NONE);
            LiveTimers timers =
                    new LiveTimers(
                            loop,
                            control,
                            timer -> handle(new Event.TimerFired(timer, System.nanoTime())));
            NodeId self = NodeId.of(id);
            EffectPerformer.Ports ports =
                    new EffectPerformer.Ports(
                            (to, message) -> send(self, nodes.get(to.index()), message),
                            noPages(),
                            words,
                            router,
                            timers,
                            tracer,
                            this::fail);
            kernel =
                    new KernelLoop(
                            new NodeKernel(
                                    new KernelConfig(
                                            self, count, threads, 0, 1_000_000, UpdateRules.PLAIN)),
                            ports,
                            Traps.NONE,
                            System::nanoTime,
                            new PageStatistics(),
                            new NodeFailures(this));
            told = id % 2 == 0 ? Optional.of(Native.newEventFd()) : Optional.empty();
            application =
                    new TestApplication(
                            new AgentAddress(
                                    name,
                                    token,
                                    id,
                                    0,
                                    0,
                                    new Cluster(count, threads),
                                    "node " + id),
                            control,
                            told.map(fd -> OptionalInt.of(fd.intValue()))
                                    .orElse(OptionalInt.empty()));
        }

        void listen() {
            calls.use(router);
            calls.listen(loop, name);
        }

        void openMailboxes() {
            told.ifPresent(fd -> {
                calls.use(new Mailboxes(control.mailboxes()));
                loop.registerEdges(fd.intValue(), calls::handlePosted);
            });
        }

        void close() {
            told.ifPresent(fd -> {
                try {
                    fd.close();
                } catch (IOException cannot) {
                    throw new UncheckedIOException(cannot);
                }
            });
        }

        /** Returns length 0: no bytes are counted here. */
        private int send(NodeId from, Node to, WireMessage message) {
            loop.execute(
                    () -> to.handle(new Event.MessageArrived(from, message, System.nanoTime())));
            return 0;
        }

        void handle(Event event) {
            kernel.handle(event);
        }

        void fail(String reason) {
            failure.compareAndSet(null, new AssertionError(reason));
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

        @Override
        public void onCall(CallConnection caller, int call, WireReader body) {
            throw new IllegalArgumentException("call " + call);
        }

        @Override
        public void onMalformedCall(CallConnection caller, String reason) {
            fail(reason);
        }

        @Override
        public void onBadCall(CallConnection caller, Throwable cause) {
            failure.compareAndSet(null, cause);
        }

        @Override
        public void allocate(RegionSpec region) {
            throw new IllegalArgumentException("no pages here");
        }

        @Override
        public long remoteBytes() {
            return 0;
        }

        @Override
        public int granules(PageId page) {
            throw new IllegalStateException("no page");
        }

        @Override
        public boolean hasPage(PageId page) {
            return false;
        }

        @Override
        public NodeId home(PageId page) {
            return NodeId.ROOT;
        }
    }

    private static Pages noPages() {
        return (Pages)
                Proxy.newProxyInstance(
                        Pages.class.getClassLoader(),
                        new Class<?>[] {Pages.class},
                        (_, method, _) -> {
                            throw new AssertionError("pages are not part of this: " + method);
                        });
    }
}
