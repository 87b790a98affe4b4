package io.muninn.transport.join;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/**
 * CPace, a key exchange that two sides with the same secret complete with the same key, and that
 * gives others nothing by which they could try secrets: draft-irtf-cfrg-cpace, suite
 * CPACE-X25519-SHA512, with an initiator and a responder. Whoever takes part without the secret can
 * test one guess for each exchange.
 *
 * <p>The JDK multiplies points by scalars; only the map to the curve, Elligator 2 of RFC 9380, is
 * computed here. Its time depends on the secret and on the binding, which differs for each
 * exchange.
 */
final class CPace {
    /** Length of scalars and of coordinates, in bytes. */
    static final int BYTES = 32;

    private static final byte[] DOMAIN = ascii("CPace255");
    private static final byte[] KEY_DOMAIN = ascii("CPace255_ISK");
    private static final int HASH_BLOCK_BYTES = 128;
    private static final int SHORT_LENGTH = 128;

    private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    private static final BigInteger A = BigInteger.valueOf(486_662);

    private CPace() {}

    /**
     * Maps the secret to a point of the curve.
     *
     * @param channel the two sides
     * @param session bytes that differ for each exchange; may be empty
     * @return its u coordinate, little-endian
     */
    static byte[] generator(byte[] secret, byte[] channel, byte[] session) {
        int used = prefixed(DOMAIN).length + prefixed(secret).length;
        byte[] padding = new byte[Math.max(0, HASH_BLOCK_BYTES - 1 - used)];
        byte[] hash = sha512(concatenated(DOMAIN, secret, padding, channel, session));
        byte[] field = new byte[BYTES];
        System.arraycopy(hash, 0, field, 0, BYTES);
        return littleEndian(elligator2(number(field)));
    }

    /** The map of RFC 9380, section 6.7.1, for curve25519: the u coordinate. */
    private static BigInteger elligator2(BigInteger field) {
        BigInteger doubled = field.multiply(field).shiftLeft(1).add(BigInteger.ONE);
        BigInteger first = A.negate().multiply(doubled.modInverse(P)).mod(P);
        BigInteger curve = first.multiply(first.multiply(first.add(A)).add(BigInteger.ONE)).mod(P);
        BigInteger half = P.subtract(BigInteger.ONE).shiftRight(1);
        boolean isSquare = curve.modPow(half, P).compareTo(BigInteger.ONE) <= 0;
        return isSquare ? first : first.negate().subtract(A).mod(P);
    }

    /**
     * Multiplies a point by a scalar: X25519 of RFC 7748.
     *
     * @param u its u coordinate, little-endian
     * @throws InvalidKeyException if the result is the neutral element, which no honest share
     *     yields
     */
    static byte[] multiply(byte[] scalar, byte[] u) throws InvalidKeyException {
        try {
            KeyFactory keys = KeyFactory.getInstance("XDH");
            PrivateKey own =
                    keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar));
            PublicKey point =
                    keys.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, number(u)));
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(own);
            agreement.doPhase(point, true);
            return agreement.generateSecret();
        } catch (InvalidKeyException neutral) {
            throw neutral;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has X25519", impossible);
        }
    }

    /**
     * The key of an exchange, 64 bytes.
     *
     * @param common the other side's share, multiplied by the own scalar
     * @param initiator the initiator's share
     * @param responder the responder's share
     */
    static byte[] key(byte[] session, byte[] common, byte[] initiator, byte[] responder) {
        byte[] none = {};
        return key(session, common, initiator, none, responder, none);
    }

    /** As above, with data that the sides have sent with their shares. */
    static byte[] key(
            byte[] session,
            byte[] common,
            byte[] initiator,
            byte[] initiatorData,
            byte[] responder,
            byte[] responderData) {
        return sha512(
                concatenated(
                        KEY_DOMAIN,
                        session,
                        common,
                        initiator,
                        initiatorData,
                        responder,
                        responderData));
    }

    /** Each part behind its length. */
    static byte[] concatenated(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(prefixed(part));
        }
        return all.toByteArray();
    }

    private static byte[] prefixed(byte[] part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int length = part.length;
        while (length >= SHORT_LENGTH) {
            bytes.write(length % SHORT_LENGTH + SHORT_LENGTH);
            length /= SHORT_LENGTH;
        }
        bytes.write(length);
        bytes.writeBytes(part);
        return bytes.toByteArray();
    }

    /** A coordinate: 255 bits, little-endian. */
    private static BigInteger number(byte[] littleEndian) {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = littleEndian[BYTES - 1 - i];
        }
        bytes[0] &= 0x7F;
        return new BigInteger(1, bytes).mod(P);
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] bytes = new byte[BYTES];
        byte[] bigEndian = number.toByteArray();
        for (int i = 0; i < Math.min(BYTES, bigEndian.length); i++) {
            bytes[i] = bigEndian[bigEndian.length - 1 - i];
        }
        return bytes;
    }

    private static byte[] sha512(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has SHA-512", impossible);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
