package io.muninn.spi;

import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Consistency data on a synchronization message: per protocol, bytes that only that protocol
 * decodes, and the timestamp that orders them. Eager protocols send none.
 *
 * @param items in order of protocol code
 */
public record Cargo(List<Item> items) {
    /**
     * The code reserved for reductions, which are carried by barriers and belong to no protocol.
     */
    public static final int REDUCTION_CODE = 255;

    /** The code of the {@link VectorTimestamp} that orders the cargo of all protocols. */
    public static final int TIMESTAMP_CODE = 254;

    /** The code of the records of the pages that travelled with a grant's token. */
    public static final int SECTION_CODE = 253;

    /** The code of the processes between which a letter travels, if its nodes have several. */
    public static final int PROCESSES_CODE = 252;

    public static final Cargo NONE = new Cargo(List.of());

    /**
     * One protocol's part.
     *
     * @param code the protocol's code, or one of those above
     */
    public record Item(int code, Bytes bytes) {}

    public Cargo {
        items = List.copyOf(items);
    }

    /** This cargo and one more item; an empty item adds nothing. */
    public Cargo with(int code, Bytes bytes) {
        if (bytes.length() == 0) {
            return this;
        }
        List<Item> more = new ArrayList<>(items);
        more.add(new Item(code, bytes));
        return new Cargo(more);
    }

    /** The part of one protocol; empty if it sent none. */
    public Bytes of(int code) {
        for (Item item : items) {
            if (item.code() == code) {
                return item.bytes();
            }
        }
        return Bytes.EMPTY;
    }

    /** Count u8, then per item code u8, length u32 and bytes. */
    public void encode(WireWriter out) {
        out.u8(items.size());
        for (Item item : items) {
            out.u8(item.code());
            out.sized(item.bytes().array());
        }
    }

    /**
     * @throws MalformedMessageException if the bytes are no cargo
     */
    public static Cargo decode(WireReader in) {
        int count = in.u8();
        if (count == 0) {
            return NONE;
        }
        List<Item> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(new Item(in.u8(), new Bytes(in.sized())));
        }
        return new Cargo(items);
    }
}
