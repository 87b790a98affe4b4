package io.muninn.transport.net;

import io.muninn.nativefault.PeerUser;
import io.muninn.transport.loop.AgentEventLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketChannel;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Listens, and configures accepted channels. Netty's own bootstrap uses handlers with annotations,
 * for which the JDK generates classes; that would delay every agent's start.
 */
public final class Listener {
    /** Pause after a failed accept, most likely because the process has no more descriptors. */
    private static final long PAUSE_SECONDS = 1;

    private Listener() {}

    /**
     * Listens at an abstract Unix name, for processes of this process's user.
     *
     * @param abstractName without the leading zero byte
     * @param refused receives the reason for each connection of another user, which is closed
     * @param setUp receives each accepted channel, on the loop, before anything arrives there
     */
    public static ChannelFuture listen(
            AgentEventLoop loop,
            String abstractName,
            Consumer<String> refused,
            Consumer<Channel> setUp) {
        return listen(
                loop.group(),
                new EpollServerDomainSocketChannel(),
                unix(abstractName),
                refused,
                setUp);
    }

    /** Listens with a configured channel, which is closed if it cannot be bound. */
    static ChannelFuture listen(
            EventLoopGroup group,
            ServerChannel channel,
            SocketAddress address,
            Consumer<String> refused,
            Consumer<Channel> setUp) {
        channel.pipeline().addLast(new Acceptor(refused, setUp));
        ChannelFuture registered = group.register(channel);
        ChannelPromise bound = channel.newPromise();
        registered.addListener(ready -> {
            if (ready.isSuccess()) {
                channel.bind(address, bound).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            } else {
                bound.setFailure(ready.cause());
            }
        });
        return bound;
    }

    static DomainSocketAddress unix(String abstractName) {
        return new DomainSocketAddress("\0" + abstractName);
    }

    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Consumer<String> refused;
        private final Consumer<Channel> setUp;

        Acceptor(Consumer<String> refused, Consumer<Channel> setUp) {
            this.refused = refused;
            this.setUp = setUp;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel accepted = (Channel) message;
            Optional<String> refusal = refusal(accepted);
            if (refusal.isPresent()) {
                refused.accept(refusal.get());
                accepted.unsafe().closeForcibly();
                return;
            }
            setUp.accept(accepted);
            context.channel()
                    .eventLoop()
                    .register(accepted)
                    .addListener(
                            (ChannelFutureListener)
                                    registered -> {
                                        if (!registered.isSuccess()) {
                                            registered.channel().unsafe().closeForcibly();
                                        }
                                    });
        }

        private static Optional<String> refusal(Channel accepted) {
            return accepted instanceof DomainSocketChannel local
                    ? PeerUser.refusal(local.fd().intValue())
                    : Optional.empty();
        }

        /** Without a pause the loop would be notified of the waiting connection continuously. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ChannelConfig config = context.channel().config();
            if (config.isAutoRead()) {
                config.setAutoRead(false);
                context.channel()
                        .eventLoop()
                        .schedule(() -> config.setAutoRead(true), PAUSE_SECONDS, TimeUnit.SECONDS);
            }
            context.fireExceptionCaught(cause); // logged at the end of the pipeline
        }
    }
}
