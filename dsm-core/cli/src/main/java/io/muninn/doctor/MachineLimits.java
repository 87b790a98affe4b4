package io.muninn.doctor;

import io.muninn.agent.SystemCalls;
import io.muninn.agent.memory.LayoutLimits;
import io.muninn.agent.memory.VectorDiffs;
import io.muninn.api.spi.Layout;
import io.muninn.doctor.Finding.Level;
import io.muninn.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits, settings and tools of a machine, read from Linux's files. */
final class MachineLimits {
    /** The oldest kernel with every feature of userfaultfd that the engines use. */
    private static final int KERNEL_MAJOR = 6;

    private static final int KERNEL_MINOR = 6;

    private static final int JDK_OLDEST = 25;

    /** Enough for an agent of 64 nodes with 64 threads, with a reserve. */
    private static final long OPEN_FILES_MIN = 512;

    /** Capability that a container may lack; needed for a userfaultfd with full privilege. */
    private static final int CAP_SYS_PTRACE = 19;

    private static final String UNKNOWN = "unknown";
    private static final String UNLIMITED = "unlimited";

    private final Path root;
    private final Tools tools;
    private final long memoryBytes;

    /**
     * @param memoryBytes memory of this machine, or of this process's container
     */
    MachineLimits(long memoryBytes) {
        this(Path.of("/"), new Tools(), memoryBytes);
    }

    /**
     * @param root replaces the root folder
     */
    MachineLimits(Path root, Tools tools, long memoryBytes) {
        this.root = root;
        this.tools = tools;
        this.memoryBytes = memoryBytes;
    }

    List<Finding> findings() {
        List<Finding> all = new ArrayList<>();
        all.add(kernel(System.getProperty("os.version"), System.getProperty("os.arch")));
        all.add(jdk(Runtime.version().feature()));
        all.add(compiler());
        all.add(cores());
        all.add(memory());
        all.add(Finding.ok("diff kernel", VectorDiffs.text()));
        all.add(privilege());
        all.add(filter());
        all.add(systemCalls(SystemCalls.attempt()));
        all.add(device());
        all.add(sysctl("vm.unprivileged_userfaultfd"));
        all.add(memoryFiles());
        all.add(hugePages());
        all.add(overcommit());
        all.add(mappings());
        all.add(addressSpace());
        all.add(fileSize());
        all.add(openFiles());
        all.add(lockedMemory());
        return all;
    }

    static Finding kernel(String version, String arch) {
        Matcher numbers = Pattern.compile("(\\d+)\\.(\\d+).*").matcher(version);
        boolean isNew =
                numbers.matches()
                        && (Integer.parseInt(numbers.group(1)) > KERNEL_MAJOR
                                || Integer.parseInt(numbers.group(1)) == KERNEL_MAJOR
                                        && Integer.parseInt(numbers.group(2)) >= KERNEL_MINOR);
        return Finding.of(
                "kernel",
                "Linux " + version + " on " + arch,
                isNew,
                Level.NOTE,
                "Linux 6.6 or newer for uffd engines");
    }

    static Finding jdk(int feature) {
        return Finding.of(
                "JDK",
                System.getProperty("java.vm.version") + " in " + System.getProperty("java.home"),
                feature >= JDK_OLDEST,
                Level.BAD,
                "a JDK " + JDK_OLDEST + " or newer");
    }

    private Finding compiler() {
        Optional<String> version = tools.compiler();
        return Finding.of(
                "C compiler",
                version.orElse("none"),
                version.isPresent(),
                Level.NOTE,
                "to build only: gcc or clang, with the C library's headers");
    }

