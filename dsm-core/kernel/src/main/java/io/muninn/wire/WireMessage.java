package io.muninn.wire;

/** A typed record that is sent between nodes. Its codec is declared next to it. */
public interface WireMessage {
    /** The codec of this message; one per record type. */
    Codec<?> codec();
}
