package io.muninn.kernel;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.ByteReader;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * Cargo as text: the intervals that a timestamp covers, and the pages to which a node has stored in
 * each of its intervals. The timestamp of a lock request covers the intervals that the requester
 * has.
 */
final class TranscriptCargo {
    private final Function<PageId, String> named;

    TranscriptCargo(Function<PageId, String> named) {
        this.named = named;
    }

    String text(Cargo cargo, boolean isRequest) {
        StringJoiner texts = new StringJoiner(", ");
        for (Cargo.Item item : cargo.items()) {
            texts.add(
                    switch (item.code()) {
                        case Cargo.TIMESTAMP_CODE -> "up to " + timestamp(item.bytes());
                        case Cargo.SECTION_CODE -> "used inside: " + section(item.bytes());
                        default ->
                                isRequest
                                        ? "has " + timestamp(item.bytes())
                                        : "stored "
                                                + notices(item.bytes(), others(cargo, item.code()));
                    });
        }
        return texts.toString();
    }

    private String section(Bytes bytes) {
        ByteReader in = new ByteReader(bytes.array());
        StringJoiner texts = new StringJoiner("; ");
        while (in.remaining() > 0) {
            String page = named.apply(in.page());
            int planned = in.u8();
            int left = in.u8();
            texts.add(
                    left > planned
                            ? page + " stays behind"
                            : page + " goes along " + left + " more times");
        }
        return texts.toString();
    }

    /**
     * The number of intervals of other nodes that a notice names: none if a home orders the stores.
     */
    private static int others(Cargo cargo, int code) {
        Protocol protocol = Protocol.fromCode(code);
        if (ProtocolKind.of(protocol).traits().has(Trait.HOMES)) {
            return 0;
        }
        Bytes timestamp = cargo.of(Cargo.TIMESTAMP_CODE);
        return VectorTimestamp.decode(new ByteReader(timestamp.array())).nodes() - 1;
    }

    private static String timestamp(Bytes bytes) {
        return text(VectorTimestamp.decode(new ByteReader(bytes.array())));
    }

    static String text(VectorTimestamp timestamp) {
        StringJoiner texts = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < timestamp.nodes(); i++) {
            NodeId node = NodeId.of(i);
            if (timestamp.of(node) > 0) {
                texts.add("n" + node + ": " + timestamp.of(node));
            }
        }
        return texts.toString();
    }

    private String notices(Bytes bytes, int others) {
        ByteReader in = new ByteReader(bytes.array());
        StringJoiner texts = new StringJoiner(", ", "{", "}");
        while (in.remaining() > 0) {
            NodeId writer = in.node();
            long count = in.varint(in.remaining());
            long interval = 0;
            for (long i = 0; i < count; i++) {
                interval += in.varint(Long.MAX_VALUE);
                for (int other = 0; other < others; other++) {
                    in.varint(Long.MAX_VALUE); // its timestamp
                }
                texts.add("n" + writer + ": " + interval + " " + runs(in));
            }
        }
        return texts.toString();
    }

    private String runs(ByteReader in) {
        StringJoiner texts = new StringJoiner(" ");
        long runs = in.varint(in.remaining());
        for (long i = 0; i < runs; i++) {
            int region = (int) in.varint(Character.MAX_VALUE);
            int first = (int) in.varint(Integer.MAX_VALUE);
            long count = in.varint(Integer.MAX_VALUE);
            texts.add(
                    named.apply(new PageId(region, first))
                            + (count > 1 ? " + " + (count - 1) : ""));
        }
        return texts.toString();
    }
}
