package io.muninn.transport;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.kernel.port.Transport;
import io.muninn.model.NodeId;
import io.muninn.spi.Hosts;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.Joining;
import io.muninn.transport.join.Members;
import io.muninn.transport.join.OutOfTurn;
import io.muninn.transport.local.LocalLink;
import io.muninn.transport.local.LocalNodes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Address;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.LastingStream;
import io.muninn.transport.stream.Link;
import io.muninn.transport.stream.TransportCounters;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
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
    private final FrameDecoder decoder;
    private final MessageListener messages;
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
        decoder = new FrameDecoder(codecs, config.nodes(), messages);
        this.messages = messages;
        this.listener = listener;
        self = config.self();
        writer = new ByteBufWriter(payloads);
        flushOncePerBatch = loop.oncePerBatch(this::flush);
        hosts = Hosts.one(config.nodes());
        members = new Member[config.nodes()];
        for (int i = 0; i < members.length; i++) {
            members[i] = i == self.index() ? null : new Member(NodeId.of(i));
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

    private Member member(NodeId node) {
        Member member = members[node.index()];
        if (member == null) {
            throw new IllegalArgumentException("node " + node + " is this node");
        }
        return member;
    }

    private void connectionClosed() {
        openConnections--;
        if (closing && openConnections == 0) {
            if (nextCheck != null) {
                nextCheck.cancel();
            }
            joining.shut();
            closed.complete(null);
        }
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

    private void lose(Member member, String reason) {
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

    private void fail(String text) {
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

    /** Another node, and the one connection to it. */
    private final class Member implements Link.Receiver {
        final NodeId node;
        @Nullable Link link; // null before the handshake and after its end
        boolean gone; // lost or left: nothing more is sent to it, and it cannot be lost again
        String lostReason = ""; // empty unless it is lost
        private boolean closing;
        private final Silence silence = new Silence();

        Member(NodeId node) {
            this.node = node;
        }

        void drop() {
            if (link != null) {
                link.close();
                link = null;
            }
        }

        void attach(Link next) {
            drop();
            link = next;
            closing = false;
            silence.end();
            next.retryWithin(config.heartbeatLimit());
            next.receiver(this);
        }

        void sendNow(Control control) {
            if (link != null) {
                link.writeControl(control);
                link.flush();
            }
        }

        void flush() {
            if (link != null) {
                link.flush();
            }
        }

        void check() {
            if (link == null || gone || !link.canFallSilent()) {
                return;
            }
            boolean isCut = lasting().filter(LastingStream::isCut).isPresent();
            if (isCut && !joining.hasStarted()) {
                return; // joining has the limit
            }
            int limits = joining.hasStarted() ? 1 : config.joiningFactor();
            switch (silence.judge(link.takeArrived(), isCut, limits)) {
                case LOST -> lose(this, silence.reason(config, limits, this::whyNotMended));
                case LONG -> {
                    sendNow(new Control.Heartbeat());
                    joining.mend(node);
                }
                case NONE -> sendNow(new Control.Heartbeat());
            }
        }

        private String whyNotMended() {
            return joining.whyNotMended(node);
        }

        Optional<LastingStream> lasting() {
            return link instanceof LastingStream stream ? Optional.of(stream) : Optional.empty();
        }

        /** Ends the link as soon as the other node has everything. */
        void drain() {
            if (link != null && !closing) {
                closing = true;
                openConnections++;
                link.drain(config.heartbeatLimit(), Cluster.this::connectionClosed);
            }
        }

        void closeInOrder() {
            Link last = link;
            if (last != null && !closing) {
                closing = true;
                link = null;
                openConnections++;
                last.finish(Cluster.this::connectionClosed);
            }
        }

        @Override
        public void onFrame(ByteBufReader frame) {
            if (mute) {
                if (frame.saysFarewell() && link != null) {
                    link.endsInOrder();
                }
                return;
            }
            WireMessage message;
            try {
                message = decoder.decode(frame);
            } catch (MalformedMessageException malformed) {
                lose(this, "sent a malformed message: " + malformed.getMessage());
                return;
            }
            onRecord(message);
        }

        @Override
        public String about(ByteBufReader frame) {
            return decoder.about(frame);
        }

        @Override
        public void onRecord(WireMessage message) {
            if (mute) {
                return;
            }
            try {
                if (message instanceof Control control) {
                    onControl(control);
                } else {
                    onMessage(message);
                }
            } catch (OutOfTurn outOfTurn) {
                lose(this, String.valueOf(outOfTurn.getMessage()));
            } catch (MalformedMessageException malformed) { // in the message inside the frame
                lose(this, "sent a malformed message: " + malformed.getMessage());
            }
        }

        private void onMessage(WireMessage message) {
            if (!joining.hasStarted() && !self.isRoot()) {
                joining.onStart(); // the root's start message has not arrived yet
            }
            if (joining.hasEnded()) {
                return; // the run did not start here, as this node has announced
            }
            if (!joining.hasStarted()) {
                throw new OutOfTurn(message.codec().name() + " before the start");
            }
            messages.onMessage(node, message);
        }

        private void onControl(Control control) {
            switch (control) {
                case Control.Heartbeat _ -> {} // its arrival is its only content
                case Control.Roster roster when node.isRoot() -> joining.onRoster(roster);
                case Control.Start _ when node.isRoot() -> joining.onStart();
                case Control.Ready ready when self.isRoot() -> joining.onReady(node, ready);
                case Control.Refused(String text) when node.isRoot() -> fail(text);
                case Control.Report report when self.isRoot() ->
                        listener.onReport(node, report.content());
                case Control.WaitsLast _ when self.isRoot() -> listener.onWaitsLast();
                case Control.AskWaits(int number, boolean withLines) when node.isRoot() ->
                        listener.onWaitsAsked(number, withLines);
                case Control.Waits(int number, byte[] content) when self.isRoot() ->
                        listener.onWaits(node, number, content);
                case Control.Moved moved when node.isRoot() -> joining.onMoved(moved);
                case Control.Leave(String reason) -> onLeave(reason);
                case Control.Finished(int status, String text) -> {
                    expectEnd();
                    over = true;
                    listener.onFinished(node, status, text);
                }
                case Control.Lost lost -> onLost(lost);
                default -> throw new OutOfTurn(control.codec().name());
            }
        }

        private void expectEnd() {
            if (link != null) {
                link.endsInOrder();
            }
        }

        private void onLeave(String reason) {
            expectEnd();
            if (joining.forgives(node, reason, true)) {
                closeInOrder();
            } else if (!joining.hasStarted()) {
                lose(this, "left before the run had started: " + reason);
            } else if (!gone) {
                gone = true;
                LOG.debug("node={} event=node-left other={} reason=\"{}\"", self, node, reason);
                listener.onLeft(node, reason);
            }
        }

        private void onLost(Control.Lost lost) {
            if (lost.node().index() >= members.length) {
                throw new OutOfTurn("loss of node " + lost.node() + ", which does not exist");
            }
            if (lost.node().equals(self) || lost.node().equals(node)) {
                expectEnd();
            }
            if (!lost.node().equals(self)) {
                lose(member(lost.node()), lost.reason());
            } else if (!over) { // otherwise this echoes this node's own announcement
                fail("node " + node + " took node " + self + " for lost: " + lost.reason());
            }
        }

        @Override
        public void onCut(String reason) {
            LOG.debug("node={} event=cut other={} reason=\"{}\"", self, node, reason);
            silence.cut(reason);
            if (!joining.forgives(node, reason, false)) {
                joining.mend(node);
            }
        }

        @Override
        public void onHealed(LastingStream.Healing healing) {
            LOG.info("node={} event=healed the link to node {} {}", self, node, healing);
            silence.end();
        }

        @Override
        public void onEnd(String reason) {
            link = null;
            if (!joining.forgives(node, reason, false)) {
                lose(this, reason);
            }
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
            eachMember(member -> member.silence.end()); // limits are shorter from now on
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
