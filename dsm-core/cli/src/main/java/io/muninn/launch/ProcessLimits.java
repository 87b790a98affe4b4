package io.muninn.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The number of files that this process and its children may have open. */
final class ProcessLimits {
    private static final Path FILE = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";

    /** Descriptors of an agent: jars, regions, sockets of its application and of the system. */
    private static final int FILES_OF_A_NODE = 64;

    /** Descriptors per other node: a stream and the rings. */
    private static final int FILES_OF_A_PEER = 4;

    /** Descriptors per thread: a connection, and an end that waits. */
    private static final int FILES_OF_A_THREAD = 2;

    private ProcessLimits() {}

    /**
     * Checks the limit before anything is started.
     *
     * @param threads threads per node
     * @throws IllegalArgumentException if an agent would run out of descriptors; the text is for
     *     the user
     */
    static void requireOpenFiles(int nodes, int threads) {
        requireOpenFiles(openFiles(lines()), nodes, threads);
    }

    static void requireOpenFiles(long limit, int nodes, int threads) {
        long needed = FILES_OF_A_NODE + FILES_OF_A_PEER * nodes + FILES_OF_A_THREAD * threads;
        if (limit < needed) {
            throw new IllegalArgumentException(
                    "a process may open "
                            + limit
                            + " files, and a node of this run needs "
                            + needed
                            + ": 'ulimit -n "
                            + needed
                            + "'");
        }
    }

    /** The hard limit, to which the JVM has raised the soft one. */
    static long openFiles(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(OPEN_FILES))
                .map(line -> line.substring(OPEN_FILES.length()).strip().split("\\s+")[0])
                .filter(word -> word.chars().allMatch(Character::isDigit))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(FILE);
        } catch (IOException unknown) {
            return List.of(); // the system itself will refuse too many
        }
    }
}
