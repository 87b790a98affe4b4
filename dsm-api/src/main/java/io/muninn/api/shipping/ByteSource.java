package io.muninn.api.shipping;

import io.muninn.api.DsmException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reads the bytes of a call, in the format of {@link ByteSink}. */
final class ByteSource {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong I64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private long position;

    ByteSource(byte[] bytes) {
        memory = MemorySegment.ofArray(bytes);
    }

    int u8() {
        return memory.get(ValueLayout.JAVA_BYTE, advance(1)) & 0xFF;
    }

    int u32() {
        return memory.get(U32, advance(Integer.BYTES));
    }

    /** A u32 that is less than {@code bound}. */
    int index(int bound) {
        int index = u32();
        if (index < 0 || index >= bound) {
            throw new DsmException("a call of " + memory.byteSize() + " bytes is malformed");
        }
        return index;
    }

    long i64() {
        return memory.get(I64, advance(Long.BYTES));
    }

    String text() {
        byte[] bytes = new byte[count(1)];
        elements(MemorySegment.ofArray(bytes));
        return TextBytes.decode(bytes);
    }

    /**
     * The number of elements that follow, checked against the remaining bytes.
     *
     * @param elementBytes smallest size of an element
     */
    int count(int elementBytes) {
        int count = u32();
        if (count < 0 || (long) count * elementBytes > memory.byteSize() - position) {
            throw new DsmException("a call of " + memory.byteSize() + " bytes is malformed");
        }
        return count;
    }

    /** Fills {@code target}. */
    void elements(MemorySegment target) {
        long bytes = target.byteSize();
        MemorySegment.copy(memory, advance(bytes), target, 0, bytes);
    }

    private long advance(long bytes) {
        if (position + bytes > memory.byteSize()) {
            throw new DsmException("a call of " + memory.byteSize() + " bytes is cut short");
        }
        long at = position;
        position += bytes;
        return at;
    }
}
