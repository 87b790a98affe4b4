package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
    private static final Digest DIALLED = new Digest(1, -2, 3, Long.MIN_VALUE);
    private static final Digest ACCEPTED = new Digest(5, 6, -7, Long.MAX_VALUE);

    /** Shorter than the hash's block of 64 bytes, as long, and longer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 32, 63, 64, 65, 128, 1000})
    void secretOfAnyLength_provesAsTheHmacOfTheJdk(int length) throws GeneralSecurityException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);

        Digest proof = new Secret(bytes).proof("dialler", DIALLED, ACCEPTED);

        Mac oracle = Mac.getInstance("HmacSHA256");
        oracle.init(new SecretKeySpec(bytes, "HmacSHA256"));
        oracle.update("dialler".getBytes(StandardCharsets.US_ASCII));
        oracle.update(DIALLED.toBytes());
        oracle.update(ACCEPTED.toBytes());
        assertArrayEquals(oracle.doFinal(), proof.toBytes());
    }

    @Test
    void roleNoncesAndSecret_allChangeTheProof() {
        Secret secret = new Secret(new byte[] {1, 2, 3});
        Digest proof = secret.proof("dialler", DIALLED, ACCEPTED);

        assertNotEquals(proof, secret.proof("listener", DIALLED, ACCEPTED));
        assertNotEquals(proof, secret.proof("dialler", ACCEPTED, DIALLED));
        assertNotEquals(
                proof, new Secret(new byte[] {1, 2, 4}).proof("dialler", DIALLED, ACCEPTED));
    }

    @Test
    void callersBytes_areNotKept() {
        byte[] bytes = {1, 2, 3};
        Secret secret = new Secret(bytes);
        Digest proof = secret.proof("dialler", DIALLED, ACCEPTED);

        bytes[0] = 9;

        assertEquals(proof, secret.proof("dialler", DIALLED, ACCEPTED));
    }

    @Test
    void noBytes_areNoSecret() {
        assertThrows(IllegalArgumentException.class, () -> new Secret(new byte[0]));
    }
}
