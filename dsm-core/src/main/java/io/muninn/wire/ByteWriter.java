package io.muninn.wire;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

/** Writes messages into memory. Payload layout: kind u8, then for bytes length u32 and bytes. */
public final class ByteWriter implements WireWriter {
    static final int NO_BYTES = 0;
    static final int ZERO_PAGE = 1;
    static final int SOME_BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Function<Payload, MemorySegment> source;

    /**
     * @param source turns a payload's name into bytes; the empty segment is a page of zeros
     */
    public ByteWriter(Function<Payload, MemorySegment> source) {
        this.source = source;
    }

    public byte[] toArray() {
        return out.toByteArray();
    }

    @Override
    public void u8(int value) {
        out.write(value);
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
        out.writeBytes(value);
    }

    @Override
    public void payload(Payload payload) {
        if (payload instanceof Payload.None) {
            u8(NO_BYTES);
            return;
        }
        byte[] value = source.apply(payload).toArray(ValueLayout.JAVA_BYTE);
        if (value.length == 0) {
            u8(ZERO_PAGE);
        } else {
            u8(SOME_BYTES);
            sized(value);
        }
    }
}
