package io.muninn.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Control groups for memory, of either version, where this process may make some. */
final class ControlGroups {
    private static final String MEMORY = "memory";

    private ControlGroups() {}

    /** The group of this process; a folder that may not exist. */
    static Path own() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/cgroup"));
        Path root = Path.of("/sys/fs/cgroup");
        for (String line : lines) {
            String[] parts = line.split(":", 3); // hierarchy, controllers, path
            if (List.of(parts[1].split(",")).contains(MEMORY)) {
                return root.resolve(MEMORY).resolve(parts[2].substring(1));
            }
        }
        String last = lines.getLast();
        return root.resolve(last.substring(last.lastIndexOf(':') + 2));
    }

    /**
     * Makes a group with a limit.
     *
     * @return false if that is not possible here; nothing is left then
     */
    static boolean make(Path group, long bytes) throws IOException {
        try {
            Files.createDirectory(group);
        } catch (IOException notOurs) {
            return false;
        }
        for (String file : List.of("memory.max", "memory.limit_in_bytes")) {
            if (Files.isWritable(group.resolve(file))) {
                Files.writeString(group.resolve(file), Long.toString(bytes));
                return true;
            }
        }
        Files.delete(group);
        return false;
    }
}
