package io.muninn.transport.stream;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.wire.Payload;
import io.muninn.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Writes messages into a Netty buffer. Payload bytes are copied directly from the payload source
 * into the buffer.
 *
 * <pre>
 *  payload   0        1             5
 *            +--------+-------------+---------
 *            | kind   | length u32  | bytes      kind 0 none, 1 zeros: nothing follows; 2 bytes
 *            +--------+-------------+---------   little-endian; length 1 or more
 *            +--------+-------------+--------------+---------
 *            | 3      | length u32  | checksum u32 | bytes      the same with its CRC-32C
 *            +--------+-------------+--------------+---------
 * </pre>
 */
public final class ByteBufWriter implements WireWriter {
    static final int PAYLOAD_NONE = 0;
    static final int PAYLOAD_ZERO = 1;
    static final int PAYLOAD_BYTES = 2;
    static final int PAYLOAD_CHECKED = 3;

    private static final int U8_MAX = 0xFF;
    private static final int U16_MAX = 0xFFFF;

    private final PayloadSource payloads;
    private ByteBuf target = Unpooled.EMPTY_BUFFER;
    private int end;
    private MemorySegment all = MemorySegment.NULL; // created on first use
    private boolean namedBytes;
    private boolean checksums;
    private int checksumBytes;
    private final CRC32C crc = new CRC32C();

    public ByteBufWriter(PayloadSource payloads) {
        this.payloads = payloads;
    }

    /**
     * Sets the buffer to append to. The caller keeps its reference.
     *
     * @param bytesMax largest number of bytes to append; a method that would exceed it throws
     *     IllegalArgumentException
     */
    public void wrap(ByteBuf buffer, int bytesMax) {
        target = buffer;
        all = MemorySegment.NULL; // a reused buffer may have other memory
        end = buffer.writerIndex() + bytesMax;
        namedBytes = false;
        checksums = false;
        checksumBytes = 0;
    }

    /** Gives each payload a checksum, until the next {@link #wrap}. */
    void withChecksums() {
        checksums = true;
    }

    /** Bytes of the checksums of payloads since the last {@link #wrap}. */
    int checksumBytes() {
        return checksumBytes;
    }

    /**
     * True if a payload since the last {@link #wrap} was the name of bytes, which may change or be
     * freed later.
     */
    public boolean namedBytes() {
        return namedBytes;
    }

    @Override
    public void u8(int value) {
        checkRange(value, U8_MAX);
        room(Byte.BYTES).writeByte(value);
    }

    @Override
    public void u16(int value) {
        checkRange(value, U16_MAX);
        room(Short.BYTES).writeShortLE(value);
    }

    @Override
    public void u32(int value) {
        room(Integer.BYTES).writeIntLE(value);
    }

    @Override
    public void i64(long value) {
        room(Long.BYTES).writeLongLE(value);
    }

    @Override
    public void bytes(byte[] value) {
        room(value.length).writeBytes(value);
    }

    @Override
    public void payload(Payload payload) {
        switch (payload) {
            case Payload.None() -> u8(PAYLOAD_NONE);
            case Payload.Received(MemorySegment bytes, boolean zero) -> {
                if (zero) {
                    u8(PAYLOAD_ZERO);
                } else {
                    payloadBytes(bytes);
                }
            }
            case Payload.PageImage _,
                    Payload.LiveImage _,
                    Payload.TwinImage _,
                    Payload.PoolFrame _,
                    Payload.ServedFrame _,
                    Payload.SavedDiff _,
                    Payload.KeptDiff _,
                    Payload.LastingDiff _ ->
                    payloadBytes(payloads.bytes(payload));
        }
    }

    private void payloadBytes(MemorySegment bytes) {
        namedBytes = true;
        if (bytes.byteSize() == 0) {
            u8(PAYLOAD_ZERO);
            return;
        }
        u8(checksums ? PAYLOAD_CHECKED : PAYLOAD_BYTES);
        if (bytes.byteSize() > Integer.MAX_VALUE) {
            throw tooLong(bytes.byteSize());
        }
        int length = (int) bytes.byteSize();
        u32(length);
        int before = checksums ? Integer.BYTES : 0;
        room(before + length);
        int index = target.writerIndex() + before;
        MemorySegment.copy(bytes, 0, all(), index, length);
        if (checksums) { // of the copy: a page that is in use may change
            target.writeIntLE(FrameHeaders.checksum(crc, target, index, length));
            checksumBytes += Integer.BYTES;
        }
        target.writerIndex(index + length);
    }

    /** The buffer's memory; fetched again only after the buffer has grown. */
    private MemorySegment all() {
        int capacity = target.capacity();
        if (all.byteSize() != capacity) {
            all = MemorySegment.ofBuffer(target.internalNioBuffer(0, capacity));
        }
        return all;
    }

    private ByteBuf room(int bytes) {
        if (bytes > end - target.writerIndex()) {
            throw tooLong(bytes);
        }
        return target.ensureWritable(bytes);
    }

    private IllegalArgumentException tooLong(long bytes) {
        return new IllegalArgumentException(
                bytes
                        + " more bytes do not fit the frame: "
                        + (end - target.writerIndex())
                        + " are left");
    }

    private static void checkRange(int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("value " + value + " is outside 0.." + max);
        }
    }
}
