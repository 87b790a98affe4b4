package io.muninn.e2e;

import io.muninn.e2e.MarkedProcesses.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Memory files without names, as processes of a run have them open. */
final class MemoryFiles {
    private MemoryFiles() {}

    /**
     * A descriptor of a process.
     *
     * @param label part of the file's label
     * @return empty if the process has no such file open, or has ended
     */
    static Optional<Path> find(Member process, String label) {
        Path folder = Path.of("/proc", Long.toString(process.pid()), "fd");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isLabelled(file, label)).findFirst();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private static boolean isLabelled(Path descriptor, String label) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(label);
        } catch (IOException closed) {
            return false;
        }
    }
}
