package io.muninn.api.shipping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes the bytes of a call. Numbers are little-endian; a text is a u32 length and {@link
 * TextBytes}.
 */
final class ByteSink {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong I64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int FIRST_BYTES = 128;

    private byte[] bytes = new byte[FIRST_BYTES];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private int length;

    void u8(int value) {
        reserve(1);
        bytes[length] = (byte) value;
        length++;
    }

    void u32(int value) {
        reserve(Integer.BYTES);
        memory.set(U32, length, value);
        length += Integer.BYTES;
    }

    void i64(long value) {
        reserve(Long.BYTES);
        memory.set(I64, length, value);
        length += Long.BYTES;
    }

    void text(String value) {
        array(MemorySegment.ofArray(TextBytes.encode(value)), 1);
    }

    /**
     * A primitive array: u32 count, elements in the machine's byte order.
     *
     * @param elementBytes 1, 2, 4 or 8
     */
    void array(MemorySegment source, int elementBytes) {
        int sourceBytes = Math.toIntExact(source.byteSize());
        u32(sourceBytes / elementBytes);
        reserve(sourceBytes);
        MemorySegment.copy(source, 0, memory, length, sourceBytes);
        length += sourceBytes;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            bytes =
                    Arrays.copyOf(
                            bytes, Math.max(needed, (int) Math.min(2L * bytes.length, 1 << 30)));
            memory = MemorySegment.ofArray(bytes);
        }
    }
}
