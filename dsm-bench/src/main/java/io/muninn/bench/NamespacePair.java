package io.muninn.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Two network namespaces that are linked by a pair of virtual Ethernet devices: two hosts, as far
 * as sockets can tell. They have no names, and last as long as a process is in them. A process of
 * each waits for the end of its input, so they end with this process, however it ends.
 */
final class NamespacePair implements AutoCloseable {
    /** Of a network for documentation (RFC 5737), seen only in the two namespaces. */
    private static final String NETWORK = "192.0.2.";

    private static final String DEVICE = "eth0";
    private static final String READY = "ready";
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int NODES = 2;

    private final List<Child> holders = new ArrayList<>();

    private NamespacePair() {}

    /**
     * @throws BenchmarkFailedException if the system does not let this process make them; the text
     *     says what is missing
     */
    static NamespacePair create() throws IOException, InterruptedException {
        NamespacePair pair = new NamespacePair();
        try {
            pair.build();
            return pair;
        } catch (IOException | InterruptedException | RuntimeException cause) {
            pair.close();
            throw cause;
        }
    }

    private void build() throws IOException, InterruptedException {
        for (String tool : List.of("unshare", "nsenter", "ip")) {
            if (!Placement.isInPath(tool)) {
                throw new BenchmarkFailedException(
                        "there is no '"
                                + tool
                                + "' in PATH, which two network namespaces need (Debian, Ubuntu:"
                                + " packages util-linux and iproute2)");
            }
        }
        execute("unshare", "--net", "true"); // its message says what is missing
        for (int i = 0; i < NODES; i++) {
            String script = "echo " + READY + "; exec cat";
            Child holder = Child.start(List.of("unshare", "--net"), List.of("sh", "-c", script));
            holders.add(holder);
            if (!READY.equals(holder.line())) {
                throw new BenchmarkFailedException("a network namespace cannot be made");
            }
        }
        execute(
                "ip", "link", "add", DEVICE, "netns", pid(0), "type", "veth", "peer", "name",
                DEVICE, "netns", pid(1));
        for (int i = 0; i < NODES; i++) {
            executeIn(i, "ip", "address", "add", address(i) + "/24", "dev", DEVICE);
            executeIn(i, "ip", "link", "set", DEVICE, "up");
            executeIn(i, "ip", "link", "set", "lo", "up");
        }
    }

    private String pid(int index) {
        return Long.toString(holders.get(index).pid());
    }

    private String file(int index) {
        return "/proc/" + pid(index) + "/ns/net";
    }

    /** The address of a namespace, 0 or 1. */
    String address(int index) {
        return NETWORK + (index + 1);
    }

    /** The prefix of a command that runs in it. */
    List<String> prefix(int index) {
        return List.of("nsenter", "--net=" + file(index));
    }

    /**
     * A server socket on the loopback address of the first namespace. A thread that ends afterwards
     * creates it, because a thread that is in the namespace stays there.
     */
    ServerSocket serverSocket(int backlog) throws IOException, InterruptedException {
        CompletableFuture<ServerSocket> made = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        enter(file(0));
                        made.complete(
                                new ServerSocket(0, backlog, InetAddress.getLoopbackAddress()));
                    } catch (IOException | RuntimeException cause) {
                        made.completeExceptionally(cause);
                    }
                })
                .join();
        try {
            return made.join();
        } catch (CompletionException failed) {
            throw new IOException("no socket in a network namespace", failed.getCause());
        }
    }

    /** Moves the calling thread into a namespace. */
    private static void enter(String file) {
        MethodHandle open = function("open", ADDRESS, JAVA_INT);
        MethodHandle close = function("close", JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) open.invokeExact(arena.allocateFrom(file), 0);
            int status =
                    (int)
                            function("setns", JAVA_INT, JAVA_INT)
                                    .invokeExact(descriptor, CLONE_NEWNET);
            int closed = (int) close.invokeExact(descriptor);
            if (status != 0 || closed != 0) {
                throw new BenchmarkFailedException("cannot enter " + file);
            }
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a function of C throws nothing", impossible);
        }
    }

    private static MethodHandle function(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private void executeIn(int index, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix(index));
        command.addAll(List.of(words));
        execute(command.toArray(String[]::new));
    }

    private static void execute(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchmarkFailedException(
                    "two network namespaces cannot be made, which needs root: "
                            + String.join(" ", command)
                            + ": "
                            + text.strip());
        }
    }

    /** Ends both namespaces as soon as no other process is in them. */
    @Override
    public void close() {
        holders.forEach(Child::close);
        holders.clear();
    }
}