    private Finding cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return Finding.of(
                "cores",
                Integer.toString(cores),
                cores > 1,
                Level.NOTE,
                "two or more: a node's agent and application take turns on one");
    }

    private Finding memory() {
        boolean isLimited = memory("MemTotal").orElse(0L) > memoryBytes;
        return Finding.ok(
                "memory",
                bytes("MemTotal")
                        + ", "
                        + bytes("MemAvailable")
                        + " available"
                        + (isLimited
                                ? ", " + Units.bytes(memoryBytes) + " for this container"
                                : ""));
    }

    private String bytes(String key) {
        return memory(key).map(Units::bytes).orElse(UNKNOWN);
    }

    private Optional<Long> memory(String key) {
        return value("proc/meminfo", key)
                .map(text -> Long.parseLong(text.replace(" kB", "")) * 1024);
    }

    private Finding privilege() {
        String user = value("proc/self/status", "Uid").orElse(UNKNOWN).split("\\s")[0];
        long capabilities =
                value("proc/self/status", "CapEff")
                        .map(hex -> Long.parseUnsignedLong(hex, 16))
                        .orElse(0L);
        boolean mayTrace = (capabilities >>> CAP_SYS_PTRACE & 1) != 0;
        return Finding.ok(
                "privilege",
                "user " + user + ", " + (mayTrace ? "with" : "without") + " CAP_SYS_PTRACE");
    }

    private Finding filter() {
        String mode = value("proc/self/status", "Seccomp").orElse(UNKNOWN);
        boolean isFiltered = mode.equals("2");
        return Finding.of(
                "seccomp",
                isFiltered ? "system calls are filtered" : "no filter",
                !isFiltered,
                Level.NOTE,
                "a profile that lets userfaultfd through, if the engines say EPERM");
    }

    static Finding systemCalls(SystemCalls calls) {
        return Finding.of(
                "system calls",
                calls.isComplete() ? "all that a node needs are permitted" : calls.text(),
                calls.isComplete(),
                Level.BAD,
                calls.needs());
    }

    private Finding device() {
        Path device = root.resolve("dev/userfaultfd");
        boolean mayUse = Files.isReadable(device) && Files.isWritable(device);
        String state =
                mayUse ? "may be opened" : Files.exists(device) ? "is not for us" : "is not there";
        return Finding.of(
                "/dev/userfaultfd",
                state,
                mayUse,
                Level.NOTE,
                "read and write permission (in a container: --device /dev/userfaultfd)");
    }

    private Finding sysctl(String name) {
        return Finding.ok(name, setting(name).orElse(UNKNOWN));
    }

    /** Shared memory is in memory files, which neither /dev/shm nor System V limits restrict. */
    private Finding memoryFiles() {
        String value = setting("vm.memfd_noexec").orElse(UNKNOWN);
        return Finding.of(
                "vm.memfd_noexec",
                value + "; shared memory is in memory files, /dev/shm does not bound it",
                !value.equals("2"),
                Level.BAD,
                "0 or 1: memory files are refused");
    }

    private Finding hugePages() {
        Optional<String> modes = first("sys/kernel/mm/transparent_hugepage/shmem_enabled");
        String chosen = modes.map(text -> text.replaceFirst(".*\\[(.*)].*", "$1")).orElse(UNKNOWN);
        return Finding.of(
                "huge pages of shared memory",
                chosen,
                !chosen.equals("force"),
                Level.NOTE,
                "anything but 'force', which is there for tests");
    }

    private Finding overcommit() {
        String value = setting("vm.overcommit_memory").orElse(UNKNOWN);
        return Finding.of(
                "vm.overcommit_memory",
                value,
                !value.equals("2"),
                Level.NOTE,
                "0 or 1: under 2, memory counts when it is declared, on every node");
    }

    private Finding mappings() {
        return Finding.ok(
                "vm.max_map_count",
                setting("vm.max_map_count").orElse(UNKNOWN)
                        + "; uffd engines need a few, mprotect+signal may take half");
    }

    private Finding addressSpace() {
        String limit = limit("Max address space");
        return Finding.of(
                "address space",
                readable(limit),
                limit.equals(UNLIMITED) || limit.equals(UNKNOWN),
                Level.NOTE,
                "'ulimit -v unlimited': shared memory is mapped twice");
    }

    private Finding fileSize() {
        String limit = limit("Max file size");
        long needed = LayoutLimits.mappingBytes(Layout.EMPTY);
        return Finding.of(
                "file size",
                readable(limit),
                !isNumber(limit) || Long.parseLong(limit) >= needed,
                Level.BAD,
                "'ulimit -f unlimited': shared memory is a sparse file of "
                        + Units.bytes(needed)
                        + " or more");
    }

    private Finding openFiles() {
        String limit = limit("Max open files");
        boolean isEnough = !isNumber(limit) || Long.parseLong(limit) >= OPEN_FILES_MIN;
        return Finding.of(
                "open files",
                limit,
                isEnough,
                Level.NOTE,
                "'ulimit -n " + OPEN_FILES_MIN + "' for many nodes or threads");
    }

    private Finding lockedMemory() {
        return Finding.ok(
                "locked memory", readable(limit("Max locked memory")) + "; nothing is locked");
    }

    private static String readable(String limit) {
        return isNumber(limit) ? Units.bytes(Long.parseLong(limit)) : limit;
    }

    private static boolean isNumber(String limit) {
        return limit.chars().allMatch(Character::isDigit);
    }

    /** The soft limit of this process. */
    private String limit(String name) {
        return lines("proc/self/limits").stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
                .findFirst()
                .orElse(UNKNOWN);
    }

    private Optional<String> setting(String name) {
        return first("proc/sys/" + name.replace('.', '/'));
    }

    private Optional<String> first(String path) {
        return lines(path).stream().findFirst().map(String::strip);
    }

    /** The value after a key and a colon. */
    private Optional<String> value(String path, String key) {
        return lines(path).stream()
                .filter(line -> line.startsWith(key + ":"))
                .map(line -> line.substring(key.length() + 1).strip())
                .findFirst();
    }

    private List<String> lines(String path) {
        try {
            return Files.readAllLines(root.resolve(path));
        } catch (IOException unreadable) {
            return List.of(); // this system does not have the file
        }
    }
}
