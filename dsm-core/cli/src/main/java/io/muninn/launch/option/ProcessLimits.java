package io.muninn.launch.option;

import io.muninn.agent.memory.LayoutLimits;
import io.muninn.api.spi.Layout;
import io.muninn.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limits of this process and its children that affect a run. */
final class ProcessLimits {
    private static final Path FILE = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";
    private static final String FILE_SIZE = "Max file size";

    /** Descriptors of an agent: jars, sockets of the system, the launcher's pipe. */
    private static final int FILES_OF_AN_AGENT = 58;

    /** Descriptors per node: its memory, twice, and sockets of its application. */
    private static final int FILES_OF_A_NODE = 10;

    /** Descriptors per further process of a node: its sockets and its userfaultfd. */
    private static final int FILES_OF_A_PROCESS = 3;

    /** Descriptors per node of another agent: a stream to each node of this one, old and new. */
    private static final int FILES_OF_A_PEER = 2;

    /** Descriptors per thread: a connection, and an end that waits. */
    private static final int FILES_OF_A_THREAD = 2;

    private ProcessLimits() {}

    /**
     * Checks the limit before anything is started.
     *
     * @param nodes of the run
     * @param served nodes of the agent that serves most
     * @param processes per node
     * @param threads threads per node
     * @throws IllegalArgumentException if an agent would run out of descriptors; the text is for
     *     the user
     */
    static void requireOpenFiles(int nodes, int served, int processes, int threads) {
        requireOpenFiles(openFiles(lines()), nodes, served, processes, threads);
    }

    static void requireOpenFiles(long limit, int nodes, int served, int processes, int threads) {
        int ofANode =
                FILES_OF_A_NODE
                        + FILES_OF_A_PROCESS * (processes - 1)
                        + FILES_OF_A_THREAD * threads
                        + FILES_OF_A_PEER * (nodes - served);
        long needed = FILES_OF_AN_AGENT + (long) served * ofANode;
        if (limit < needed) {
            throw new IllegalArgumentException(
                    "a process may open "
                            + limit
                            + " files, and an agent of this run needs "
                            + needed
                            + ": 'ulimit -n "
                            + needed
                            + "'");
        }
    }

    /**
     * Checks that a node may make the file of its shared memory.
     *
     * @throws IllegalArgumentException if the size of files is limited; the text is for the user
     */
    static void requireFileSize() {
        requireFileSize(limit(lines(), FILE_SIZE));
    }

    static void requireFileSize(long limit) {
        long needed = LayoutLimits.mappingBytes(Layout.EMPTY);
        if (limit < needed) {
            throw new IllegalArgumentException(
                    "a process may make files of "
                            + Units.bytes(limit)
                            + ", and the shared memory of a node is a sparse one of "
                            + Units.bytes(needed)
                            + " or more: 'ulimit -f unlimited'");
        }
    }

    /** The hard limit, to which the JVM has raised the soft one. */
    static long openFiles(List<String> lines) {
        return limit(lines, OPEN_FILES);
    }

    /** The soft limit of this name. */
    static long limit(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
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
