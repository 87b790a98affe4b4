package io.muninn.transport.join;

import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Address;
import io.muninn.transport.net.HostNames;
import io.muninn.transport.net.Sockets;
import io.muninn.transport.stream.Connection;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import io.muninn.transport.tls.TlsSession;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries to connect to one node until it is welcomed there, one attempt at a time. Each attempt
 * resolves the host name again. After a handshake that was not finished, the next attempt has twice
 * the time, so a slow node answers one of them in time.
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

        /** False if this node need not be reached any longer. */
        default boolean isWanted(NodeId target) {
            return true;
        }

        /**
         * What this node says first, once the other has proved the secret; empty if it need not be
         * reached any longer.
         */
        Optional<Control> opening(NodeId target, Address announced);

        /** The link has been accepted and belongs to the owner; the dialler has ended. */
        void welcomed(NodeId target, Link link);

        /**
         * The connection carries a link that was there before; the dialler has ended.
         *
         * @param have number of the next frame that the other side lacks
         */
        default void resumed(NodeId target, Connection connection, int have) {
            throw new IllegalStateException("node " + target + " resumes what has just begun");
        }

        /** The other side has taken this node for lost; the dialler has ended. */
        default void lost(NodeId target, String reason) {
            refused(target, reason);
        }

        /** The other side refuses this node; the dialler has ended. */
        void refused(NodeId target, String text);
    }

    /**
     * How long attempts take.
     *
     * @param connect for a connection without the handshakes
     * @param first for the handshakes of the first attempt; after each that was not finished, the
     *     next one has twice the time
     * @param most for any attempt, but not for the first
     */
    record Pace(Duration connect, Duration first, Duration most) {}

    private final AgentEventLoop loop;
    private final ClusterConfig config;
    private final NodeId target;
    private final Owner owner;
    private final Pace pace;
    private Address address = new Address.Unix("none"); // not valid before it dials
    private @Nullable DiallingHandshake handshake; // null if none is in progress
    private int attempt; // callbacks of other attempts are ignored
    private int failures;
    private int unfinished; // of the failures: handshakes that began
    private boolean underWay;
    private String lastReason = "no answer";

    Dialler(AgentEventLoop loop, ClusterConfig config, NodeId target, Pace pace, Owner owner) {
        this.loop = loop;
        this.config = config;
        this.target = target;
        this.pace = pace;
        this.owner = owner;
    }

    /** Starts to dial, or starts again after it has ended or if the address differs. */
    void dial(Address where) {
        end();
        address = where;
        failures = 0;
        unfinished = 0;
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
        if (!owner.isWanted(target)) {
            end();
            return;
        }
        attempt++;
        int mine = attempt;
        switch (address) {
            case Address.Unix unix -> connect(mine, unix, Optional.empty());
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
            Optional<TlsSession> tls =
                    config.tls().covers(next)
                            ? Optional.of(config.tls().dialling(host, port))
                            : Optional.empty();
            connect(mine, new Address.Tcp(next.getHostAddress(), port), tls);
        }
    }

    private void connect(int mine, Address resolved, Optional<TlsSession> tls) {
        Connection connection = owner.newConnection();
        if (tls.isPresent()) {
            connection.readsBehindOthers();
            connection.tls(tls.get());
        }
        ChannelFuture connecting =
                Sockets.connect(loop.group(), resolved, pace.connect, connection);
        connecting.addListener(_ -> loop.run(() -> onConnected(mine, connection, connecting)));
    }

    private void onConnected(int mine, Connection connection, ChannelFuture connecting) {
        Channel channel = connecting.channel();
        if (mine != attempt) {
            channel.close();
        } else if (connecting.isSuccess() && connection.tls().isPresent()) {
            protect(mine, connection, channel, connection.tls().get());
        } else if (connecting.isSuccess()) {
            owner.announce(target, channel, announced -> shakeHands(mine, connection, announced));
        } else {
            retry(String.valueOf(connecting.cause().getMessage()), RETRY_NANOS);
        }
    }

    /** Completes the handshake of TLS, within the time of an attempt. */
    private void protect(int mine, Connection connection, Channel channel, TlsSession tls) {
        channel.pipeline()
                .addFirst(
                        new FirstBytes((_, speaksTls) -> {
                            if (!speaksTls && mine == attempt) {
                                connection.close();
                                refused(
                                        "node "
                                                + target
                                                + " at "
                                                + address
                                                + " does not speak TLS"
                                                + AcceptingHandshake.SAME_ON_ALL);
                            }
                        }),
                        tls.sslHandler());
        Cancellable deadline = loop.patience(patience().toNanos(), channel::close);
        tls.sslHandler()
                .handshakeFuture()
                .addListener(done -> {
                    deadline.cancel();
                    loop.run(() -> onProtected(mine, connection, tls, done));
                });
    }

    private void onProtected(int mine, Connection connection, TlsSession tls, Future<?> done) {
        if (mine != attempt) {
            connection.close();
        } else if (!done.isSuccess()) {
            unfinished++;
            String cause = done.cause().getMessage(); // null if this side has closed the channel
            retry("TLS: " + (cause == null ? "no answer in time" : cause), RETRY_NANOS);
        } else if (tls.refusal().isPresent()) {
            String text = "the certificate of node " + target + " " + tls.refusal().get();
            connection.refuse(text);
            connection.finish(() -> {}); // lingers so that the other side can read the reason
            refused(text);
        } else {
            owner.announce(
                    target,
                    connection.channel(),
                    announced -> shakeHands(mine, connection, announced));
        }
    }

    private void shakeHands(int mine, Connection connection, Address announced) {
        if (mine != attempt) {
            connection.close();
            return;
        }
        DiallingHandshake.Target goal =
                new DiallingHandshake.Target(target, () -> owner.opening(target, announced));
        handshake = new DiallingHandshake(loop, connection, config, goal, patience(), this);
    }

    private Duration patience() {
        Duration grown = pace.first.multipliedBy(1L << Math.min(unfinished, DOUBLINGS_MAX));
        boolean isWithin = grown.compareTo(pace.most) < 0 || pace.first.compareTo(pace.most) > 0;
        return isWithin ? grown : pace.most;
    }

    @Override
    public void broken(String reason) {
        handshake = null;
        unfinished++;
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

    @Override
    public void resumed(Connection connection, int have) {
        handshake = null;
        end();
        owner.resumed(target, connection, have);
    }

    @Override
    public void lost(String reason) {
        handshake = null;
        end();
        owner.lost(target, reason);
    }
}
