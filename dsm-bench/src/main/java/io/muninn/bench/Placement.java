package io.muninn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        return isPinned() ? prefix(allowed().getFirst()) : List.of();
    }

    /** Words that precede a command to run it on this processor only. */
    static List<String> prefix(int processor) {
        return List.of(TASKSET, "-c", Integer.toString(processor));
    }

    /** The processors that this process may use, at least one. */
    static List<Integer> allowed() throws IOException {
        return allowedBy(Files.readAllLines(STATUS));
    }

    static List<Integer> allowedBy(List<String> status) throws IOException {
        for (String line : status) {
            if (line.startsWith(ALLOWED)) {
                return numbers(line.substring(ALLOWED.length()).strip());
            }
        }
        throw new IOException(STATUS + " names no processors");
    }

    /** The numbers of a list such as {@code 0-2,5}. */
    private static List<Integer> numbers(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : list.split(",")) {
            String[] ends = range.split("-");
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /**
     * @throws IOException if processes cannot be pinned here
     */
    static void requireTaskset() throws IOException {
        if (!isInPath(TASKSET)) {
            throw new IOException(
                    "there is no 'taskset' in PATH, which pins processes to one processor (Debian,"
                            + " Ubuntu, Fedora: package util-linux)");
        }
    }

    static boolean isInPath(String command) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }
}
