package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int FRAMES = 300;
    private static final int FRAME_BYTES_MAX = 40_000;
    private static final int MIB = 1 << 20;

    private final UnpooledByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
    private final Inbox inbox = new Inbox();
    private final Inbox.MaxMessageHandle handle = inbox.newHandle();

    @AfterEach
    void close() {
        inbox.close();
    }

    /** Reads as a channel does. */
    private ByteBuf read(ByteBuf stream, int most) {
        ByteBuf target = handle.allocate(allocator);
        int bytes = Math.min(Math.min(most, target.writableBytes()), stream.readableBytes());
        assertTrue(bytes > 0, "no room for " + stream.readableBytes() + " bytes");
        handle.attemptedBytesRead(target.writableBytes());
        target.writeBytes(stream, bytes);
        handle.lastBytesRead(bytes);
        return target;
    }

    private static byte filling(int frame) {
        return (byte) (frame * 31 + 7);
    }

    private static ByteBuf frame(int number, int bytes) {
        ByteBuf frame = Unpooled.directBuffer(LENGTH_BYTES + bytes);
        frame.writeIntLE(bytes);
        for (int i = 0; i < bytes; i++) {
            frame.writeByte(filling(number));
        }
        return frame;
    }

    /**
     * Reads a whole frame and returns its number of bytes; or sets the wanted bytes and returns -1.
     */
    private int next(ByteBuf unread, int number) {
        if (unread.readableBytes() < LENGTH_BYTES) {
            return -1;
        }
        int bytes = unread.getIntLE(unread.readerIndex());
        if (unread.readableBytes() < LENGTH_BYTES + bytes) {
            inbox.want(LENGTH_BYTES + bytes);
            return -1;
        }
        unread.skipBytes(LENGTH_BYTES);
        for (int i = 0; i < bytes; i++) {
            assertEquals(filling(number), unread.readByte(), "frame " + number + ", byte " + i);
        }
        return bytes;
    }

    @Test
    void framesInPieces_comeWholeAndInOrder() {
        Random random = new Random(5);
        ByteBuf stream = Unpooled.directBuffer();
        int[] lengths = random.ints(FRAMES, 1, FRAME_BYTES_MAX).toArray();
        for (int i = 0; i < FRAMES; i++) {
            ByteBuf frame = frame(i, lengths[i]);
            stream.writeBytes(frame);
            frame.release();
        }
        int number = 0;
        while (stream.isReadable()) {
            ByteBuf unread = inbox.take(read(stream, 1 + random.nextInt(2 * FRAME_BYTES_MAX)));
            for (int bytes = next(unread, number); bytes >= 0; bytes = next(unread, number)) {
                assertEquals(lengths[number], bytes);
                number++;
            }
        }
        assertEquals(FRAMES, number);
        stream.release();
    }

    @Test
    void smallFrames_needOneBuffer() {
        ByteBuf first = take(frame(0, 100));
        for (int i = 0; i < FRAMES; i++) {
            assertSame(first, take(frame(0, 100)));
        }
    }

    /** All of a stream of one frame. */
    private ByteBuf take(ByteBuf stream) {
        ByteBuf unread = Unpooled.EMPTY_BUFFER;
        while (stream.isReadable()) {
            unread = inbox.take(read(stream, Integer.MAX_VALUE));
            next(unread, 0);
        }
        stream.release();
        assertEquals(0, unread.readableBytes());
        return unread;
    }

    @Test
    void longFrame_hasRoomAndItsMemoryIsGivenBack() {
        ByteBuf large = take(frame(0, MIB));
        assertTrue(large.capacity() >= MIB);
        ByteBuf next = take(frame(0, 100));
        assertNotSame(large, next);
        assertTrue(next.capacity() < MIB / 2, next.capacity() + " bytes are kept");
        assertEquals(0, large.refCnt());
    }

    @Test
    void bytesOfAnotherBuffer_areTakenBehindThoseThatAreUnread() {
        ByteBuf whole = frame(0, 1000);
        ByteBuf rest = whole.copy(300, whole.readableBytes() - 300);
        ByteBuf unread = inbox.take(read(whole, 300));
        assertEquals(-1, next(unread, 0));
        assertEquals(1000, next(inbox.take(rest), 0));
        assertEquals(0, rest.refCnt());
        whole.release();
    }

    @Test
    void closedInbox_dropsWhatIsStillRead() {
        ByteBuf whole = frame(0, 10);
        ByteBuf early = read(whole, 5);
        inbox.close();
        assertEquals(0, inbox.take(early).readableBytes());
        assertEquals(0, early.refCnt());
        ByteBuf late = read(whole, 5);
        assertEquals(0, inbox.take(late).readableBytes());
        assertEquals(0, late.refCnt());
        whole.release();
    }
}
