package io.muninn.transport;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the nodes of one run share and nobody else knows. It never travels: each side of a
 * connection proves that it has it by an HMAC-SHA256 over nonces of both sides.
 */
public final class Secret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PROVIDER = "SunJCE";

    private final SecretKeySpec key;

    /**
     * @param bytes copied; at least one byte, 32 random ones are a good choice
     * @throws IllegalArgumentException if there are none
     */
    public Secret(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("the cluster secret is empty");
        }
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The proof of one side.
     *
     * @param role differs between the sides, so that a proof cannot be reflected
     * @param dialled nonce of the side that connected
     * @param accepted nonce of the side that listened
     */
    Digest proof(String role, Digest dialled, Digest accepted) {
        try {
            Mac mac = mac();
            mac.init(key);
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update(dialled.toBytes());
            mac.update(accepted.toBytes());
            return Digest.of(mac.doFinal());
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /** Of the provider that has it: asking all loads those before it, elliptic curves and all. */
    private static Mac mac() throws NoSuchAlgorithmException {
        try {
            return Mac.getInstance(ALGORITHM, PROVIDER);
        } catch (NoSuchProviderException removed) {
            return Mac.getInstance(ALGORITHM); // by whoever made this JDK, or configured it
        }
    }

    /** Never the bytes. */
    @Override
    public String toString() {
        return "Secret";
    }
}
