package io.muninn.transport.join;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes of the other side, says what it speaks, and passes them on. It stands in
 * front of the other handlers of a channel until then.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class FirstBytes extends ChannelInboundHandlerAdapter {
    /** Bytes by which TLS is told from frames. */
    private static final int BYTES = 2;

    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int APPLICATION_DATA = 23;
    private static final int MAJOR_VERSION = 3;

    /** Decides how the connection goes on. */
    interface Owner {
        /**
         * The other side has begun to speak. Handlers that this adds behind the given one receive
         * its bytes.
         *
         * @param speaksTls true if it sent a record of TLS; a frame never begins so, because the
         *     first ones are shorter than 768 bytes
         */
        void onFirstBytes(ChannelHandlerContext context, boolean speaksTls);
    }

    private final Owner owner;
    private @Nullable ByteBuf held; // the bytes so far; null if there are none

    FirstBytes(Owner owner) {
        this.owner = owner;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        ByteBuf bytes = (ByteBuf) read;
        ByteBuf before = held;
        if (before != null) {
            ByteBuf joined = context.alloc().buffer().writeBytes(before).writeBytes(bytes);
            before.release();
            bytes.release();
            bytes = joined;
        }
        held = bytes;
        if (bytes.readableBytes() < BYTES) {
            return;
        }
        held = null;
        int type = bytes.getUnsignedByte(bytes.readerIndex());
        int version = bytes.getUnsignedByte(bytes.readerIndex() + 1);
        boolean speaksTls =
                type >= CHANGE_CIPHER_SPEC && type <= APPLICATION_DATA && version == MAJOR_VERSION;
        owner.onFirstBytes(context, speaksTls);
        context.fireChannelRead(bytes);
        if (context.channel().isRegistered() && !context.isRemoved()) {
            context.pipeline().remove(this);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        ByteBuf unread = held;
        if (unread != null) {
            held = null;
            unread.release();
        }
    }
}
