package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.HostNames;
import io.muninn.transport.net.Sockets;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries to connect to one node until it is welcomed there, one attempt at a time. Each attempt
 * resolves the host name again and has twice the time of the one before, so a slow node answers one
 * of them in time.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Dialler implements DiallingHandshake.Caller {
    private static final Logger LOG = LoggerFactory.getLogger(Dialler.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long RETRY_NAME_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int DOUBLINGS_MAX = 20;

    /** Receives the connection. */
    interface Owner {
        Connection newConnection();

        /**
         * Determines the address of this node, when it listens.
         *
         * @param reached a channel to the dialled node
         */
        void announce(NodeId target, Channel reached, Consumer<Address> then);

        Control.Join join(Address announced);

        /** The link has been accepted and belongs to the owner; the dialler has ended. */
        void welcomed(NodeId target, Link link);

        /** The other side refuses this node; the dialler has ended. */
        void refused(NodeId target, String text);
    }

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final NodeId target;
    private final Owner owner;
    private Address address = new Address.Unix("none"); // not valid before it dials
    private @Nullable DiallingHandshake handshake; // null if none is in progress
    private int attempt; // callbacks of other attempts are ignored
    private int failures;
    private boolean underWay;
    private String lastReason = "no answer";

    Dialler(AgentEventLoop loop, ClusterConfig config, NodeId target, Owner owner) {
        this.loop = loop;
        this.config = config;
        this.target = target;
        this.owner = owner;
    }

    /** Starts to dial, or starts again after it has ended or if the address differs. */
    void dial(Address where) {
        end();
        address = where;
        failures = 0;
        underWay = true;
        tryOnce();
    }

    /** Cancels the attempt in progress without a call of the owner. */
    void end() {
        attempt++;
        underWay = false;
        DiallingHandshake present = handshake;
        if (present != null) {
            handshake = null;
            present.abandon();
        }
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** The reason why the last attempt failed, as text for the user. */
    String lastReason() {
        return lastReason;
    }

    private void tryOnce() {
        attempt++;
        int mine = attempt;
        switch (address) {
            case Address.Unix unix -> connect(mine, unix);
            case Address.Tcp(String host, int port) ->
                    HostNames.resolve(
                            loop,
                            host,
                            found -> {
                                if (mine == attempt) {
                                    onResolved(mine, host, port, found);
                                }
                            });
        }
    }

    private void onResolved(int mine, String host, int port, List<InetAddress> found) {
        if (found.isEmpty()) {
            retry("host '" + host + "' is unknown", RETRY_NAME_NANOS);
        } else {
            InetAddress next = found.get(failures % found.size());
            connect(mine, new Address.Tcp(next.getHostAddress(), port));
        }
    }

    private void connect(int mine, Address resolved) {
        Connection connection = owner.newConnection();
        ChannelFuture connecting = Sockets.connect(loop.group(), resolved, connection);
        connecting.addListener(_ -> loop.run(() -> onConnected(mine, connection, connecting)));
    }

    private void onConnected(int mine, Connection connection, ChannelFuture connecting) {
        Channel channel = connecting.channel();
        if (mine != attempt) {
            channel.close();
        } else if (connecting.isSuccess()) {
            owner.announce(target, channel, announced -> shakeHands(mine, connection, announced));
        } else {
            retry(String.valueOf(connecting.cause().getMessage()), RETRY_NANOS);
        }
    }

    private void shakeHands(int mine, Connection connection, Address announced) {
        if (mine != attempt) {
            connection.close();
            return;
        }
        DiallingHandshake.Target goal = new DiallingHandshake.Target(target, owner.join(announced));
        handshake = new DiallingHandshake(loop, connection, config, goal, patience(), this);
    }

    private Duration patience() {
        Duration first = config.handshakeTimeout();
        Duration grown = first.multipliedBy(1L << Math.min(failures, DOUBLINGS_MAX));
        Duration most = config.joinTimeout();
        return grown.compareTo(most) < 0 || first.compareTo(most) > 0 ? grown : most;
    }

    @Override
    public void broken(String reason) {
        handshake = null;
        retry(reason, RETRY_NANOS);
    }

    private void retry(String reason, long delayNanos) {
        lastReason = reason;
        failures++;
        LOG.debug("node={} event=retry other={} reason=\"{}\"", config.self(), target, reason);
        attempt++;
        int mine = attempt;
        loop.schedule(
                delayNanos,
                () -> {
                    if (mine == attempt) {
                        tryOnce();
                    }
                });
    }

    @Override
    public void refused(String text) {
        handshake = null;
        end();
        owner.refused(target, text);
    }

    @Override
    public void welcomed(Connection connection) {
        handshake = null;
        end();
        owner.welcomed(target, connection);
    }
}
