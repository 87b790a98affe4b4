package io.muninn.transport.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Digest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CPaceTest {
    private static final Control.Claim CLAIM = new Control.Claim(1, 0);
    private static final byte[] BINDING = {1, 2, 3};

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The test vectors of draft-irtf-cfrg-cpace, appendix B.1. */
    @Test
    void exchange_isThatOfTheDraft() throws InvalidKeyException {
        byte[] session = hex("7e4b4791d6a8ef019b936c79fb7f2c57");
        byte[] generator =
                CPace.generator(
                        "Password".getBytes(StandardCharsets.US_ASCII),
                        hex("6f630b425f726573706f6e6465720b415f696e69746961746f72"),
                        session);
        assertEquals(
                "64e8099e3ea682cfdc5cb665c057ebb514d06bf23ebc9f743b51b82242327074", hex(generator));

        byte[] initiator = hex("21b4f4bd9e64ed355c3eb676a28ebedaf6d8f17bdc365995b319097153044080");
        byte[] responder = hex("848b0779ff415f0af4ea14df9dd1d3c29ac41d836c7808896c4eba19c51ac40a");
        byte[] sent = CPace.multiply(initiator, generator);
        byte[] answered = CPace.multiply(responder, generator);
        assertEquals("1b02dad6dbd29a07b6d28c9e04cb2f184f0734350e32bb7e62ff9dbcfdb63d15", hex(sent));
        assertEquals(
                "20cda5955f82c4931545bcbf40758ce1010d7db4db2a907013d79c7a8fcf957f", hex(answered));

        byte[] common = CPace.multiply(initiator, answered);
        assertEquals(
                "f97fdfcfff1c983ed6283856a401de3191ca919902b323c5f950c9703df7297a", hex(common));
        assertEquals(hex(common), hex(CPace.multiply(responder, sent)));
        assertEquals(
                "a051ee5ee2499d16da3f69f430218b8ea94a18a45b67f9e86495b382c33d14a5"
                        + "c38cecc0cc834f960e39e0d1bf7d76b9ef5d54eecc5e0f386c97ad12da8c3d5f",
                hex(
                        CPace.key(
                                session,
                                common,
                                sent,
                                "ADa".getBytes(StandardCharsets.US_ASCII),
                                answered,
                                "ADb".getBytes(StandardCharsets.US_ASCII))));
    }

    @Test
    void pointsOfSmallOrder_areNoShares() {
        byte[] scalar = new byte[CPace.BYTES];
        scalar[3] = 9;
        for (String point :
                new String[] {
                    "0000000000000000000000000000000000000000000000000000000000000000",
                    "0100000000000000000000000000000000000000000000000000000000000000",
                    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
                    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"
                }) {
            assertThrows(InvalidKeyException.class, () -> CPace.multiply(scalar, hex(point)));
            Secret.Part part = new Secret(new byte[] {5}).overTcp(CLAIM, BINDING);
            Digest share = Digest.of(hex(point));
            assertTrue(part.complete(new Secret.Exchange(share, part.nonce(), CLAIM)).isEmpty());
        }
    }

    /** Only the same secret in the same session, between the same nodes, gives the same proof. */
    @Test
    void proofs_matchOnlyBetweenTheTwoEndsOfOneSession() {
        Secret secret = new Secret(new byte[] {1, 2, 3, 4});
        byte[] otherSession = {1, 2, 4};

        assertTrue(agree(secret, CLAIM, BINDING, secret, CLAIM, BINDING));
        assertTrue(agree(secret, CLAIM, new byte[0], secret, CLAIM, new byte[0]));
        assertFalse(agree(secret, CLAIM, BINDING, secret, CLAIM, otherSession));
        assertFalse(
                agree(secret, CLAIM, BINDING, new Secret(new byte[] {1, 2, 3, 5}), CLAIM, BINDING));
        assertFalse(agree(secret, CLAIM, BINDING, secret, new Control.Claim(2, 0), BINDING));
    }

    private static boolean agree(
            Secret one,
            Control.Claim claim,
            byte[] binding,
            Secret other,
            Control.Claim otherClaim,
            byte[] otherBinding) {
        Secret.Part dialling = one.overTcp(claim, binding);
        Secret.Part accepting = other.overTcp(otherClaim, otherBinding);
        Digest proof =
                dialling.complete(new Secret.Exchange(dialling.nonce(), accepting.nonce(), claim))
                        .orElseThrow()
                        .of("role");
        Digest expected =
                accepting
                        .complete(
                                new Secret.Exchange(
                                        dialling.nonce(), accepting.nonce(), otherClaim))
                        .orElseThrow()
                        .of("role");
        return proof.matches(expected);
    }

    /** A share that is sent back would make both proofs equal to the sender's own. */
    @Test
    void ownShare_isNoAnswer() {
        Secret.Part part = new Secret(new byte[] {5}).overTcp(CLAIM, BINDING);

        assertTrue(part.complete(new Secret.Exchange(part.nonce(), part.nonce(), CLAIM)).isEmpty());
    }
}
