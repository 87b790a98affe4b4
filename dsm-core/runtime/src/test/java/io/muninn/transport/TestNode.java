package io.muninn.transport;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Secret;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** One node of a test: its own loop, a cluster, and all calls of its listener. */
public final class TestNode implements ClusterListener, MessageListener, AutoCloseable {
    public static final long SECONDS_MAX = 120;
    public static final Secret SECRET = new Secret("a secret of the tests".getBytes());

    public record Loss(NodeId node, String reason) {}

    public record Text(NodeId from, String text) {}

    public final NodeId self;
    public final CompletableFuture<Address> listening = new CompletableFuture<>();
    public final CompletableFuture<Void> started = new CompletableFuture<>();
    public final CompletableFuture<String> refused = new CompletableFuture<>();
    public final CompletableFuture<String> failed = new CompletableFuture<>();
    public final BlockingQueue<String> turnedAway = new LinkedBlockingQueue<>();
    public final BlockingQueue<String> progress = new LinkedBlockingQueue<>();
    public final BlockingQueue<Loss> losses = new LinkedBlockingQueue<>();
    public final BlockingQueue<Text> texts = new LinkedBlockingQueue<>();
    final BlockingQueue<String> lifecycle = new LinkedBlockingQueue<>();
    public final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    public final AgentEventLoop loop;
    private final boolean ownsLoop;
    public final Cluster cluster;
    public volatile BiConsumer<NodeId, TestMessage.Numbered> onNumbered = (_, _) -> {};
    volatile Runnable onLoss = () -> {};
    volatile Runnable onStart = () -> {};

    /** A node with its own agent. */
    public TestNode(ClusterConfig.Builder config, PayloadSource payloads) {
        ownsLoop = true;
        loop = new AgentEventLoop(failures::add);
        ClusterConfig built = config.build();
        self = built.self();
        LocalNodes alone = new LocalNodes(loop, List.of(self), TestMessage.CODECS);
        cluster = new Cluster(loop, built, alone, TestMessage.CODECS, payloads, this, this);
    }

    /**
     * A node whose agent serves others, too.
     *
     * @param agent the agent's loop
     * @param locals the nodes of the agent
     */
    public TestNode(ClusterConfig.Builder config, AgentEventLoop agent, LocalNodes locals) {
        ownsLoop = false;
        loop = agent.of(failures::add);
        ClusterConfig built = config.build();
        self = built.self();
        cluster =
                new Cluster(
                        loop,
                        built,
                        locals,
                        TestMessage.CODECS,
                        TestNode::receivedOnly,
                        this,
                        this);
    }

    public static TestNode start(
            int index, int nodes, Address root, UnaryOperator<ClusterConfig.Builder> options) {
        ClusterConfig.Builder config = ClusterConfig.builder(NodeId.of(index), nodes, root, SECRET);
        TestNode node = new TestNode(options.apply(config), TestNode::receivedOnly);
        node.start();
        return node;
    }

    public static MemorySegment receivedOnly(Payload payload) {
        throw new IllegalStateException("no bytes for " + payload);
    }

    public TestNode start() {
        loop.execute(cluster::start);
        return this;
    }

    public static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    public static <T> T take(BlockingQueue<T> queue) throws Exception {
        T head = queue.poll(SECONDS_MAX, TimeUnit.SECONDS);
        if (head == null) {
            throw new AssertionError("nothing arrived within " + SECONDS_MAX + " s");
        }
        return head;
    }

    /** Runs on the loop and waits for the result. */
    public <T> T call(Callable<T> action) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Exception cause) {
                result.completeExceptionally(cause);
            }
        });
        return await(result);
    }

    public void say(int to, String text) throws Exception {
        call(() -> {
            cluster.send(NodeId.of(to), new TestMessage.Text(text));
            return true;
        });
    }

    /** The address on which it listens. */
    public Address address() throws Exception {
        return call(cluster::address);
    }

    /** Stops the loop, as a stopped process stops, until the latch is released. */
    CountDownLatch stall() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        loop.execute(() -> {
            stalled.countDown();
            try {
                if (!release.await(SECONDS_MAX, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("never released");
                }
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        if (!stalled.await(SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("loop did not run");
        }
        return release;
    }

    /** Ends as a killed process does: without a message. */
    void die() {
        loop.close();
    }

    void closeInOrder() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        loop.execute(() -> cluster.close().thenRun(() -> closed.complete(null)));
        await(closed);
        close();
    }

    @Override
    public void close() {
        if (ownsLoop) {
            loop.close();
        }
    }

    List<Loss> lossesSoFar() {
        return new ArrayList<>(losses);
    }

    @Override
    public void onListening(Address address) {
        listening.complete(address);
    }

    @Override
    public void onProgress(String text) {
        progress.add(text);
    }

    @Override
    public void onTurnedAway(String reason) {
        turnedAway.add(reason);
    }

    @Override
    public void onStarted() {
        if (!started.complete(null)) {
            throw new IllegalStateException("started twice");
        }
        onStart.run();
    }

    @Override
    public void onMessage(NodeId from, WireMessage message) {
        if (!started.isDone()) {
            throw new IllegalStateException("message before the start: " + message);
        }
        switch ((TestMessage) message) {
            case TestMessage.Numbered numbered -> onNumbered.accept(from, numbered);
            case TestMessage.Text(String text) -> texts.add(new Text(from, text));
            case TestMessage.Foreign _ -> throw new IllegalStateException("nobody decodes it");
        }
    }

    @Override
    public void onPeerLost(NodeId node, String reason) {
        losses.add(new Loss(node, reason));
        onLoss.run();
    }

    @Override
    public void onRefused(String text) {
        refused.complete(text);
    }

    @Override
    public void onFailed(String text) {
        failed.complete(text);
    }

    @Override
    public void onReport(NodeId from, byte[] report) {
        lifecycle.add("report " + from + " " + new String(report));
    }

    @Override
    public void onFinished(NodeId from, int status, String text) {
        lifecycle.add("finished " + from + " " + status + " " + text);
    }

    @Override
    public void onLeft(NodeId node, String reason) {
        lifecycle.add("left " + node + " " + reason);
    }
}
