package io.muninn.wire;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The input of a decoder, little-endian. Every method throws {@link MalformedMessageException} if
 * too few bytes are left or a value is out of range, because the bytes are not trusted.
 */
public interface WireReader {
    int u8();

    int u16();

    int u32();

    long i64();

    /** Returns a copy of the next bytes. */
    byte[] bytes(int length);

    /** Number of bytes left in this message. */
    int remaining();

    /** A payload that is valid until the effects of its own step have run. */
    Payload payload();

    default boolean flag() {
        int value = u8();
        if (value > 1) {
            throw new MalformedMessageException("flag is " + value);
        }
        return value == 1;
    }

    /** A number from 0 to {@code max} in the shortest form of {@link WireWriter#varint}. */
    default long varint(long max) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int next = u8();
            value |= (next & 0x7FL) << shift;
            if (next <= 0x7F) {
                if (value > max || next == 0 && shift > 0) {
                    break;
                }
                return value;
            }
        }
        throw new MalformedMessageException("varint is too large or too long, most is " + max);
    }

    default NodeId node() {
        return NodeId.of((int) varint(NodeId.NODES_MAX - 1));
    }

    default PageId page() {
        int region = u16();
        int index = u32();
        if (index < 0) {
            throw new MalformedMessageException("page index is " + index);
        }
        return new PageId(region, index);
    }

    /** The number of words of a set of nodes; see {@link WireWriter#setWords}. */
    default int setWords() {
        return 1;
    }

    /**
     * A word of a set of nodes. A bit of a node that does not exist is malformed.
     *
     * @param word bit i denotes node {@code 64 * word + i}
     */
    default long nodeBits(int word) {
        return i64();
    }

    default String text() {
        return new String(bytes(u16()), StandardCharsets.UTF_8);
    }

    /** Length u32, then the bytes, as written by {@link WireWriter#sized}. */
    default byte[] sized() {
        int length = u32();
        if (length < 0 || length > remaining()) {
            throw new MalformedMessageException("length is " + length);
        }
        return bytes(length);
    }

    /** Count u16, then the items. */
    default <T> List<T> list(Function<WireReader, T> read) {
        int count = u16();
        List<T> items = new ArrayList<>(Math.min(count, remaining()));
        for (int i = 0; i < count; i++) {
            items.add(read.apply(this));
        }
        return List.copyOf(items);
    }
}
