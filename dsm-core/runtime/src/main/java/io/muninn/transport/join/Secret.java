package io.muninn.transport.join;

import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret shared by the nodes of one run. It is never sent: each side of a connection proves
 * that it has the secret by an HMAC-SHA256 over the {@link Exchange}.
 */
public final class Secret {
    /** An environment variable that may hold it; an agent does not pass it to applications. */
    public static final String VARIABLE = "MUNINN_SECRET";

    private static final String ALGORITHM = "HmacSHA256";
    private static final String PROVIDER = "SunJCE";

    private final SecretKeySpec key;

    /**
     * @param bytes copied; at least one byte, preferably 32 random bytes
     * @throws IllegalArgumentException if empty
     */
    public Secret(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("the cluster secret is empty");
        }
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The data covered by the proofs of one connection. It differs between any two connections, by
     * its nonces, and between any two pairs of nodes.
     *
     * @param dialled nonce of the side that connected
     * @param accepted nonce of the side that listened
     * @param claim the two nodes
     */
    record Exchange(Digest dialled, Digest accepted, Control.Claim claim) {}

    /**
     * Computes the proof of one side.
     *
     * @param role differs between the sides, so that a proof cannot be reflected
     */
    Digest proof(String role, Exchange exchange) {
        try {
            Mac mac = mac();
            mac.init(key);
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update(exchange.dialled.toBytes());
            mac.update(exchange.accepted.toBytes());
            mac.update((byte) exchange.claim.dialling());
            mac.update((byte) exchange.claim.listening());
            return Digest.of(mac.doFinal());
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /**
     * Uses the provider that has the algorithm; a search would also load the providers before it.
     */
    private static Mac mac() throws NoSuchAlgorithmException {
        try {
            return Mac.getInstance(ALGORITHM, PROVIDER);
        } catch (NoSuchProviderException removed) {
            return Mac.getInstance(ALGORITHM); // this JDK has it in another provider
        }
    }

    /** Does not contain the bytes. */
    @Override
    public String toString() {
        return "Secret";
    }
}
