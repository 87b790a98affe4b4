package io.muninn.transport.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Buffers for large batches of a connection, reused when the channel has released them: allocating
 * one takes longer than filling it.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class SendBuffers {
    private static final int KEPT_MAX = 4;

    private final int bytes;
    private final List<ByteBuf> kept = new ArrayList<>(KEPT_MAX);
    private boolean closed;

    /**
     * @param bytes initial size of each buffer; a buffer can grow
     */
    SendBuffers(int bytes) {
        this.bytes = bytes;
    }

    /** Returns an empty buffer; the caller has a reference to it. */
    ByteBuf take(ByteBufAllocator allocator) {
        for (ByteBuf buffer : kept) {
            if (buffer.refCnt() == 1) { // only the reference held here
                if (buffer.capacity() > bytes) {
                    kept.remove(buffer); // a rare large frame has made it grow
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

    /** Frees the buffers that the channel does not hold; the others are freed on release. */
    void close() {
        closed = true;
        kept.forEach(ByteBuf::release);
        kept.clear();
    }
}
