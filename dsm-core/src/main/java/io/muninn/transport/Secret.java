package io.muninn.transport;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * What the nodes of one run share and nobody else knows. It never travels: each side of a
 * connection proves that it has it by an HMAC-SHA256 over nonces of both sides.
 *
 * <p>The HMAC is put together here from its hash (H. Krawczyk, M. Bellare, R. Canetti, “HMAC:
 * Keyed-Hashing for Message Authentication”, RFC 2104, 1997). The JDK's own comes from a provider
 * behind others, which are all made first, elliptic curves too: a twentieth of what a new agent
 * does. The test compares.
 */
public final class Secret {
    private static final String HASH = "SHA-256";

    /** What the hash takes in at once, {@code B} of the source. */
    private static final int BLOCK_BYTES = 64;

    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    /** The secret, its hash if it is longer than that; zeros behind. */
    private final byte[] key;

    /**
     * @param bytes copied; at least one byte, 32 random ones are a good choice
     * @throws IllegalArgumentException if there are none
     */
    public Secret(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("the cluster secret is empty");
        }
        byte[] fitting = bytes.length > BLOCK_BYTES ? hash().digest(bytes) : bytes;
        key = Arrays.copyOf(fitting, BLOCK_BYTES);
    }

    /**
     * The proof of one side.
     *
     * @param role differs between the sides, so that a proof cannot be reflected
     * @param dialled nonce of the side that connected
     * @param accepted nonce of the side that listened
     */
    Digest proof(String role, Digest dialled, Digest accepted) {
        MessageDigest hash = hash();
        hash.update(padded(INNER));
        hash.update(role.getBytes(StandardCharsets.US_ASCII));
        hash.update(dialled.toBytes());
        byte[] inner = hash.digest(accepted.toBytes());
        hash.update(padded(OUTER));
        return Digest.of(hash.digest(inner));
    }

    private byte[] padded(byte pad) {
        byte[] padded = new byte[BLOCK_BYTES];
        for (int i = 0; i < BLOCK_BYTES; i++) {
            padded[i] = (byte) (key[i] ^ pad);
        }
        return padded;
    }

    private static MessageDigest hash() {
        try {
            return MessageDigest.getInstance(HASH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has " + HASH, impossible);
        }
    }

    /** Never the bytes. */
    @Override
    public String toString() {
        return "Secret";
    }
}
