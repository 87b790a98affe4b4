package io.muninn.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;

/** Opens Netty's epoll sockets for both kinds of address. */
final class Sockets {
    private static final int BACKLOG = 256;
    private static final int CONNECT_MILLIS_MAX = 5_000;

    private Sockets() {}

    /** Listens; each accepted channel gets the connection that the supplier makes. */
    static ChannelFuture listen(
            EventLoopGroup group, Address address, Supplier<? extends ChannelHandler> connections) {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(group)
                        .channel(serverChannel(address))
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel accepted) {
                                        accepted.pipeline().addLast(connections.get());
                                    }
                                });
        switch (address) {
            case Address.Tcp _ -> {
                bootstrap.option(ChannelOption.SO_REUSEADDR, true);
                bootstrap.childOption(ChannelOption.TCP_NODELAY, true);
            }
            case Address.Unix _ -> {}
        }
        return bootstrap.bind(socketAddress(address));
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

    private static Class<? extends ServerChannel> serverChannel(Address address) {
        return switch (address) {
            case Address.Tcp _ -> EpollServerSocketChannel.class;
            case Address.Unix _ -> EpollServerDomainSocketChannel.class;
        };
    }

    private static SocketAddress socketAddress(Address address) {
        return switch (address) {
            case Address.Tcp(String host, int port) -> new InetSocketAddress(host, port);
            case Address.Unix(String name) -> new DomainSocketAddress("\0" + name); // abstract
        };
    }
}
