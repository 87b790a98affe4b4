package io.muninn.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process and its children may have open. */
final class ProcessLimits {
    private static final Path FILE = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";

    /** Of an agent: jars, regions, sockets of its application and of the system. */
    private static final int FILES_OF_A_NODE = 64;

    /** A stream to each other node, and the rings beside it. */
    private static final int FILES_OF_A_PEER = 4;

    /** A connection, and an end that waits. */
    private static final int FILES_OF_A_THREAD = 2;

    private ProcessLimits() {}

    /**
     * Checks before anything is started.
     *
     * @param threads of each node
     * @throws IllegalArgumentException if an agent would run out of descriptors; for the user
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

    /** The JVM has raised the soft limit to the hard one. */
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
            return List.of(); // the system refuses by itself what is too much
        }
    }
}
