package io.muninn.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * OpenSSH's server on a port of the loopback address, with keys and a configuration of its own in a
 * folder, and no service of the system. To its client every name of a host is this machine, except
 * names that end in {@code .invalid}. Closing it ends the server and removes what it has needed.
 */
final class SshServer implements AutoCloseable {
    private static final Path SERVER = Path.of("/usr/sbin/sshd");
    private static final Path CLIENT = Path.of("/usr/bin/ssh");

    /** A server that root starts wants this folder. */
    private static final Path EMPTY = Path.of("/run/sshd");

    private final Path folder;
    private final int port = Nodes.freePort();
    private final Process process;
    private final boolean hasMadeEmpty;

    /**
     * Starts a server.
     *
     * @param folder for its files
     * @throws IOException if it cannot be started
     */
    SshServer(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        newKey("host");
        newKey("user");
        newKey("stranger");
        Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"));
        Files.writeString(
                folder.resolve("known"),
                "[127.0.0.1]:" + port + " " + Files.readString(folder.resolve("host.pub")));
        writeConfigurations();
        hasMadeEmpty = isRoot() && !Files.exists(EMPTY);
        if (hasMadeEmpty) {
            Files.createDirectory(EMPTY);
        }
        process =
                new ProcessBuilder(SERVER.toString(), "-D", "-e", "-f", folder.resolve("sshd") + "")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        if (!MarkedProcesses.awaitUntil(Duration.ofSeconds(20), this::isListening)) {
            close();
            throw new IOException("no server: " + Files.readString(folder.resolve("log")));
        }
    }

    /** Whether this machine has the programs. */
    static boolean isInstalled() {
        return Files.isExecutable(SERVER) && Files.isExecutable(CLIENT);
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private void newKey(String name) throws IOException, InterruptedException {
        Process made =
                new ProcessBuilder(
                                List.of(
                                        "ssh-keygen",
                                        "-q",
                                        "-t",
                                        "ed25519",
                                        "-N",
                                        "",
                                        "-f",
                                        folder.resolve(name).toString()))
                        .inheritIO()
                        .start();
        if (made.waitFor() != 0) {
            throw new IOException("ssh-keygen ended with status " + made.exitValue());
        }
    }

    private void writeConfigurations() throws IOException {
        Files.writeString(
                folder.resolve("sshd"),
                String.join(
                        "\n",
                        "ListenAddress 127.0.0.1",
                        "Port " + port,
                        "HostKey " + folder.resolve("host"),
                        "AuthorizedKeysFile " + folder.resolve("authorized"),
                        "PidFile none",
                        "UsePAM no",
                        "StrictModes no",
                        "PasswordAuthentication no",
                        "KbdInteractiveAuthentication no",
                        "MaxStartups 64",
                        "AcceptEnv MUNINN_TEST_RUN",
                        ""));
        String client =
                String.join(
                        "\n",
                        "Host !*.invalid *",
                        "  HostName 127.0.0.1",
                        "Host *",
                        "  Port " + port,
                        "  IdentitiesOnly yes",
                        "  IdentityAgent none",
                        "  UserKnownHostsFile " + folder.resolve("known"),
                        "  GlobalKnownHostsFile /dev/null",
                        "  StrictHostKeyChecking yes",
                        "  SendEnv MUNINN_TEST_RUN",
                        "");
        Files.writeString(
                folder.resolve("ssh"), client + "  IdentityFile " + folder.resolve("user") + "\n");
        Files.writeString(
                folder.resolve("ssh-of-stranger"),
                client + "  IdentityFile " + folder.resolve("stranger") + "\n");
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The client of a user whom the server knows. */
    String client() {
        return "ssh -F " + folder.resolve("ssh");
    }

    /** The client of a user whose key the server refuses. */
    String clientOfStranger() {
        return "ssh -F " + folder.resolve("ssh-of-stranger");
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (hasMadeEmpty) {
            Files.deleteIfExists(EMPTY);
        }
    }
}
