package io.muninn.transport.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;

/**
 * A certificate that TLS needs and nobody checks: the JDK has no public API that makes one. It is
 * an X.509 certificate of version 1 in DER (RFC 5280), signed by its own key.
 *
 * @param key on the curve P-256
 * @param certificate of that key
 */
record EphemeralCertificate(PrivateKey key, X509Certificate certificate) {
    private static final String SIGNATURE = "SHA256withECDSA";

    private static final String NAME = "muninn";

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT = 0x06;
    private static final int UTF8 = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int SHORT_LENGTH_MAX = 0x7F;

    /** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
    private static final byte[] ECDSA_SHA256 = {
        0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02
    };

    /** id-at-commonName, 2.5.4.3. */
    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};

    /** Creates a key and its certificate. */
    static EphemeralCertificate create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] algorithm = der(SEQUENCE, der(OBJECT, ECDSA_SHA256));
            byte[] name =
                    der(
                            SEQUENCE,
                            der(
                                    SET,
                                    der(
                                            SEQUENCE,
                                            der(OBJECT, COMMON_NAME),
                                            der(UTF8, ascii(NAME)))));
            byte[] validity =
                    der(
                            SEQUENCE,
                            der(UTC_TIME, ascii("700101000000Z")),
                            der(UTC_TIME, ascii("491231235959Z")));
            byte[] body =
                    der(
                            SEQUENCE,
                            der(INTEGER, BigInteger.ONE.toByteArray()),
                            algorithm,
                            name, // issuer
                            validity,
                            name, // subject
                            keys.getPublic().getEncoded());
            Signature signature = Signature.getInstance(SIGNATURE);
            signature.initSign(keys.getPrivate());
            signature.update(body);
            byte[] noUnusedBits = {0};
            byte[] whole =
                    der(SEQUENCE, body, algorithm, der(BIT_STRING, noUnusedBits, signature.sign()));
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(whole));
            return new EphemeralCertificate(keys.getPrivate(), certificate);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + SIGNATURE, impossible);
        }
    }

    /** True for a certificate that an agent has made itself. */
    static boolean isOne(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName().equals("CN=" + NAME)
                && certificate.getIssuerX500Principal().getName().equals("CN=" + NAME);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Encodes a value of one type whose content is the parts together. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (content.size() <= SHORT_LENGTH_MAX) {
            value.write(content.size());
        } else {
            byte[] length = BigInteger.valueOf(content.size()).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            value.write(SHORT_LENGTH_MAX + 1 + length.length - from);
            value.write(length, from, length.length - from);
        }
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
