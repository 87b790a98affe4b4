package io.muninn.ipc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A frame that is being written or read, in native memory that grows to the longest frame. */
public final class CallBuffer {
    private static final long FIRST_BYTES = 64 << 10;

    private MemorySegment memory = Arena.ofAuto().allocate(FIRST_BYTES, Long.BYTES);
    private long position;
    private long limit;

    public CallBuffer start(int call) {
        position = 0;
        return u8(call);
    }

    public CallBuffer u8(int value) {
        reserve(1);
        memory.set(JAVA_BYTE, position, (byte) value);
        position += 1;
        return this;
    }

    public CallBuffer u32(int value) {
        reserve(4);
        memory.set(JAVA_INT_UNALIGNED, position, value);
        position += 4;
        return this;
    }

    public CallBuffer i64(long value) {
        reserve(8);
        memory.set(JAVA_LONG_UNALIGNED, position, value);
        position += 8;
        return this;
    }

    public CallBuffer f64(double value) {
        reserve(8);
        memory.set(JAVA_DOUBLE_UNALIGNED, position, value);
        position += 8;
        return this;
    }

    public CallBuffer bytes(MemorySegment source) {
        reserve(source.byteSize());
        MemorySegment.copy(source, 0, memory, position, source.byteSize());
        position += source.byteSize();
        return this;
    }

    public CallBuffer text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return u32(utf8.length).bytes(MemorySegment.ofArray(utf8));
    }

    public long address() {
        return memory.address();
    }

    /** Bytes written so far. */
    public int written() {
        return Math.toIntExact(position);
    }

    public int capacity() {
        return Math.toIntExact(memory.byteSize());
    }

    /** Makes room for a frame that did not fit; the previous content is lost. */
    public void grow() {
        memory = Arena.ofAuto().allocate(memory.byteSize() * 4, Long.BYTES);
    }

    /** Starts to read a frame of that length. */
    public void received(int bytes) {
        position = 0;
        limit = bytes;
    }

    public int u8() {
        return memory.get(JAVA_BYTE, advance(1)) & 0xFF;
    }

    public int u32() {
        return memory.get(JAVA_INT_UNALIGNED, advance(4));
    }

    public long i64() {
        return memory.get(JAVA_LONG_UNALIGNED, advance(8));
    }

    public String text() {
        int length = u32();
        byte[] utf8 = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, advance(length), utf8, 0, length);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Returns a copy of the rest of the frame. */
    public byte[] rest() {
        int length = Math.toIntExact(limit - position);
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, advance(length), bytes, 0, length);
        return bytes;
    }

    private long advance(long bytes) {
        if (bytes < 0 || position + bytes > limit) {
            throw new IllegalStateException(
                    "the agent's answer of " + limit + " bytes is too short");
        }
        long at = position;
        position += bytes;
        return at;
    }

    private void reserve(long bytes) {
        if (position + bytes > memory.byteSize()) {
            long needed = Math.max(position + bytes, 2 * memory.byteSize());
            MemorySegment larger = Arena.ofAuto().allocate(needed, Long.BYTES);
            MemorySegment.copy(memory, 0, larger, 0, position);
            memory = larger;
        }
    }
}
