package io.muninn.transport.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * The receive buffer of a connection: one buffer, to which its channel appends. A frame that
 * arrives in parts is therefore contiguous without a copy, and no read allocates. The buffer grows
 * with the amount that arrives at a time, and for longer frames.
 *
 * <p>With TLS, or before the first bytes show whether there is any, the channel has buffers of its
 * own, and what other handlers leave of them is copied.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class Inbox extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int BYTES_INITIAL = 4 << 10;

    /** A little more than the capacity of a socket buffer of usual size. */
    private static final int BYTES_USUAL_MAX = 256 << 10;

    /** Number of reads before other channels are served. */
    private static final int READS_MAX = 4;

    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int usualBytes = BYTES_INITIAL;
    private int wantedBytes; // contiguous, from the first unread byte
    private boolean closed;
    private boolean bypassed;

    Inbox() {
        super(READS_MAX);
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return usualBytes;
            }

            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                if (closed || bypassed) {
                    return allocator.directBuffer(closed ? BYTES_INITIAL : usualBytes);
                }
                return room(allocator).retain();
            }

            @Override
            public void lastBytesRead(int bytes) {
                super.lastBytesRead(bytes);
                if (bytes > 0 && bytes == attemptedBytesRead()) { // more may be available
                    usualBytes = Math.min(2 * usualBytes, BYTES_USUAL_MAX);
                }
            }
        };
    }

    /**
     * Takes the bytes that a channel has read, with the caller's reference.
     *
     * @return all unread bytes; the inbox keeps ownership
     */
    ByteBuf take(ByteBuf read) {
        if (read == buffer) {
            read.release(); // the inbox has its own reference
        } else if (closed) {
            read.release();
            return Unpooled.EMPTY_BUFFER;
        } else { // the channel has buffers of its own
            want(Math.max(wantedBytes, buffer.readableBytes() + read.readableBytes()));
            room(read.alloc()).writeBytes(read);
            read.release();
        }
        wantedBytes = 0;
        return buffer;
    }

    /**
     * Whether the channel reads into buffers of its own, for handlers in front of the connection.
     */
    void bypass(boolean on) {
        bypassed = on;
    }

    /** Sets the number of unread bytes at which the next frame is complete. */
    void want(int bytes) {
        wantedBytes = bytes;
    }

    /** Frees the memory; bytes read from now on are dropped. */
    void close() {
        closed = true;
        buffer.release();
        buffer = Unpooled.EMPTY_BUFFER;
    }

    /**
     * Returns the buffer with room for the wanted bytes, and at least for a part of the usual
     * amount.
     */
    private ByteBuf room(ByteBufAllocator allocator) {
        int unread = buffer.readableBytes();
        int bytes = Math.max(usualBytes, wantedBytes);
        if (buffer.capacity() < bytes || (unread == 0 && buffer.capacity() > bytes)) {
            ByteBuf next = allocator.directBuffer(bytes, Integer.MAX_VALUE);
            next.writeBytes(buffer);
            buffer.release();
            buffer = next;
        } else if (unread == 0) {
            buffer.clear();
        } else if (buffer.writableBytes() < Math.max(wantedBytes - unread, usualBytes / 2)) {
            buffer.discardReadBytes();
        }
        return buffer;
    }
}
