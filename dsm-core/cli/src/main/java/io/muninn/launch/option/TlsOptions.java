package io.muninn.launch.option;

import io.muninn.launch.process.SecretFile;
import io.muninn.transport.tls.Identity;
import io.muninn.transport.tls.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code dsm node} for TLS on the links to other hosts. */
public final class TlsOptions {
    private static final String CERTIFICATE = "--tls-cert";
    private static final String KEY = "--tls-key";
    private static final String AUTHORITIES = "--tls-ca";
    private static final String LOOPBACK = "--tls-loopback";
    private static final String PLAINTEXT = "--plaintext";

    @Option(
            names = CERTIFICATE,
            paramLabel = "FILE",
            description =
                    "certificate of this node, in PEM, then those that lead to its authority; for"
                            + " the name or address by which others reach the node (default: one"
                            + " that is made for the run, and which the secret vouches for)")
    private @Nullable Path certificate; // null without one

    @Option(
            names = KEY,
            paramLabel = "FILE",
            description =
                    "private key of the certificate, in PEM (PKCS #8); only its owner may write it,"
                            + " and only owner and group may read it")
    private @Nullable Path key; // null without one

    @Option(
            names = AUTHORITIES,
            paramLabel = "FILE",
            description =
                    "certificates of the authorities that sign the nodes' certificates, in PEM"
                            + " (default: those that Java knows)")
    private @Nullable Path authorities; // null for those of Java

    @Option(
            names = LOOPBACK,
            description =
                    "TLS on links by a loopback address, too, as for a port that is forwarded to"
                            + " another host")
    private boolean loopback;

    @Option(
            names = PLAINTEXT,
            description = "no TLS: others on the network can read and change everything")
    private boolean plaintext;

    /**
     * Reads the files that are named.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public Tls read() {
        if (plaintext && (certificate != null || key != null || authorities != null || loopback)) {
            throw new IllegalArgumentException(
                    PLAINTEXT + " excludes the options that begin with --tls");
        }
        Tls.Links links =
                plaintext ? Tls.Links.NONE : loopback ? Tls.Links.ALL : Tls.Links.BETWEEN_HOSTS;
        Path shown = certificate;
        Path secret = key;
        if (shown == null && secret == null && authorities == null) {
            return Tls.ephemeral(links);
        }
        if (shown == null || secret == null) {
            throw new IllegalArgumentException(
                    CERTIFICATE
                            + " and "
                            + KEY
                            + " belong together: give both, or no option of"
                            + " certificates");
        }
        try {
            SecretFile.requirePrivate("key file", secret);
        } catch (IOException cause) {
            throw unreadable(KEY, secret, cause);
        }
        return Tls.of(
                links,
                Identity.read(
                        pem(CERTIFICATE, shown),
                        pem(KEY, secret),
                        Optional.ofNullable(authorities).map(file -> pem(AUTHORITIES, file))));
    }

    /** What the user should know about these options. */
    public Optional<String> warning() {
        return plaintext
                ? Optional.of(
                        PLAINTEXT
                                + ": whoever can read the network between the nodes reads all"
                                + " shared data, and whoever can write to it can change the run's"
                                + " results")
                : Optional.empty();
    }

    private static Identity.Pem pem(String option, Path file) {
        try {
            return new Identity.Pem(file.toString(), Files.readAllBytes(file));
        } catch (IOException cause) {
            throw unreadable(option, file, cause);
        }
    }

    private static IllegalArgumentException unreadable(
            String option, Path file, IOException cause) {
        return new IllegalArgumentException(
                option + ": cannot read " + file + " (" + cause.getMessage() + ")", cause);
    }
}
