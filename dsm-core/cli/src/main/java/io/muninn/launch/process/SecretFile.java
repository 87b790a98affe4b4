package io.muninn.launch.process;

import io.muninn.transport.join.Secret;
import io.muninn.transport.net.RandomBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * The secret of a run's nodes: the first line of a file, or of standard input for {@value
 * #STANDARD_INPUT}, or the value of {@link Secret#VARIABLE}. Every error is an {@link
 * IllegalArgumentException} whose text is for the user and does not contain the secret.
 */
public final class SecretFile {
    /** The name of standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final int BYTES_MIN = 16;
    private static final int BYTES_MAX = 4096;
    private static final int RANDOM_BYTES = 32;

    private SecretFile() {}

    /** Creates a secret: 256 random bits as one line, without a newline. */
    public static String random() {
        return HexFormat.of().formatHex(RandomBytes.of(RANDOM_BYTES));
    }

    /**
     * Reads the secret.
     *
     * @param name name of a file that only its owner can write, and only its owner and group can
     *     read, or {@value #STANDARD_INPUT}
     * @param standardInput read up to the end of its first line only
     */
    public static byte[] read(String name, InputStream standardInput) {
        try {
            if (name.equals(STANDARD_INPUT)) {
                return firstLine("standard input", standardInput);
            }
            Path file = Path.of(name);
            requirePrivate("secret file", file);
            try (InputStream in = Files.newInputStream(file)) {
                return firstLine(file.toString(), in);
            }
        } catch (IOException cause) {
            throw new IllegalArgumentException("cannot read the secret file " + name, cause);
        }
    }

    /**
     * Takes the secret from the environment, for nodes that were not told a file.
     *
     * @param variables the environment of this process
     */
    public static byte[] fromVariable(Map<String, String> variables) {
        String value = variables.get(Secret.VARIABLE);
        if (value == null) {
            throw new IllegalArgumentException(
                    "no secret: all nodes of the run need the same; give --secret-file FILE, or"
                            + " before srun or mpirun: export "
                            + Secret.VARIABLE
                            + "=$(head -c 32 /dev/urandom | base64), and for other hosts of mpirun"
                            + " its option -x "
                            + Secret.VARIABLE);
        }
        return checked(Secret.VARIABLE, value);
    }

    /**
     * Checks the permissions of a file, not of a link to it. A group may read it, so that root can
     * own it for others. A user that can write it could choose what is in it.
     *
     * @param kind as in "secret file"
     * @throws IllegalArgumentException whose text is for the user
     * @throws IOException if they cannot be read
     */
    public static void requirePrivate(String kind, Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        String mode = PosixFilePermissions.toString(permissions);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            throw new IllegalArgumentException(
                    "everybody can read the "
                            + kind
                            + " "
                            + file
                            + " ("
                            + mode
                            + "): chmod 600 it; in Kubernetes, give its volume the defaultMode"
                            + " 0400");
        }
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new IllegalArgumentException(
                    "others than its owner can write the "
                            + kind
                            + " "
                            + file
                            + " ("
                            + mode
                            + "): chmod 600 it");
        }
    }

    private static byte[] firstLine(String source, InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        while (next >= 0 && next != '\n') {
            line.write(next);
            if (line.size() > BYTES_MAX) {
                throw new IllegalArgumentException(
                        "the secret in " + source + " has more than " + BYTES_MAX + " bytes");
            }
            next = in.read();
        }
        return checked(source, line.toString(StandardCharsets.ISO_8859_1));
    }

    private static byte[] checked(String source, String text) {
        byte[] secret = text.strip().getBytes(StandardCharsets.ISO_8859_1);
        if (secret.length < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "the secret in "
                            + source
                            + " has "
                            + secret.length
                            + " bytes; it needs at least "
                            + BYTES_MIN);
        }
        return secret;
    }
}
