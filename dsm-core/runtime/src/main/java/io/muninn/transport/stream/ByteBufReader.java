package io.muninn.transport.stream;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message from a Netty buffer. A payload is a read-only view of the buffer's memory
 * without a guaranteed alignment, valid until the callback that received the message returns.
 */
public final class ByteBufReader implements WireReader {
    private final ByteBuf source;
    private final int first;
    private @Nullable MemorySegment all; // created on first use
    private int nodes = NodeId.LIVE_MAX;
    private Predicate<PageId> isPage = _ -> true;
    private @Nullable PageId last; // page that was read last
    private @Nullable PageId wrong; // first page whose bytes differ from their checksum
    private @Nullable CRC32C crc; // null unless payloads are compared with their checksums

    /**
     * @param source exactly one message's bytes; the caller keeps the reference
     */
    public ByteBufReader(ByteBuf source) {
        this.source = source;
        this.first = source.readerIndex();
    }

    /**
     * Makes this reader refuse ids of nodes and pages that do not exist.
     *
     * @param existing number of nodes
     * @param pages true for pages that exist
     */
    public ByteBufReader within(int existing, Predicate<PageId> pages) {
        nodes = existing;
        isPage = pages;
        return this;
    }

    /** Makes this reader compare payloads with their checksums, to find the page that is wrong. */
    public ByteBufReader withChecksums() {
        crc = new CRC32C();
        return this;
    }

    /** The page of the first payload that differs from its checksum; empty if there is none. */
    public Optional<PageId> wrongPage() {
        return Optional.ofNullable(wrong);
    }

    @Override
    public NodeId node() {
        NodeId node = WireReader.super.node();
        if (node.index() >= nodes) {
            throw new MalformedMessageException("node is " + node + ", of " + nodes);
        }
        return node;
    }

    @Override
    public long nodeBits(int word) {
        long bits = i64();
        if (nodes < Long.SIZE && bits >>> nodes != 0) {
            throw new MalformedMessageException(
                    "nodes are " + Long.toBinaryString(bits) + ", of " + nodes);
        }
        return bits;
    }

    @Override
    public PageId page() {
        PageId page = WireReader.super.page();
        if (!isPage.test(page)) {
            throw new MalformedMessageException("page " + page + " does not exist");
        }
        last = page;
        return page;
    }

    /** True if the next byte marks a control frame. Reads nothing. */
    public boolean startsControl() {
        return source.isReadable() && source.getUnsignedByte(source.readerIndex()) == Control.MARK;
    }

    /** True if its sender ends its links after this frame, or may do so. Reads nothing. */
    public boolean saysFarewell() {
        return starts(Control.Leave.CODEC)
                || starts(Control.Finished.CODEC)
                || starts(Control.Lost.CODEC);
    }

    /** True if this is a control frame of that kind. Reads nothing. */
    boolean starts(Codec<? extends Control> codec) {
        int at = source.readerIndex();
        return startsControl()
                && source.readableBytes() > 1
                && source.getUnsignedByte(at + 1) == codec.code();
    }

    @Override
    public int u8() {
        return need(Byte.BYTES).readUnsignedByte();
    }

    @Override
    public int u16() {
        return need(Short.BYTES).readUnsignedShortLE();
    }

    @Override
    public int u32() {
        return need(Integer.BYTES).readIntLE();
    }

    @Override
    public long i64() {
        return need(Long.BYTES).readLongLE();
    }

    @Override
    public byte[] bytes(int length) {
        byte[] copy = new byte[checkLength(length)];
        source.readBytes(copy);
        return copy;
    }

    @Override
    public int remaining() {
        return source.readableBytes();
    }

    @Override
    public Payload payload() {
        int kind = u8();
        return switch (kind) {
            case ByteBufWriter.PAYLOAD_NONE -> Payload.NONE;
            case ByteBufWriter.PAYLOAD_ZERO -> new Payload.Received(MemorySegment.NULL, true);
            case ByteBufWriter.PAYLOAD_BYTES -> payloadBytes(false);
            case ByteBufWriter.PAYLOAD_CHECKED -> payloadBytes(true);
            default -> throw new MalformedMessageException("payload kind is " + kind);
        };
    }

    /** The checksum of the whole frame covers the bytes, too, so nobody else compares theirs. */
    private Payload payloadBytes(boolean checked) {
        int length = u32();
        int checksum = checked ? u32() : 0;
        checkLength(length);
        if (length == 0) {
            throw new MalformedMessageException("payload of 0 bytes");
        }
        int index = source.readerIndex();
        if (checked && crc != null && wrong == null) {
            boolean same = checksum == FrameHeaders.checksum(crc, source, index, length);
            wrong = same ? null : last;
        }
        source.skipBytes(length);
        return new Payload.Received(all().asSlice(index - first, length), false);
    }

    /**
     * The whole message as a segment; created once, because most messages with a payload have many.
     */
    private MemorySegment all() {
        MemorySegment present = all;
        if (present == null) {
            int length = source.writerIndex() - first;
            present = MemorySegment.ofBuffer(source.internalNioBuffer(first, length)).asReadOnly();
            all = present;
        }
        return present;
    }

    private int checkLength(int length) {
        if (length < 0) {
            throw new MalformedMessageException("length is " + Integer.toUnsignedString(length));
        }
        need(length);
        return length;
    }

    private ByteBuf need(int bytes) {
        if (bytes > source.readableBytes()) {
            throw new MalformedMessageException(
                    bytes + " bytes wanted, " + source.readableBytes() + " left");
        }
        return source;
    }
}
