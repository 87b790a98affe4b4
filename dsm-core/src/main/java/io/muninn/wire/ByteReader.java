package io.muninn.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Reads what {@link ByteWriter} wrote. */
public final class ByteReader implements WireReader {
    private final byte[] frame;
    private int next;

    public ByteReader(byte[] frame) {
        this.frame = frame;
    }

    @Override
    public int u8() {
        return bytes(1)[0] & 0xFF;
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
        if (length > remaining()) {
            throw new MalformedMessageException(length + " bytes wanted, " + remaining() + " left");
        }
        next += length;
        return Arrays.copyOfRange(frame, next - length, next);
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
            case ByteWriter.SOME_BYTES ->
                    new Payload.Received(MemorySegment.ofArray(sized()), false);
            default -> throw new MalformedMessageException("unknown kind of payload");
        };
    }
}
