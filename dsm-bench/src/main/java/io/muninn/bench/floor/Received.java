package io.muninn.bench.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts what arrives on a channel and calls back for every so many bytes. */
abstract class Received extends ChannelInboundHandlerAdapter {
    private long waiting;

    /** The first byte of what comes next is here. */
    void onFirst(byte first) {}

    /** Bytes after which {@link #onAll} is called next. */
    abstract int awaitedBytes();

    abstract void onAll(ChannelHandlerContext context);

    @Override
    public final void channelRead(ChannelHandlerContext context, Object read) {
        ByteBuf bytes = (ByteBuf) read;
        if (waiting == 0 && bytes.isReadable()) {
            onFirst(bytes.getByte(bytes.readerIndex()));
        }
        waiting += bytes.readableBytes();
        bytes.release();
        while (waiting >= awaitedBytes()) {
            waiting -= awaitedBytes();
            onAll(context);
        }
    }

    /** All of them are zero but the first. */
    static void send(ChannelHandlerContext context, int bytes, int first) {
        context.writeAndFlush(
                context.alloc().directBuffer(bytes).writeZero(bytes).setByte(0, first));
    }
}
