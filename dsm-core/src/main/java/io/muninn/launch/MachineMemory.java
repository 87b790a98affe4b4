package io.muninn.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this machine, or the container around this process, has. */
final class MachineMemory {
    private static final Path TOTAL = Path.of("/proc/meminfo");
    private static final Path CONTAINER_LIMIT = Path.of("/sys/fs/cgroup/memory.max");
    private static final String TOTAL_KEY = "MemTotal:";
    private static final String KILOBYTES = " kB";

    private MachineMemory() {}

    /** The smaller of the two; {@link Long#MAX_VALUE} where the system tells neither. */
    static long bytes() {
        return Math.min(total(lines(TOTAL)), containerLimit(lines(CONTAINER_LIMIT)));
    }

    static long total(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(TOTAL_KEY) && line.endsWith(KILOBYTES))
                .map(line -> line.substring(TOTAL_KEY.length(), line.length() - KILOBYTES.length()))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes.strip()) * 1024)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    static long containerLimit(List<String> lines) {
        return lines.stream()
                .filter(line -> line.chars().allMatch(Character::isDigit) && !line.isEmpty())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException unreadable) {
            return List.of(); // a file of the system that is not there on this one
        }
    }
}
