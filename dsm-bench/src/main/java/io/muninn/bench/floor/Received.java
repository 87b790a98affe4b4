package io.muninn.bench.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts what arrives on a channel and calls back for every so many bytes. */
abstract class Received extends ChannelInboundHandlerAdapter {
    private long waiting;

    /** Bytes after which {@link #onAll} is called next. */
    abstract int awaitedBytes();

    abstract void onAll(ChannelHandlerContext context);

    @Override
    public final void channelRead(ChannelHandlerContext context, Object read) {
        ByteBuf bytes = (ByteBuf) read;
        waiting += bytes.readableBytes();
        bytes.release();
        while (waiting >= awaitedBytes()) {
            waiting -= awaitedBytes();
            onAll(context);
        }
    }

    static void send(ChannelHandlerContext context, int bytes) {
        context.writeAndFlush(context.alloc().directBuffer(bytes).writeZero(bytes));
    }
}
