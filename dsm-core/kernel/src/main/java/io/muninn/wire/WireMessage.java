package io.muninn.wire;

/** A typed record that travels between nodes. Its codec stands beside it. */
public interface WireMessage {
    /** The codec that wrote, or will write, this message; one per record type. */
    Codec<?> codec();
}
