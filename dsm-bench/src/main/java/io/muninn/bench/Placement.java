package io.muninn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The processors on which the processes of a measurement run. */
enum Placement {
    /** All processes on one processor, so that no step waits for another processor to wake up. */
    ONE_CPU("one CPU"),
    /** On the processors that the scheduler chooses. */
    UNPINNED("unpinned");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final String TASKSET = "taskset";

    private final String words;

    Placement(String words) {
        this.words = words;
    }

    boolean isPinned() {
        return this == ONE_CPU;
    }

    String words() {
        return words;
    }

    /** Words that precede a command to run it in this placement. */
    List<String> prefix() throws IOException {
        return isPinned() ? List.of(TASKSET, "-c", Integer.toString(firstAllowed())) : List.of();
    }

    /** The first of the processors that this process may use. */
    private static int firstAllowed() throws IOException {
        return firstOf(Files.readAllLines(STATUS));
    }

    static int firstOf(List<String> status) throws IOException {
        for (String line : status) {
            if (line.startsWith(ALLOWED)) {
                return Integer.parseInt(line.substring(ALLOWED.length()).strip().split("[-,]")[0]);
            }
        }
        throw new IOException(STATUS + " names no processors");
    }

    /**
     * @throws IOException if processes cannot be pinned here
     */
    static void requireTaskset() throws IOException {
        String path = System.getenv().getOrDefault("PATH", "");
        boolean isThere =
                Arrays.stream(path.split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, TASKSET)));
        if (!isThere) {
            throw new IOException(
                    "there is no 'taskset' in PATH, which pins processes to one processor (Debian,"
                            + " Ubuntu, Fedora: package util-linux)");
        }
    }
}
