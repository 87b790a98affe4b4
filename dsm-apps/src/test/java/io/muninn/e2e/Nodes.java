package io.muninn.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Nodes started one by one with {@code dsm node}, as a scheduler's tasks would. */
final class Nodes {
    /** Below the ports that the system chooses itself. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;

    /** Nodes of a run take the ports behind the one they are told. */
    private static final int PORTS_APART = 8;

    /** Tests run at the same time: each gets other ports. */
    private static final AtomicInteger TOLD =
            new AtomicInteger((int) (ProcessHandle.current().pid() % PORTS));

    private Nodes() {}

    /** A TCP port of the loopback address that is free now, like the one behind it. */
    static int freePort() {
        for (int tries = 0; tries < PORTS / PORTS_APART; tries++) {
            int port = FIRST_PORT + Math.floorMod(TOLD.getAndAdd(PORTS_APART), PORTS);
            if (isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST_PORT);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
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
        return start(prefix, Integer.toString(node), nodes, root, secret, rest);
    }

    /**
     * Starts one node or several with one agent.
     *
     * @param ids as in {@code 2} or {@code 2-5}
     */
    static DsmRun start(
            List<String> prefix, String ids, int nodes, String root, Path secret, String rest) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--id=" + ids,
                                "--nodes=" + nodes,
                                "--root=" + root,
                                "--secret-file=" + secret));
        arguments.addAll(DsmRun.words(rest));
        return DsmRun.start(arguments, Map.of(), prefix);
    }
}
