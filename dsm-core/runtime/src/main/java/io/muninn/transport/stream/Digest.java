package io.muninn.transport.stream;

import io.muninn.transport.net.RandomBytes;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.nio.ByteBuffer;

/** 256 bits: a nonce, or a proof over nonces. Immutable, and compared in constant time. */
public record Digest(long w0, long w1, long w2, long w3) {
    static final int BYTES = 32;

    public static Digest random() {
        return of(RandomBytes.of(BYTES));
    }

    public static Digest of(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        return new Digest(words.getLong(), words.getLong(), words.getLong(), words.getLong());
    }

    static Digest read(WireReader in) {
        return new Digest(in.i64(), in.i64(), in.i64(), in.i64());
    }

    void write(WireWriter out) {
        out.i64(w0);
        out.i64(w1);
        out.i64(w2);
        out.i64(w3);
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(w0).putLong(w1).putLong(w2).putLong(w3).array();
    }

    /** Compares in a time that does not depend on the position of a difference. */
    public boolean matches(Digest other) {
        return ((w0 ^ other.w0) | (w1 ^ other.w1) | (w2 ^ other.w2) | (w3 ^ other.w3)) == 0;
    }
}
