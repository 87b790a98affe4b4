package io.muninn.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Writes messages into an array that grows: the frames of a simulated link. A payload is encoded as
 * on a real link: its kind u8, then for bytes their length u32 and the bytes.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class ByteWriter implements WireWriter {
    static final int NO_BYTES = 0;
    static final int ZERO_PAGE = 1;
    static final int SOME_BYTES = 2;

    private static final int ROOM_BYTES = 64;

    private final Function<Payload, MemorySegment> source;
    private final int setWords;
    private byte[] frame = new byte[ROOM_BYTES];
    private int length;
    private long contentBytes;

    /**
     * @param source turns a payload's name into bytes; the empty segment is a page of zeros
     */
    public ByteWriter(Function<Payload, MemorySegment> source) {
        this(source, 1);
    }

    /**
     * @param source as for the other constructor
     * @param nodes of the cluster
     */
    public ByteWriter(Function<Payload, MemorySegment> source, int nodes) {
        this.source = source;
        this.setWords = Math.ceilDiv(nodes, Long.SIZE);
    }

    /** Creates a writer for bytes without payloads. */
    public ByteWriter() {
        this(payload -> {
            throw new IllegalArgumentException("a payload where none may be: " + payload);
        });
    }

    /** Bytes of payloads among those written so far. */
    public long contentBytes() {
        return contentBytes;
    }

    /** Returns a copy of the bytes written so far. */
    public byte[] toArray() {
        return Arrays.copyOf(frame, length);
    }

    @Override
    public int setWords() {
        return setWords;
    }

    @Override
    public void u8(int value) {
        room(Byte.BYTES);
        frame[length] = (byte) value;
        length += Byte.BYTES;
    }

    @Override
    public void u16(int value) {
        u8(value);
        u8(value >>> 8);
    }

    @Override
    public void u32(int value) {
        u16(value);
        u16(value >>> 16);
    }

    @Override
    public void i64(long value) {
        u32((int) value);
        u32((int) (value >>> 32));
    }

    @Override
    public void bytes(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, frame, length, value.length);
        length += value.length;
    }

    @Override
    public void payload(Payload payload) {
        if (payload instanceof Payload.None) {
            u8(NO_BYTES);
            return;
        }
        MemorySegment value = source.apply(payload);
        int bytes = Math.toIntExact(value.byteSize());
        if (bytes == 0) {
            u8(ZERO_PAGE);
            return;
        }
        u8(SOME_BYTES);
        u32(bytes);
        contentBytes += bytes;
        room(bytes);
        MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, frame, length, bytes);
        length += bytes;
    }

    private void room(int bytes) {
        if (bytes > frame.length - length) {
            frame = Arrays.copyOf(frame, Math.max(2 * frame.length, length + bytes));
        }
    }
}
