package io.muninn.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;

/** Opens Netty's epoll sockets for both kinds of address. */
final class Sockets {
    private static final int BACKLOG = 1_024; // the system may take fewer
    private static final int CONNECT_MILLIS_MAX = 5_000;

    private Sockets() {}

    /**
     * Listens; each accepted channel gets the connection that the function makes.
     *
     * @param refused receives the reason for each connection of another user of this host
     */
    static ChannelFuture listen(
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

    static ChannelFuture connect(EventLoopGroup group, Address address, ChannelHandler connection) {
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(group)
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
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

    /** What a listener is bound to, with the port that the system chose. */
    static Address bound(Channel listener, Address wanted) {
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
