package io.muninn.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * Where the bytes of a connection arrive: one buffer, into which its channel reads behind what is
 * there already. So a frame that comes in pieces is whole in its place, without a copy, and no read
 * allocates. It grows with what arrives at a time, and for a frame that is longer than that.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class Inbox extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int BYTES_INITIAL = 4 << 10;

    /** As many as a socket of usual size holds, and a little more. */
    private static final int BYTES_USUAL_MAX = 256 << 10;

    /** Reads before others have their turn. */
    private static final int READS_MAX = 4;

    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int usualBytes = BYTES_INITIAL;
    private int wantedBytes; // contiguous, from the first that is unread
    private boolean closed;

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
                return closed ? allocator.directBuffer(BYTES_INITIAL) : room(allocator).retain();
            }

            @Override
            public void lastBytesRead(int bytes) {
                super.lastBytesRead(bytes);
                if (bytes > 0 && bytes == attemptedBytesRead()) { // there may be more
                    usualBytes = Math.min(2 * usualBytes, BYTES_USUAL_MAX);
                }
            }
        };
    }

    /**
     * Takes what a channel has read, and with it the caller's reference.
     *
     * @param allocator of the channel, should there have to be more room
     * @return everything unread; it stays the inbox's
     */
    ByteBuf take(ByteBuf read, ByteBufAllocator allocator) {
        if (read == buffer) {
            read.release(); // the inbox has its own
        } else if (closed) {
            read.release();
            return Unpooled.EMPTY_BUFFER;
        } else { // it came another way: by a ring, or a channel that does not read into here
            want(Math.max(wantedBytes, buffer.readableBytes() + read.readableBytes()));
            room(allocator).writeBytes(read);
            read.release();
        }
        wantedBytes = 0;
        return buffer;
    }

    /** Whether nothing is unread. */
    boolean isEmpty() {
        return !buffer.isReadable();
    }

    /** The next frame is not whole before so many bytes are unread. */
    void want(int bytes) {
        wantedBytes = bytes;
    }

    /** Frees its memory; what is read from now on is dropped. */
    void close() {
        closed = true;
        buffer.release();
        buffer = Unpooled.EMPTY_BUFFER;
    }

    /** The buffer, with room for what is wanted and, in any case, for a part of the usual. */
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
