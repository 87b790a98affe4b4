package io.muninn.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Network namespaces with an address each, on one bridge in a namespace of its own: machines of one
 * network, as far as sockets can tell. Needs root and {@code ip}; closing it removes everything.
 */
final class NetworkNamespaces implements AutoCloseable {
    private static final String ADDRESS = "10.213.77.";
    private static final int OTHER_ADDRESSES = 200;

    private final String name = "mnn" + UUID.randomUUID().toString().substring(0, 6);
    private final List<String> namespaces = new ArrayList<>();

    private NetworkNamespaces() {}

    /**
     * @param count 1 to 50
     * @throws IOException if the system does not let us
     */
    static NetworkNamespaces create(int count) throws IOException {
        NetworkNamespaces created = new NetworkNamespaces();
        try {
            created.build(count);
            return created;
        } catch (IOException | RuntimeException cause) {
            created.close();
            throw cause;
        }
    }

    /** The address of a namespace, from 0. */
    String address(int index) {
        return ADDRESS + (index + 1);
    }

    /** The prefix of a command that runs in it. */
    List<String> prefix(int index) {
        return List.of("ip", "netns", "exec", namespaces.get(index + 1));
    }

    /** Takes the cable out: nothing arrives any more, and no side is notified. */
    void unplug(int index) throws IOException {
        ip("-n", namespaces.getFirst(), "link", "set", "v" + index, "nomaster");
    }

    /** Puts it in again. */
    void plug(int index) throws IOException {
        ip("-n", namespaces.getFirst(), "link", "set", "v" + index, "master", "bridge");
    }

    /** Takes away the address of a namespace and gives it another one. */
    void readdress(int index) throws IOException {
        String spoke = namespaces.get(index + 1);
        String other = ADDRESS + (OTHER_ADDRESSES + index + 1);
        ip("-n", spoke, "address", "del", address(index) + "/24", "dev", "eth0");
        ip("-n", spoke, "address", "add", other + "/24", "dev", "eth0");
    }

    @Override
    public void close() throws IOException {
        for (String namespace : namespaces.reversed()) {
            ip("netns", "delete", namespace);
        }
        namespaces.clear();
    }

    private void build(int count) throws IOException {
        String hub = add(name + "hub");
        ip("-n", hub, "link", "add", "bridge", "type", "bridge");
        ip("-n", hub, "link", "set", "bridge", "up");
        for (int i = 0; i < count; i++) {
            String spoke = add(name + "n" + i);
            ip(
                    "-n", hub, "link", "add", "v" + i, "type", "veth", "peer", "name", "eth0",
                    "netns", spoke);
            ip("-n", hub, "link", "set", "v" + i, "master", "bridge", "up");
            ip("-n", spoke, "address", "add", address(i) + "/24", "dev", "eth0");
            ip("-n", spoke, "link", "set", "eth0", "up");
            ip("-n", spoke, "link", "set", "lo", "up");
        }
    }

    private String add(String namespace) throws IOException {
        ip("netns", "add", namespace);
        namespaces.add(namespace);
        return namespace;
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + text.strip());
        }
    }
}
