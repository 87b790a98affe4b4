package io.muninn.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Nodes started one by one with {@code dsm node}, as a scheduler's tasks would. */
final class Nodes {
    private Nodes() {}

    /** A TCP port of the loopback address that is free now. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** A file with this secret that only its owner can read. */
    static Path secretFile(Path folder, String name, String secret) throws IOException {
        Path file = Files.writeString(folder.resolve(name), secret + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /**
     * Starts one node.
     *
     * @param root where the root listens
     * @param rest more options, then the program
     */
    static DsmRun start(int node, int nodes, String root, Path secret, String rest) {
        return start(List.of(), node, nodes, root, secret, rest);
    }

    /** The same behind a prefix that runs a command, such as {@code ip netns exec}. */
    static DsmRun start(
            List<String> prefix, int node, int nodes, String root, Path secret, String rest) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--id=" + node,
                                "--nodes=" + nodes,
                                "--root=" + root,
                                "--secret-file=" + secret));
        arguments.addAll(DsmRun.words(rest));
        return DsmRun.start(arguments, Map.of(), prefix);
    }
}
