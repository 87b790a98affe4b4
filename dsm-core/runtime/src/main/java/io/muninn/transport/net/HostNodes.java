package io.muninn.transport.net;

import io.muninn.model.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * The addresses of the nodes of one host: the root's name, and for the others that name followed by
 * their id and random digits, so that no other process can have taken it.
 */
public final class HostNodes {
    private static final Path SOCKETS = Path.of("/proc/net/unix");

    private HostNodes() {}

    public static Address.Unix addressOf(NodeId node, Address.Unix root) {
        String random = HexFormat.of().toHexDigits(RandomBytes.number());
        return new Address.Unix(root.name() + "." + node + "." + random);
    }

    /**
     * The number of listening nodes of a run; a node listens as soon as it joins.
     *
     * @throws UncheckedIOException if the system's list of sockets cannot be read
     */
    public static int listening(Address.Unix root) {
        try (Stream<String> sockets = Files.lines(SOCKETS, StandardCharsets.ISO_8859_1)) {
            String name = "@" + root.name();
            return (int)
                    sockets.map(line -> line.substring(line.lastIndexOf(' ') + 1))
                            .filter(each -> each.equals(name) || each.startsWith(name + "."))
                            .distinct()
                            .count();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
