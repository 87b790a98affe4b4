package io.muninn.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers for large batches of a connection, used again once the channel has let go of them:
 * allocating one takes longer than filling it.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class SendBuffers {
    private static final int KEPT_MAX = 4;

    private final int bytes;
    private final List<ByteBuf> kept = new ArrayList<>(KEPT_MAX);
    private boolean closed;

    /**
     * @param bytes of each buffer; it grows if it must
     */
    SendBuffers(int bytes) {
        this.bytes = bytes;
    }

    /** An empty buffer; the caller has a reference to it. */
    ByteBuf take(ByteBufAllocator allocator) {
        for (ByteBuf buffer : kept) {
            if (buffer.refCnt() == 1) { // this one's
                if (buffer.capacity() > bytes) {
                    kept.remove(buffer); // a rare frame has made it grow
                    buffer.release();
                    break;
                }
                return buffer.clear().retain();
            }
        }
        ByteBuf buffer = allocator.directBuffer(bytes);
        if (kept.size() < KEPT_MAX && !closed) {
            kept.add(buffer.retain());
        }
        return buffer;
    }

    /** Frees those that the channel does not have; the others follow. */
    void close() {
        closed = true;
        kept.forEach(ByteBuf::release);
        kept.clear();
    }
}
