package io.muninn.transport.stream;

import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Collects sent messages into batches, each of which is one buffer.
 *
 * <p><b>Threads.</b> The event loop of the channel.
 */
final class Outbox {
    private static final int BATCH_BYTES_INITIAL = 4 << 10;
    private static final int BATCH_BYTES_MAX = 64 << 10;

    /** If the usual batch is larger than this, a reusable buffer is taken. */
    private static final int BATCH_BYTES_SMALL = 16 << 10;

    /** Enough for a batch just below its maximum and a message with as many bytes of pages. */
    private static final int BUFFER_BYTES = 2 * BATCH_BYTES_MAX + (8 << 10);

    /** Number of small batches, roughly, after which a large one is no longer usual. */
    private static final int USUAL_BATCHES = 16;

    private final ByteBufWriter writer;
    private final SendBuffers buffers = new SendBuffers(BUFFER_BYTES);
    private final FrameHeaders headers = new FrameHeaders();
    private @Nullable ByteBuf batch; // null if there is none
    private int frames; // of the batch
    private int usualBytes = BATCH_BYTES_INITIAL; // size of a usual batch, so that few have to grow

    Outbox(ByteBufWriter writer) {
        this.writer = writer;
    }

    FrameHeaders headers() {
        return headers;
    }

    /**
     * Adds a message.
     *
     * @param control whether it is one of the transport
     * @param frameBytesMax the longest frame
     * @param have number of the next frame of the other direction
     * @return bytes of its frame
     * @throws IllegalArgumentException if the frame exceeds the limit; nothing is added
     */
    int add(
            ByteBufAllocator allocator,
            WireMessage message,
            boolean control,
            int frameBytesMax,
            int have) {
        ByteBuf target = batch(allocator);
        int start = target.writerIndex();
        boolean whole = false;
        try {
            target.writeZero(headers.bytes());
            writer.wrap(target, frameBytesMax);
            if (headers.hasChecksums()) {
                writer.withChecksums();
            }
            if (control) {
                writer.u8(Control.MARK);
            }
            Codecs.encode(message, writer);
            whole = true;
        } finally {
            if (!whole) {
                target.writerIndex(start); // earlier messages of this batch stay valid
            }
        }
        headers.write(target, start, have);
        frames++;
        int body = target.writerIndex() - start - headers.bytes();
        return FrameHeaders.LENGTH_BYTES + body - writer.checksumBytes();
    }

    private ByteBuf batch(ByteBufAllocator allocator) {
        ByteBuf present = batch;
        if (present == null) {
            present =
                    usualBytes <= BATCH_BYTES_SMALL
                            ? allocator.directBuffer(usualBytes)
                            : buffers.take(allocator);
            batch = present;
        }
        return present;
    }

    /** True if the batch is to be taken before the next message is added. */
    boolean isFull() {
        return batch != null && batch.readableBytes() >= BATCH_BYTES_MAX;
    }

    /** Number of frames in the batch. */
    int frames() {
        return frames;
    }

    /** Takes the batch, which belongs to the caller; null if there is none. */
    @Nullable ByteBuf take() {
        ByteBuf taken = batch;
        batch = null;
        frames = 0;
        if (taken != null && taken.readableBytes() < BATCH_BYTES_MAX) {
            int less = Math.max(BATCH_BYTES_INITIAL, usualBytes - usualBytes / USUAL_BATCHES);
            usualBytes = Math.max(taken.readableBytes(), less);
        } else if (taken != null) {
            usualBytes = BATCH_BYTES_MAX;
        }
        return taken;
    }

    /** Drops the batch. */
    void drop() {
        ByteBuf unsent = take();
        if (unsent != null) {
            unsent.release();
        }
    }

    /** Drops the batch, and frees all buffers that nobody else holds. */
    void close() {
        drop();
        buffers.close();
    }
}
