package io.muninn.transport.net;

import io.muninn.transport.loop.AgentEventLoop;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Channels configured as those between agents, on the same loop, without handshake, frames or
 * messages. Their transfer time is a lower bound for a cluster's.
 */
public final class BareChannels {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private BareChannels() {}

    /** Listens; each accepted channel gets a handler from the supplier. */
    public static ChannelFuture listen(
            AgentEventLoop loop, Address address, Supplier<? extends ChannelHandler> handlers) {
        return Sockets.listen(loop.group(), address, _ -> {}, _ -> handlers.get());
    }

    public static ChannelFuture connect(
            AgentEventLoop loop, Address address, ChannelHandler handler) {
        return Sockets.connect(loop.group(), address, LIMIT, handler);
    }
}
