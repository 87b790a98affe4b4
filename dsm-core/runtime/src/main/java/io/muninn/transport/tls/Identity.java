package io.muninn.transport.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What an agent shows to others, and whom it accepts: a private key with its certificate, and the
 * authorities that must have signed the certificates of others. An {@linkplain #ephemeral
 * ephemeral} identity accepts every certificate, because the cluster's secret proves who the others
 * are.
 *
 * <p><b>Errors.</b> {@link IllegalArgumentException}, whose text is for the user.
 *
 * <p><b>Threads.</b> Immutable.
 */
public final class Identity {
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END");
    private static final char[] NO_PASSWORD = new char[0];

    private final PrivateKey key;
    private final X509Certificate[] chain;
    private final @Nullable X509ExtendedTrustManager authorities; // null: accepts everybody

    private Identity(
            PrivateKey key,
            X509Certificate[] chain,
            @Nullable X509ExtendedTrustManager authorities) {
        this.key = key;
        this.chain = chain;
        this.authorities = authorities;
    }

    /** A new key with a certificate that it has signed itself. Both exist in memory only. */
    public static Identity ephemeral() {
        EphemeralCertificate own = EphemeralCertificate.create();
        return new Identity(own.key(), new X509Certificate[] {own.certificate()}, null);
    }

    /**
     * A file and its content.
     *
     * @param name for errors
     */
    public record Pem(String name, byte[] content) {}

    /**
     * Reads an identity and checks that other nodes with the same authorities accept it now.
     *
     * @param certificate the certificate, then those that lead to its authority
     * @param key its private key: PKCS #8, not encrypted
     * @param authorities certificates of authorities; if empty, those that Java knows
     */
    public static Identity read(Pem certificate, Pem key, Optional<Pem> authorities) {
        X509Certificate[] chain = certificates(certificate);
        PrivateKey secret = privateKey(key);
        requirePair(certificate, chain[0], key, secret);
        X509ExtendedTrustManager trusted = trusting(authorities);
        Identity identity = new Identity(secret, chain, trusted);
        identity.checkOwn(certificate, authorities);
        return identity;
    }

    private void checkOwn(Pem certificate, Optional<Pem> authoritiesFile) {
        X509ExtendedTrustManager trusted = authorities;
        if (trusted == null) {
            return;
        }
        String what = "the certificate in " + certificate.name;
        boolean selfSigned = isSelfSigned(chain[0]);
        if (selfSigned && authoritiesFile.isEmpty()) {
            throw new IllegalArgumentException(
                    what
                            + " is self-signed: name it, or the authority that signed it, with"
                            + " --tls-ca");
        }
        try {
            chain[0].checkValidity();
            trusted.checkServerTrusted(chain, "UNKNOWN"); // as TLS 1.3 asks
        } catch (CertificateException refused) {
            throw new IllegalArgumentException(
                    what + " " + phrase(chain, "this node", refused), refused);
        }
    }

