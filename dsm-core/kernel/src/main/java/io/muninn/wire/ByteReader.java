package io.muninn.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads messages written by {@link ByteWriter}. A payload refers to the bytes of the frame, which
 * must not change.
 */
public final class ByteReader implements WireReader {
    private final byte[] frame;
    private final int setWords;
    private int next;

    public ByteReader(byte[] frame) {
        this(frame, 1);
    }

    /**
     * @param nodes of the cluster
     */
    public ByteReader(byte[] frame, int nodes) {
        this.frame = frame;
        this.setWords = Math.ceilDiv(nodes, Long.SIZE);
    }

    @Override
    public int setWords() {
        return setWords;
    }

    @Override
    public int u8() {
        return frame[take(Byte.BYTES)] & 0xFF;
    }

    @Override
    public int u16() {
        return u8() | u8() << 8;
    }

    @Override
    public int u32() {
        return u16() | u16() << 16;
    }

    @Override
    public long i64() {
        return (u32() & 0xFFFF_FFFFL) | (long) u32() << 32;
    }

    @Override
    public byte[] bytes(int length) {
        int from = take(length);
        return Arrays.copyOfRange(frame, from, next);
    }

    @Override
    public int remaining() {
        return frame.length - next;
    }

    @Override
    public Payload payload() {
        return switch (u8()) {
            case ByteWriter.NO_BYTES -> Payload.NONE;
            case ByteWriter.ZERO_PAGE ->
                    new Payload.Received(MemorySegment.ofArray(new byte[0]), true);
            case ByteWriter.SOME_BYTES -> {
                int length = u32();
                int from = take(length);
                yield new Payload.Received(
                        MemorySegment.ofArray(frame).asSlice(from, length), false);
            }
            default -> throw new MalformedMessageException("unknown kind of payload");
        };
    }

    private int take(int bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new MalformedMessageException(bytes + " bytes wanted, " + remaining() + " left");
        }
        int from = next;
        next += bytes;
        return from;
    }
}
