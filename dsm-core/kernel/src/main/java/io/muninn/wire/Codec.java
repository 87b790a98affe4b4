package io.muninn.wire;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Encodes and decodes one type of message.
 *
 * @param code the first byte of the message's frame; 1 to 255, one per type, never reused
 * @param name the message's kind in statistics, hyphenated
 * @param type the record
 * @param encoder writes the record's fields in order
 * @param decoder reads them in the same order; bytes that it leaves unread make the message
 *     malformed
 */
public record Codec<M extends WireMessage>(
        int code,
        String name,
        Class<M> type,
        BiConsumer<M, WireWriter> encoder,
        Function<WireReader, M> decoder) {

    /** Number of codes: one byte, of which 0 is never used. */
    public static final int CODES = 256;

    public Codec {
        if (code < 1 || code >= CODES) {
            throw new IllegalArgumentException("codec " + name + ": code " + code);
        }
    }

    /** Writes the message's fields, without code or length. */
    public void encode(WireMessage message, WireWriter out) {
        encoder.accept(type.cast(message), out);
    }
}
