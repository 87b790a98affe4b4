package io.muninn.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;

/**
 * Channels set up as those between agents, on the same loop, with nothing on them: no handshake, no
 * frames, no messages. What they take for bytes is the floor of what a cluster can take.
 */
public final class BareChannels {
    private BareChannels() {}

    /** Listens; each accepted channel gets the handler that the supplier makes. */
    public static ChannelFuture listen(
            AgentEventLoop loop, Address address, Supplier<? extends ChannelHandler> handlers) {
        return Sockets.listen(loop.group(), address, _ -> {}, _ -> handlers.get());
    }

    public static ChannelFuture connect(
            AgentEventLoop loop, Address address, ChannelHandler handler) {
        return Sockets.connect(loop.group(), address, handler);
    }
}
