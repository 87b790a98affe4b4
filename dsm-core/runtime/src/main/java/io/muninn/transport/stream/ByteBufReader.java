package io.muninn.transport.stream;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message from a Netty buffer. A payload is a read-only view of the buffer's memory
 * without a guaranteed alignment, valid until the callback that received the message returns.
 */
public final class ByteBufReader implements WireReader {
    private final ByteBuf source;
    private final int first;
    private @Nullable MemorySegment all; // created on first use
    private int nodes = NodeId.NODES_MAX;
    private Predicate<PageId> isPage = _ -> true;

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

    @Override
    public NodeId node() {
        NodeId node = WireReader.super.node();
        if (node.index() >= nodes) {
            throw new MalformedMessageException("node is " + node + ", of " + nodes);
        }
        return node;
    }

    @Override
    public long nodeBits() {
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
        return page;
    }

    /** True if the next byte marks a control frame. Reads nothing. */
    public boolean startsControl() {
        return source.isReadable() && source.getUnsignedByte(source.readerIndex()) == Control.MARK;
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
            case ByteBufWriter.PAYLOAD_BYTES -> payloadBytes();
            default -> throw new MalformedMessageException("payload kind is " + kind);
        };
    }

    private Payload payloadBytes() {
        int length = checkLength(u32());
        if (length == 0) {
            throw new MalformedMessageException("payload of 0 bytes");
        }
        int index = source.readerIndex();
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
