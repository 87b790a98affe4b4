package io.muninn.transport.tls;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** The names for which a certificate is: its subject alternative names. */
final class CertificateNames {
    private static final int ADDRESS = 7; // of the types of RFC 5280

    private CertificateNames() {}

    /** Whether one of the names is an address; other names do not stand for addresses. */
    static boolean contain(X509Certificate certificate, InetAddress address) {
        return all(certificate).stream()
                .filter(name -> name.getFirst().equals(ADDRESS))
                .map(name -> String.valueOf(name.get(1)))
                .anyMatch(name -> address.equals(InetAddress.ofLiteral(name)));
    }

    /** A malformed certificate has none. */
    private static Collection<List<?>> all(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException malformed) {
            return List.of();
        }
    }

    /** All names, for the user; the subject if there are none. */
    static String text(X509Certificate certificate) {
        List<String> names =
                all(certificate).stream().map(name -> String.valueOf(name.get(1))).toList();
        return names.isEmpty()
                ? "'" + certificate.getSubjectX500Principal() + "'"
                : String.join(", ", names);
    }
}
