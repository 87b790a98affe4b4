package io.muninn.transport;

import io.muninn.model.NodeId;
import io.muninn.transport.join.ClusterConfig;
import io.muninn.transport.join.OutOfTurn;
import io.muninn.transport.net.HostProcess;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.LastingStream;
import io.muninn.transport.stream.Link;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another node, and the one link to it.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Member implements Link.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Member.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Cluster cluster;
    private final ClusterConfig config;
    private final NodeId self;
    private final FrameDecoder decoder;
    private final MessageListener messages;
    private final ClusterListener listener;

    final NodeId node;
    @Nullable Link link; // null before the handshake and after its end
    boolean gone; // lost or left: nothing more is sent to it, and it cannot be lost again
    String lostReason = ""; // empty unless it is lost
    private OptionalLong process = OptionalLong.empty(); // its id, if it is of this host
    private boolean closing;
    private final Silence silence = new Silence();

    Member(
            NodeId node,
            Cluster cluster,
            ClusterConfig config,
            FrameDecoder decoder,
            MessageListener messages,
            ClusterListener listener) {
        this.node = node;
        this.cluster = cluster;
        this.config = config;
        self = config.self();
        this.decoder = decoder;
        this.messages = messages;
        this.listener = listener;
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
        process = OptionalLong.empty();
        if (next instanceof LastingStream) {
            sendNow(new Control.Process(HostProcess.namespace(), HostProcess.own()));
        }
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
        if (isCut && !cluster.joining().hasStarted()) {
            return; // joining has the limit
        }
        int limits = cluster.joining().hasStarted() ? 1 : config.joiningFactor();
        switch (silence.judge(link.takeArrived(), lasting().isPresent(), limits)) {
            case LOST -> cluster.lose(this, silence.reason(config, limits, this::whyNotMended));
            case LONG -> {
                sendNow(new Control.Heartbeat());
                cluster.joining().mending().mend(node);
            }
            case NONE -> sendNow(new Control.Heartbeat());
        }
    }

    /** Limits are shorter from now on. */
    void shortenLimits() {
        silence.end();
    }

    private String whyNotMended() {
        return cluster.joining().mending().lastReason(node);
    }

    Optional<LastingStream> lasting() {
        return link instanceof LastingStream stream && stream.lasts()
                ? Optional.of(stream)
                : Optional.empty();
    }

    /** Ends the link as soon as the other node has everything. */
    void drain() {
        if (link != null && !closing) {
            closing = true;
            cluster.connectionCloses();
            link.drain(config.heartbeatLimit(), cluster::connectionClosed);
        }
    }

    void closeInOrder() {
        Link last = link;
        if (last != null && !closing) {
            closing = true;
            link = null;
            cluster.connectionCloses();
            last.finish(cluster::connectionClosed);
        }
    }

    @Override
    public void onFrame(ByteBufReader frame) {
        if (cluster.isMute()) {
            if (frame.saysFarewell() && link != null) {
                link.endsInOrder();
            }
            return;
        }
        WireMessage message;
        try {
            message = decoder.decode(frame);
        } catch (MalformedMessageException malformed) {
            cluster.lose(this, "sent a malformed message: " + malformed.getMessage());
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
        if (cluster.isMute()) {
            return;
        }
        try {
            if (message instanceof Control control) {
                onControl(control);
            } else {
                onMessage(message);
            }
        } catch (OutOfTurn outOfTurn) {
            cluster.lose(this, outOfTurn.getMessage());
        } catch (MalformedMessageException malformed) { // in the message inside the frame
            cluster.lose(this, "sent a malformed message: " + malformed.getMessage());
        }
    }

    private void onMessage(WireMessage message) {
        if (!cluster.joining().hasStarted() && !self.isRoot()) {
            cluster.joining().onStart(); // the root's start message has not arrived yet
        }
        if (cluster.joining().hasEnded()) {
            return; // the run did not start here, as this node has announced
        }
        if (!cluster.joining().hasStarted()) {
            throw new OutOfTurn(message.codec().name() + " before the start");
        }
        messages.onMessage(node, message);
    }

    private void onControl(Control control) {
        switch (control) {
            case Control.Heartbeat _ -> {} // its arrival is its only content
            case Control.Roster roster when node.isRoot() -> cluster.joining().onRoster(roster);
            case Control.Start _ when node.isRoot() -> cluster.joining().onStart();
            case Control.Ready ready when self.isRoot() -> cluster.joining().onReady(node, ready);
            case Control.Refused(String text) when node.isRoot() -> cluster.fail(text);
            case Control.Report report when self.isRoot() ->
                    listener.onReport(node, report.content());
            case Control.WaitsLast _ when self.isRoot() -> listener.onWaitsLast();
            case Control.AskWaits(int number, boolean withLines) when node.isRoot() ->
                    listener.onWaitsAsked(number, withLines);
            case Control.Waits(int number, byte[] content) when self.isRoot() ->
                    listener.onWaits(node, number, content);
            case Control.Moved moved when node.isRoot() ->
                    cluster.joining().mending().onMoved(moved);
            case Control.Process(String namespace, long id) ->
                    process =
                            !namespace.isEmpty() && namespace.equals(HostProcess.namespace())
                                    ? OptionalLong.of(id)
                                    : OptionalLong.empty();
            case Control.Leave(String reason) -> onLeave(reason);
            case Control.Finished(int status, String text) -> {
                expectEnd();
                cluster.over();
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
        if (cluster.joining().forgives(node, reason, true)) {
            closeInOrder();
        } else if (!cluster.joining().hasStarted()) {
            cluster.lose(this, "left before the run had started: " + reason);
        } else if (!gone) {
            gone = true;
            LOG.debug("node={} event=node-left other={} reason=\"{}\"", self, node, reason);
            listener.onLeft(node, reason);
        }
    }

    private void onLost(Control.Lost lost) {
        if (lost.node().index() >= config.nodes()) {
            throw new OutOfTurn("loss of node " + lost.node() + ", which does not exist");
        }
        if (lost.node().equals(self) || lost.node().equals(node)) {
            expectEnd();
        }
        if (!lost.node().equals(self)) {
            cluster.lose(cluster.member(lost.node()), lost.reason());
        } else if (!cluster.isOver()) { // otherwise this echoes this node's own announcement
            cluster.fail("node " + node + " took node " + self + " for lost: " + lost.reason());
        }
    }

    @Override
    public void onCut(String reason) {
        LOG.debug("node={} event=cut other={} reason=\"{}\"", self, node, reason);
        silence.cut(reason);
        if (!cluster.joining().forgives(node, reason, false)) {
            cluster.joining().mending().mend(node);
            look(reason);
        }
    }

    /** A process of this host shows whether it is worth waiting for. */
    private void look(String cutReason) {
        if (gone || process.isEmpty() || lasting().filter(LastingStream::isCut).isEmpty()) {
            return;
        }
        if (HostProcess.hasEnded(process.getAsLong())) {
            cluster.lose(this, cutReason + "; its process " + process.getAsLong() + " has ended");
        } else {
            cluster.loop().schedule(LOOK_NANOS, () -> look(cutReason));
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
        if (!cluster.joining().forgives(node, reason, false)) {
            cluster.lose(this, reason);
        }
    }
}
