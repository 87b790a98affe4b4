package io.muninn.transport.join;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.net.SocketAddress;

/**
 * A channel that looks like a connection to an address. A direction that is shut down ends both.
 */
final class Wire extends EmbeddedChannel implements DuplexChannel {
    private final SocketAddress remote;

    Wire(SocketAddress remote) {
        this.remote = remote;
    }

    @Override
    public boolean isInputShutdown() {
        return !isOpen();
    }

    @Override
    public boolean isOutputShutdown() {
        return !isOpen();
    }

    @Override
    public boolean isShutdown() {
        return !isOpen();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return close();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return close(promise);
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return close();
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        return close(promise);
    }

    @Override
    public ChannelFuture shutdown() {
        return close();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return close(promise);
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return remote;
    }
}
