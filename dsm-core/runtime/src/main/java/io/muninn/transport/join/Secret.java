package io.muninn.transport.join;

import io.muninn.transport.net.RandomBytes;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret shared by the nodes of one run. It is never sent: each side of a connection proves
 * that it has the secret by an HMAC-SHA256 over the {@link Exchange}.
 *
 * <p>Over TCP the key of the HMAC is one that both sides have agreed on by {@link CPace}, over the
 * {@linkplain io.muninn.transport.tls.TlsSession#binding binding} of the TLS session: a proof holds
 * in that session only, and nobody can try secrets against it. Between processes of one user on one
 * host, the key is the secret itself, which takes a process less time to start.
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
     * @param dialled nonce of the side that connected; over TCP, its share of the key
     * @param accepted nonce of the side that listened; over TCP, its share of the key
     * @param claim the two nodes
     */
    record Exchange(Digest dialled, Digest accepted, Control.Claim claim) {}

    /**
     * Begins an exchange on a link of this host.
     *
     * @return the part of one side
     */
    Part onThisHost() {
        return new Part(Digest.random(), (_, _) -> Optional.of(key));
    }

    /**
     * Begins an exchange on a link of TCP.
     *
     * @param claim the two nodes
     * @param binding of the TLS session; empty without TLS
     */
    Part overTcp(Control.Claim claim, byte[] binding) {
        byte[] nodes = {(byte) claim.dialling(), (byte) claim.listening()};
        byte[] scalar = RandomBytes.of(CPace.BYTES);
        byte[] generator = CPace.generator(key.getEncoded(), nodes, binding);
        Digest own;
        try {
            own = Digest.of(CPace.multiply(scalar, generator));
        } catch (InvalidKeyException neutral) {
            throw new IllegalStateException("a scalar of X25519 is never zero", neutral);
        }
        return new Part(
                own,
                (exchange, other) -> {
                    try {
                        byte[] agreed =
                                CPace.key(
                                        binding,
                                        CPace.multiply(scalar, other.toBytes()),
                                        exchange.dialled.toBytes(),
                                        exchange.accepted.toBytes());
                        return Optional.of(new SecretKeySpec(agreed, ALGORITHM));
                    } catch (InvalidKeyException noShare) {
                        return Optional.empty();
                    }
                });
    }

    /** Determines the key of the proofs; empty if the other side has sent no valid share. */
    private interface Keys {
        Optional<SecretKeySpec> of(Exchange exchange, Digest other);
    }

    /** One side's part in an exchange. */
    static final class Part {
        private final Digest nonce;
        private final Keys keys;

        private Part(Digest nonce, Keys keys) {
            this.nonce = nonce;
            this.keys = keys;
        }

        /** What this side sends. */
        Digest nonce() {
            return nonce;
        }

        /**
         * Completes the exchange.
         *
         * @param exchange one of its nonces is that of this part
         * @return empty if the other side has sent a nonce that no other part has
         */
        Optional<Proofs> complete(Exchange exchange) {
            Digest other = exchange.dialled.equals(nonce) ? exchange.accepted : exchange.dialled;
            return other.equals(nonce)
                    ? Optional.empty()
                    : keys.of(exchange, other).map(key -> new Proofs(key, exchange));
        }
    }

    /** The proofs of both sides of one exchange. */
    static final class Proofs {
        private final SecretKeySpec key;
        private final Exchange exchange;

        private Proofs(SecretKeySpec key, Exchange exchange) {
            this.key = key;
            this.exchange = exchange;
        }

        /**
         * Computes the proof of one side.
         *
         * @param role differs between the sides, so that a proof cannot be reflected
         */
        Digest of(String role) {
            return proof(key, role, exchange);
        }
    }

    /**
     * The proof of one side on a link of this host.
     *
     * @param role as for {@link Proofs#of}
     */
    Digest proof(String role, Exchange exchange) {
        return proof(key, role, exchange);
    }

    private static Digest proof(SecretKeySpec key, String role, Exchange exchange) {
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
