package io.muninn.bench.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts the bytes that arrive on a channel and calls {@link #onAll} for each complete message. */
abstract class Received extends ChannelInboundHandlerAdapter {
    private long waiting;

    /** Called with the first byte of the next message. */
    void onFirst(byte first) {}

    /** The size in bytes of the message that is expected next. */
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

    /** Sends {@code bytes} bytes: {@code first}, then zeros. */
    static void send(ChannelHandlerContext context, int bytes, int first) {
        context.writeAndFlush(
                context.alloc().directBuffer(bytes).writeZero(bytes).setByte(0, first));
    }
}
