package io.muninn.transport.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** Opens Netty's epoll sockets for both kinds of addresses. */
public final class Sockets {
    private static final int BACKLOG = 1_024; // the system may allow fewer

    /** {@code TCP_RTO_MAX_MS} of Linux 6.15 and later, at {@code IPPROTO_TCP}. */
    private static final IntegerUnixChannelOption TCP_RTO_MAX_MILLIS =
            new IntegerUnixChannelOption("TCP_RTO_MAX_MS", 6, 44);

    /** The least value that Linux accepts, in milliseconds. */
    private static final int RTO_MAX_LEAST = 1_000;

    private static final int RTO_MAX_MOST = 120_000;
    private static final int RETRIES_PER_LIMIT = 5; // at least

    private Sockets() {}

    /**
     * Listens; each accepted channel gets a connection from the function.
     *
     * @param refused receives the reason for each connection of another user of this host
     */
    public static ChannelFuture listen(
            EventLoopGroup group,
            Address address,
            Consumer<String> refused,
            Function<Channel, ? extends ChannelHandler> connections) {
        ServerChannel channel =
                switch (address) {
                    case Address.Tcp _ -> new EpollServerSocketChannel();
                    case Address.Unix _ -> new EpollServerDomainSocketChannel();
                };
        boolean isTcp = address instanceof Address.Tcp;
        channel.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        if (isTcp) {
            channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
        }
        return Listener.listen(
                group,
                channel,
                socketAddress(address),
                refused,
                accepted -> {
                    accepted.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
                    if (isTcp) {
                        accepted.config().setOption(ChannelOption.TCP_NODELAY, true);
                    }
                    accepted.pipeline().addLast(connections.apply(accepted));
                });
    }

    /**
     * Connects.
     *
     * @param limit the longest time that it may take
     */
    public static ChannelFuture connect(
            EventLoopGroup group, Address address, Duration limit, ChannelHandler connection) {
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(group)
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) limit.toMillis())
                        .handler(connection);
        switch (address) {
            case Address.Tcp _ ->
                    bootstrap
                            .channel(EpollSocketChannel.class)
                            .option(ChannelOption.TCP_NODELAY, true);
            case Address.Unix _ -> bootstrap.channel(EpollDomainSocketChannel.class);
        }
        return bootstrap.connect(socketAddress(address));
    }

    /**
     * Makes the system retransmit unacknowledged data at least five times per limit, but at most
     * once a second. By default the system doubles the time between retransmissions: after an
     * interruption of 4 s the next may be 3 s later.
     *
     * @return true if supported; Linux before 6.15 does not support it, and a Unix socket does not
     *     need it
     */
    public static boolean retryWithin(Channel channel, Duration limit) {
        if (!(channel instanceof EpollSocketChannel)) {
            return false;
        }
        long share = limit.toMillis() / RETRIES_PER_LIMIT;
        int millis = Math.clamp(share, RTO_MAX_LEAST, RTO_MAX_MOST);
        try {
            return channel.config().setOption(TCP_RTO_MAX_MILLIS, millis);
        } catch (ChannelException unknown) {
            return false;
        }
    }

    /** The address to which a listener is bound, with the port chosen by the system. */
    public static Address bound(Channel listener, Address wanted) {
        return switch (wanted) {
            case Address.Unix unix -> unix;
            case Address.Tcp(String host, int _) ->
                    new Address.Tcp(host, ((InetSocketAddress) listener.localAddress()).getPort());
        };
    }

    private static SocketAddress socketAddress(Address address) {
        return switch (address) {
            case Address.Tcp(String host, int port) -> new InetSocketAddress(host, port);
            case Address.Unix(String name) -> Listener.unix(name);
        };
    }
}
