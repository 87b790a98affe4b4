package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
    private static final Digest DIALLED = new Digest(1, -2, 3, Long.MIN_VALUE);
    private static final Digest ACCEPTED = new Digest(5, 6, -7, Long.MAX_VALUE);
    private static final Secret.Exchange EXCHANGE = exchange(DIALLED, ACCEPTED, 3, 0);

    private static Secret.Exchange exchange(Digest dialled, Digest accepted, int from, int to) {
        return new Secret.Exchange(dialled, accepted, new Control.Claim(from, to));
    }

    /** Shorter than the hash's block of 64 bytes, as long, and longer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 32, 63, 64, 65, 128, 1000})
    void secretOfAnyLength_provesAsTheHmacOfTheJdk(int length) throws GeneralSecurityException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);

        Digest proof = new Secret(bytes).proof("dialler", EXCHANGE);

        Mac oracle = Mac.getInstance("HmacSHA256");
        oracle.init(new SecretKeySpec(bytes, "HmacSHA256"));
        oracle.update("dialler".getBytes(StandardCharsets.US_ASCII));
        oracle.update(DIALLED.toBytes());
        oracle.update(ACCEPTED.toBytes());
        oracle.update(new byte[] {3, 0});
        assertArrayEquals(oracle.doFinal(), proof.toBytes());
    }

    @Test
    void roleNoncesNodesAndSecret_allChangeTheProof() {
        byte[] bytes = {1, 2, 3};
        Secret secret = new Secret(bytes);
        Digest proof = secret.proof("dialler", EXCHANGE);

        assertTrue(proof.matches(new Secret(bytes).proof("dialler", EXCHANGE)));
        assertFalse(proof.matches(new Secret(new byte[] {1, 2, 4}).proof("dialler", EXCHANGE)));
        assertFalse(proof.matches(secret.proof("listener", EXCHANGE)));
        for (Secret.Exchange other :
                List.of(
                        exchange(ACCEPTED, DIALLED, 3, 0),
                        exchange(DIALLED, DIALLED, 3, 0),
                        exchange(DIALLED, ACCEPTED, 0, 3),
                        exchange(DIALLED, ACCEPTED, 3, 1),
                        exchange(DIALLED, ACCEPTED, 2, 0))) {
            assertFalse(proof.matches(secret.proof("dialler", other)));
        }
        assertEquals("Secret", secret.toString());
    }

    @Test
    void callersBytes_areNotKept() {
        byte[] bytes = {1, 2, 3};
        Secret secret = new Secret(bytes);
        Digest proof = secret.proof("dialler", EXCHANGE);

        bytes[0] = 9;

        assertEquals(proof, secret.proof("dialler", EXCHANGE));
    }

    @Test
    void noBytes_areNoSecret() {
        assertThrows(IllegalArgumentException.class, () -> new Secret(new byte[0]));
    }
}