    /** The key managers of a TLS context that shows this identity. */
    KeyManager[] keyManagers() throws GeneralSecurityException {
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("muninn", key, NO_PASSWORD, chain);
            factory.init(store, NO_PASSWORD);
        } catch (IOException impossible) {
            throw new GeneralSecurityException("an empty key store needs no file", impossible);
        }
        return factory.getKeyManagers();
    }

    /** The authorities; null if this identity accepts every certificate. */
    @Nullable X509ExtendedTrustManager authorities() {
        return authorities;
    }

    /**
     * Describes why a certificate was refused: a phrase for "the certificate of … ", with the
     * remedy.
     *
     * @param host the name or address that it should be for
     */
    static String phrase(X509Certificate[] chain, String host, CertificateException refused) {
        Throwable cause = refused;
        Throwable last = refused;
        while (cause != null) {
            if (cause instanceof CertificateExpiredException
                    || isFor(cause, CertPathValidatorException.BasicReason.EXPIRED)) {
                return "has expired on "
                        + earliestEnd(chain)
                        + ": renew it, or compare the clocks of both machines";
            }
            if (cause instanceof CertificateNotYetValidException
                    || isFor(cause, CertPathValidatorException.BasicReason.NOT_YET_VALID)) {
                return "is valid only from "
                        + latestBegin(chain)
                        + ": compare the clocks of both machines";
            }
            last = cause;
            cause = cause.getCause();
        }
        if (refused.getCause() == null && String.valueOf(refused.getMessage()).startsWith("No ")) {
            return isFor(chain[0], host);
        }
        if (isSelfSigned(chain[0])) {
            return "is self-signed, and --tls-ca of the other side does not name it: give all nodes"
                    + " certificates of one authority, or no node --tls-cert";
        }
        return "is of '"
                + chain[0].getIssuerX500Principal()
                + "' and not accepted ("
                + last.getMessage()
                + "): name its authority with --tls-ca";
    }

    private static boolean isFor(Throwable cause, CertPathValidatorException.Reason reason) {
        return cause instanceof CertPathValidatorException path && path.getReason() == reason;
    }

    /** A certificate holds no longer than any of those that lead to its authority. */
    private static Instant earliestEnd(X509Certificate[] chain) {
        return Arrays.stream(chain)
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Instant latestBegin(X509Certificate[] chain) {
        return Arrays.stream(chain)
                .map(each -> each.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** A phrase for "the certificate of … " that is for other names than a host's. */
    static String isFor(X509Certificate certificate, String host) {
        return "is for "
                + CertificateNames.text(certificate)
                + " and not for "
                + host
                + ": issue one that has it as a subject alternative name";
    }

    private static boolean isSelfSigned(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    // --- files -----------------------------------------------------------------------------------

    private static X509Certificate[] certificates(Pem file) {
        try {
            X509Certificate[] found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(file.content))
                            .toArray(new X509Certificate[0]);
            if (found.length > 0) {
                return found;
            }
        } catch (CertificateException malformed) {
            throw new IllegalArgumentException(
                    file.name + " is no file of certificates: " + malformed.getMessage(),
                    malformed);
        }
        throw new IllegalArgumentException(file.name + " contains no certificate in PEM form");
    }

    private static PrivateKey privateKey(Pem file) {
        Matcher pem = KEY.matcher(new String(file.content, StandardCharsets.ISO_8859_1));
        String kind = pem.find() ? pem.group(1) : "nothing in PEM form";
        if (!kind.equals("PRIVATE KEY")) {
            throw new IllegalArgumentException(
                    file.name
                            + " contains "
                            + kind
                            + ", not PRIVATE KEY: convert it by 'openssl pkcs8 -topk8 -nocrypt'");
        }
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    file.name + " is no private key: " + malformed.getMessage(), malformed);
        }
        GeneralSecurityException last = new GeneralSecurityException("no algorithm");
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException other) {
                last = other;
            }
        }
        throw new IllegalArgumentException(
                file.name + " is a private key of none of " + KEY_ALGORITHMS, last);
    }

    private static void requirePair(
            Pem certificate, X509Certificate shown, Pem key, PrivateKey secret) {
        String algorithm =
                switch (secret.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> "EdDSA";
                };
        boolean same;
        try {
            byte[] any = {1, 2, 3};
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(secret);
            signature.update(any);
            byte[] signed = signature.sign();
            signature.initVerify(shown.getPublicKey());
            signature.update(any);
            same = signature.verify(signed);
        } catch (GeneralSecurityException ofAnotherKind) {
            same = false;
        }
        if (!same) {
            throw new IllegalArgumentException(
                    "the key in "
                            + key.name
                            + " is not that of the certificate in "
                            + certificate.name);
        }
    }

    private static X509ExtendedTrustManager trusting(Optional<Pem> file) {
        try {
            KeyStore store = null; // the authorities that Java knows
            if (file.isPresent()) {
                store = KeyStore.getInstance("PKCS12");
                store.load(null, NO_PASSWORD);
                int number = 0;
                for (X509Certificate authority : certificates(file.get())) {
                    store.setCertificateEntry("authority " + number++, authority);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager found) {
                    return found;
                }
            }
            throw new IllegalStateException("every JDK has PKIX");
        } catch (GeneralSecurityException | IOException cause) {
            throw new IllegalArgumentException(
                    "cannot use the authorities of --tls-ca: " + cause.getMessage(), cause);
        }
    }
}
