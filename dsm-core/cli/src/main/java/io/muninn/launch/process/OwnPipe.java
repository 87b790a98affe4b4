package io.muninn.launch.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A pipe of this process that a child can open by its path, in addition to the three streams that
 * Java passes to a child.
 *
 * @param path the child opens it for reading; a process without access to this process cannot open
 *     it
 * @param out closed with this process, which ends the child's input
 */
record OwnPipe(Path path, OutputStream out) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String PIPE = "pipe:";

    /**
     * Opens a pipe. No other thread may open one at the same time.
     *
     * @throws IOException if the system has no more of them, or does not show their paths
     */
    static OwnPipe open() throws IOException {
        Map<Path, Path> before = pipes();
        Pipe pipe = Pipe.open();
        Map<Path, Path> opened = pipes();
        opened.values().removeAll(before.values());
        if (opened.values().stream().distinct().count() != 1) {
            throw new IOException("one new pipe expected in " + DESCRIPTORS + ", not " + opened);
        }
        String descriptor = opened.keySet().iterator().next().getFileName().toString();
        String self = Long.toString(ProcessHandle.current().pid());
        return new OwnPipe(
                Path.of("/proc", self, "fd", descriptor), Channels.newOutputStream(pipe.sink()));
    }

    /** The pipe of each descriptor. */
    private static Map<Path, Path> pipes() throws IOException {
        Map<Path, Path> pipes = new TreeMap<>();
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            for (Path descriptor : descriptors.toList()) {
                target(descriptor).ifPresent(target -> pipes.put(descriptor, target));
            }
        }
        return pipes;
    }

    private static Optional<Path> target(Path descriptor) {
        try {
            Path target = Files.readSymbolicLink(descriptor);
            return target.toString().startsWith(PIPE) ? Optional.of(target) : Optional.empty();
        } catch (IOException closed) {
            return Optional.empty(); // such as the descriptor of the listing
        }
    }
}
