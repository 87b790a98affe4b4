package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.e2e.MarkedProcesses.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a run that ended by a loss could leave: processes, files, shared memory and sockets. */
final class Leftovers {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** The number and the name of a socket in the machine's list. */
    private static final Pattern ABSTRACT = Pattern.compile(" (\\d+) (@\\S+)$");

    private final Path temporary;
    private final List<String> before = list(SHARED_MEMORY);
    private final List<Long> pids = new ArrayList<>();
    private final Set<String> addresses = new TreeSet<>();

    /**
     * @param temporary an empty folder, for the temporary files of the run
     */
    Leftovers(Path temporary) {
        this.temporary = temporary;
    }

    /** For the run's processes. */
    Map<String, String> environment() {
        return Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    }

    /**
     * Records the run's processes, and the abstract addresses of their sockets.
     *
     * @param addresses of more sockets, or parts of them
     */
    void watch(DsmRun run, String... addresses) {
        Map<String, String> addressesByInode = new HashMap<>();
        for (String line : sockets().lines().toList()) {
            Matcher socket = ABSTRACT.matcher(line);
            if (socket.find()) {
                addressesByInode.put("socket:[" + socket.group(1) + "]", socket.group(2));
            }
        }
        for (Member member : run.processes().all()) {
            pids.add(member.pid());
            open(member.pid()).stream()
                    .map(addressesByInode::get)
                    .filter(Objects::nonNull)
                    .forEach(this.addresses::add);
        }
        this.addresses.addAll(List.of(addresses));
    }

    /** What the descriptors of a process are; nothing if it has ended. */
    private static List<String> open(long pid) {
        List<String> targets = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : files) {
                targets.add(Files.readSymbolicLink(file).toString());
            }
        } catch (IOException | DirectoryIteratorException closed) {
            return targets;
        }
        return targets;
    }

    void assertNone(DsmRun run, Duration limit) throws IOException {
        assertEquals(List.of(), run.processes().awaitNone(limit));
        for (String address : addresses) {
            assertTrue( // a process that ends gives up its memory first, and its sockets after
                    MarkedProcesses.awaitUntil(limit, () -> !sockets().contains(address)),
                    "somebody listens at " + address + " still");
        }
        assertEquals(List.of(), list(temporary));
        assertEquals(before, list(SHARED_MEMORY));
        for (long pid : pids) {
            assertFalse(leavesPerformanceData(pid), "performance data of " + pid);
        }
    }

    /** The machine's sockets. */
    static String sockets() {
        try {
            return Files.readString(Path.of("/proc/net/unix"));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /** HotSpot keeps such files in the system's folder, regardless of the JVM's options. */
    private static boolean leavesPerformanceData(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.filter(path -> path.getFileName().toString().startsWith("hsperfdata_"))
                    .anyMatch(folder -> Files.exists(folder.resolve(Long.toString(pid))));
        }
    }

    private static List<String> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
