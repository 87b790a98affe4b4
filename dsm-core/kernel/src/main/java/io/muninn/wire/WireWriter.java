package io.muninn.wire;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/** The output of an encoder, little-endian. Implemented over the transport's buffers. */
public interface WireWriter {
    void u8(int value);

    void u16(int value);

    void u32(int value);

    void i64(long value);

    void bytes(byte[] value);

    /** Writes the current bytes of a payload: flag, length and bytes. */
    void payload(Payload payload);

    default void flag(boolean value) {
        u8(value ? 1 : 0);
    }

    /**
     * Writes seven bits per byte, lowest first; a byte's highest bit is set if another byte
     * follows. For numbers that are usually small.
     *
     * @param value 0 or more
     */
    default void varint(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative varint " + value);
        }
        long left = value;
        while (left > 0x7F) {
            u8((int) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        u8((int) left);
    }

    /** Writes a varint: one byte for the nodes of live clusters. */
    default void node(NodeId node) {
        varint(node.index());
    }

    /** The number of words of a set of nodes, each an i64: one for each 64 nodes of the cluster. */
    default int setWords() {
        return 1;
    }

    /** Region u16, index u32. */
    default void page(PageId page) {
        u16(page.region());
        u32(page.index());
    }

    /** Length u16, then UTF-8. */
    default void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 0xFFFF) {
            throw new IllegalArgumentException("text of " + utf8.length + " bytes");
        }
        u16(utf8.length);
        bytes(utf8);
    }

    /** Length u32, then the bytes. */
    default void sized(byte[] value) {
        u32(value.length);
        bytes(value);
    }

    /** Count u16, then the items. */
    default <T> void list(List<T> items, BiConsumer<T, WireWriter> write) {
        u16(items.size());
        for (T item : items) {
            write.accept(item, this);
        }
    }
}
