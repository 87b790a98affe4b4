package io.muninn.transport;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.kernel.port.Transport;
import io.muninn.model.NodeId;
import io.muninn.spi.Hosts;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Joining;
import io.muninn.transport.join.Members;
import io.muninn.transport.local.LocalLink;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.LastingStream;
import io.muninn.transport.stream.Link;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's membership in a cluster: one {@linkplain Link link} to every other node, messages in
 * order on each, and one verdict per node that is lost.
 *
 * <p><b>Membership.</b> Nodes start in any order. All prove the cluster secret to each other, the
 * root compares version, number of nodes and layout, and the run starts when every node is
 * connected with every other. Until a process has proved the secret, its frames are tiny, its time
 * is short, and it causes at most one log line. The proofs authenticate the two ends when they
 * connect. Nothing is encrypted, and nothing protects against an attacker who can alter bytes in
 * transit.
 *
 * <p><b>Messages.</b> {@link #send} encodes at once, including payload bytes; one flush per batch
 * of loop events passes the bytes to the operating system. It never blocks and never calls back.
 *
 * <p><b>Loss.</b> A link by TCP outlasts its connections ({@link LastingStream}), also while the
 * run starts and ends. A node is lost if nothing has arrived from it for the heartbeat limit
 * ({@link Silence}), or if its process of this host has ended without a {@link #leave}, {@link
 * #finish} or {@link #close} on either side; {@link Joining} defines what that means before the
 * start. A node that learns of a loss notifies all others before its own agent, so if one loss
 * causes others, every node sees the original cause first.
 *
 * <p><b>Threads.</b> Everything except {@link #counters} is called on the event loop only, and
 * every callback runs on it.
 */
public final class Cluster implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final LocalNodes locals;
    private final NodeId self;
    private final ClusterListener listener;
    private final ByteBufWriter writer;
    private final TransportCounters counters = new TransportCounters();
    private final @Nullable Member[] members; // null at this node's own index
    private final Joining joining;
    private final Runnable flushOncePerBatch;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private Hosts hosts;
    private @Nullable Cancellable nextCheck; // null before the start and after the close
    private boolean over; // the end of a connection is no longer a loss
    private boolean announced; // this node itself has announced that its end is no loss
    private boolean mute; // refused, failed or closed: no more calls of the listener
    private boolean closing;
    private boolean hasUnflushed; // messages of this batch
    private int openConnections; // closing in order, not yet closed

    /**
     * Creates a membership; {@link #start} begins to join.
     *
     * @param locals the nodes of this agent
     * @param codecs codecs of the messages that {@code messages} receives
     * @param payloads source of payload bytes, read while a message is encoded
     */
    public Cluster(
            AgentEventLoop loop,
            ClusterConfig config,
            LocalNodes locals,
            Codecs codecs,
            PayloadSource payloads,
            MessageListener messages,
            ClusterListener listener) {
        this.loop = loop;
        this.config = config;
        this.locals = locals;
        this.listener = listener;
        self = config.self();
        writer = new ByteBufWriter(payloads);
        flushOncePerBatch = loop.oncePerBatch(this::flush);
        hosts = Hosts.one(config.nodes());
        members = new Member[config.nodes()];
        FrameDecoder decoder = new FrameDecoder(codecs, config.nodes(), messages);
        for (int i = 0; i < members.length; i++) {
            if (i != self.index()) {
                members[i] = new Member(NodeId.of(i), this, config, decoder, messages, listener);
            }
        }
        joining = new Joining(loop, config, locals, new Membership());
    }

    /** Begins to join. A cluster whose nodes all are of this agent needs no socket. */
    public void start() {
        loop.checkInEventLoop();
        scheduleCheck();
        joining.start();
    }

    /**
     * Sends a message to another node. Silently dropped if that node is lost or has left, of which
     * the listener has been notified.
     *
     * @return bytes of its frame, length included; 0 if it is dropped
     * @throws IllegalArgumentException if {@code to} is this node or does not exist, or the message
     *     does not fit a frame; nothing is sent
     * @throws IllegalStateException before {@code onStarted}
     */
    @Override
    public int send(NodeId to, WireMessage message) {
        loop.checkInEventLoop();
        if (to.index() >= members.length || to.equals(self)) {
            throw new IllegalArgumentException("node " + self + " cannot send to node " + to);
        }
        if (!joining.hasStarted() && !joining.hasEnded() && !over) {
            throw new IllegalStateException("the run has not started");
        }
        Member member = member(to);
        if (member.link != null && !member.gone) {
            int bytes = member.link.write(message);
            hasUnflushed = true;
            flushOncePerBatch.run();
            return bytes;
        }
        return 0;
    }

    /**
     * Sends a result of this node to the root's agent. On the root the listener gets it at once.
     */
    public void report(byte[] content) {
        toRoot(new Control.Report(content), () -> listener.onReport(self, content));
    }

    /** Tells the root's agent that threads of this node have waited for some time. */
    public void waitsLast() {
        toRoot(new Control.WaitsLast(), listener::onWaitsLast);
    }

    /**
     * On the root: asks all nodes for their waits, itself too. Each answers with {@link #waits}.
     *
     * @param number of the question
     * @param withLines whether the answers name the places where threads stand
     */
    public void askWaits(int number, boolean withLines) {
        loop.checkInEventLoop();
        broadcast(new Control.AskWaits(number, withLines));
        listener.onWaitsAsked(number, withLines);
    }

    /** Answers a question of the root. */
    public void waits(int number, byte[] content) {
        toRoot(new Control.Waits(number, content), () -> listener.onWaits(self, number, content));
    }

    private void toRoot(Control control, Runnable own) {
        loop.checkInEventLoop();
        if (self.isRoot()) {
            own.run();
        } else {
            member(NodeId.ROOT).sendNow(control);
        }
    }

    /** Announces to all nodes that this one will close, which is not a loss. */
    public void leave(String reason) {
        loop.checkInEventLoop();
        end();
        broadcast(new Control.Leave(reason));
    }

    /**
     * Announces to all nodes that the run is over: from now on no node's end is a loss.
     *
     * @param status 0 to 255, for the listeners
     * @param text text for the user
     */
    public void finish(int status, String text) {
        loop.checkInEventLoop();
        end();
        broadcast(new Control.Finished(status, text));
    }

    /**
     * From now on the end of a connection is not a loss, and a run that has not started will not
     * start.
     */
    private void end() {
        over = true;
        announced = true;
        endJoining();
    }

    private void endJoining() {
        if (!joining.hasStarted()) {
            joining.end();
        }
    }

    /**
     * Announces to all nodes that a node is lost, usually this one because its application is gone.
     * Not needed for losses reported to the listener, which the cluster has already announced.
     */
    public void lost(NodeId node, String reason) {
        loop.checkInEventLoop();
        if (node.equals(self)) {
            end();
        } else {
            member(node).gone = true;
        }
        broadcast(new Control.Lost(node, reason));
    }

    /**
     * Leaves in order, unless this node has announced its end, and closes everything. Sent data is
     * still transmitted, for at most a second. The listener gets no more calls.
     *
     * <p>A node that was notified of the end of the run leaves as well: nodes that are behind may
     * see the end of this connection before they receive the notification on another one.
     *
     * @return completed on the loop when every connection is closed; the same at every call
     */
    public CompletableFuture<Void> close() {
        loop.checkInEventLoop();
        if (closing) {
            return closed;
        }
        if (!announced) {
            leave("closed");
        }
        closing = true;
        mute = true;
        joining.end();
        openConnections++; // counts this call itself
        eachMember(Member::drain);
        connectionClosed();
        return closed;
    }

    /** The address on which this node listens. */
    Address address() {
        return joining.address();
    }

    /** Which nodes share an agent, once the run has started. */
    public Hosts hosts() {
        return hosts;
    }

    /** Counts of sent messages so far; any thread may read them at any time. */
    public TransportCounters counters() {
        return counters;
    }

    // --- the batch -------------------------------------------------------------------------------

    /**
     * Sends the messages of this batch so far, which are otherwise sent at its end. For a caller
     * that is about to spend time on this node: other nodes need not wait for it.
     */
    public void flush() {
        loop.checkInEventLoop();
        if (hasUnflushed) {
            hasUnflushed = false;
            eachMember(Member::flush);
        }
    }

    private void broadcast(Control control) {
        eachMember(member -> member.sendNow(control));
    }

    private void eachMember(Consumer<Member> action) {
        for (Member member : members) {
            if (member != null) {
                action.accept(member);
            }
        }
    }

    Member member(NodeId node) {
        Member member = members[node.index()];
        if (member == null) {
            throw new IllegalArgumentException("node " + node + " is this node");
        }
        return member;
    }

    /** A link is about to end in order. */
    void connectionCloses() {
        openConnections++;
    }

    void connectionClosed() {
        openConnections--;
        if (closing && openConnections == 0) {
            if (nextCheck != null) {
                nextCheck.cancel();
            }
            joining.shut();
            closed.complete(null);
        }
    }

    AgentEventLoop loop() {
        return loop;
    }

    Joining joining() {
        return joining;
    }

    boolean isMute() {
        return mute;
    }

    boolean isOver() {
        return over;
    }

    /** The end of a connection is no loss from now on. */
    void over() {
        over = true;
    }

    // --- heartbeats and loss ---------------------------------------------------------------------

    private void scheduleCheck() {
        long intervalNanos = config.heartbeatLimit().toNanos() / ClusterConfig.CHECKS_PER_LIMIT;
        nextCheck = loop.schedule(intervalNanos, this::check); // not periodic: see the class
    }

    private void check() {
        scheduleCheck();
        eachMember(Member::check);
    }

    void lose(Member member, String reason) {
        if (member.gone) {
            return;
        }
        member.gone = true;
        member.lostReason = reason;
        if (over) {
            return;
        }
        endJoining();
        LOG.info("node={} event=node-lost other={} reason=\"{}\"", self, member.node, reason);
        broadcast(new Control.Lost(member.node, reason));
        member.closeInOrder();
        if (!mute) {
            listener.onPeerLost(member.node, reason);
        }
    }

    void fail(String text) {
        stop(text, listener::onFailed);
    }

    private void stop(String text, Consumer<String> lastWord) {
        if (!mute) {
            mute = true;
            over = true;
            announced = true;
            joining.end(); // also stops listening
            broadcast(new Control.Lost(self, text));
            lastWord.accept(text);
        }
    }

    /** The operations of joining on the cluster. */
    private final class Membership implements Members {
        @Override
        public Connection newConnection() {
            return new Connection(loop, writer, counters);
        }

        @Override
        public LocalLink newLocalLink() {
            return new LocalLink(locals, loop, writer, counters, config.frameBytesMax());
        }

        @Override
        public boolean isConnected(NodeId node) {
            Link link = member(node).link;
            return link != null && link.isOpen();
        }

        @Override
        public Optional<LastingStream> lasting(NodeId node) {
            return member(node).lasting();
        }

        @Override
        public Optional<String> whyLost(NodeId node) {
            return Optional.of(member(node).lostReason).filter(reason -> !reason.isEmpty());
        }

        @Override
        public void attach(NodeId node, Link link) {
            member(node).attach(lastingIfByTcp(node, link));
        }

        private Link lastingIfByTcp(NodeId node, Link link) {
            return link instanceof Connection connection && connection.token().isPresent()
                    ? new LastingStream(loop, counters, node.index() < self.index(), connection)
                    : link;
        }

        @Override
        public void drop(NodeId node) {
            member(node).drop();
        }

        @Override
        public void sendNow(NodeId node, Control control) {
            member(node).sendNow(control);
        }

        @Override
        public void progress(String text) {
            listener.onProgress(text);
        }

        @Override
        public void lost(NodeId node, String reason) {
            lose(member(node), reason);
        }

        @Override
        public void listening(Address address) {
            listener.onListening(address);
        }

        @Override
        public void turnedAway(String reason) {
            listener.onTurnedAway(reason);
        }

        @Override
        public void started(Hosts met) {
            hosts = met;
            LOG.info("node={} event=started nodes={}", self, config.nodes());
            eachMember(Member::shortenLimits); // limits are shorter from now on
            listener.onStarted();
        }

        @Override
        public void refused(String text) {
            stop(text, listener::onRefused);
        }

        @Override
        public void unfit(String text) {
            stop(text, listener::onUnfit);
        }

        @Override
        public void failed(String text) {
            fail(text);
        }
    }
}
