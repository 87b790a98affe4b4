package io.muninn.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.agent.SystemCalls;
import io.muninn.doctor.Finding.Level;
import io.muninn.nativefault.SystemCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines, good and bad, described by their files. */
class MachineLimitsTest {
    @TempDir private Path root;

    private static final Tools WITHOUT_COMPILER =
            new Tools() {
                @Override
                Optional<String> compiler() {
                    return Optional.empty();
                }
            };

    private void file(String path, String... lines) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }

    private Map<String, Finding> findings() {
        return new MachineLimits(root, WITHOUT_COMPILER, 536_870_912)
                .findings().stream().collect(Collectors.toMap(Finding::name, Function.identity()));
    }

    @Test
    void generousMachine_givesNoReasonToWorry() throws IOException {
        file("proc/meminfo", "MemTotal:       24681472 kB", "MemAvailable:   1048576 kB");
        file("proc/self/status", "Uid:\t0\t0\t0\t0", "CapEff:\t000001ffffffffff", "Seccomp:\t0");
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units",
                "Max open files            20000                20000                files",
                "Max locked memory         8388608              8388608              bytes",
                "Max address space         unlimited            unlimited            bytes");
        file("proc/sys/vm/memfd_noexec", "1");
        file("proc/sys/vm/overcommit_memory", "0");
        file("proc/sys/vm/max_map_count", "65530");
        file("proc/sys/vm/unprivileged_userfaultfd", "0");
        file("sys/kernel/mm/transparent_hugepage/shmem_enabled", "always [never] deny force");
        file("dev/userfaultfd");

        Map<String, Finding> all = findings();

        assertEquals(
                "23.5 GiB, 1.00 GiB available, 512 MiB for this container",
                all.get("memory").value());
        assertEquals("user 0, with CAP_SYS_PTRACE", all.get("privilege").value());
        assertEquals("never", all.get("huge pages of shared memory").value());
        assertEquals("20000", all.get("open files").value());
        assertEquals("8.00 MiB; nothing is locked", all.get("locked memory").value());
        assertTrue(all.get("vm.max_map_count").value().startsWith("65530;"));
        assertEquals("0", all.get("vm.unprivileged_userfaultfd").value());
        for (String name : List.of("seccomp", "/dev/userfaultfd", "vm.memfd_noexec", "memory")) {
            assertEquals(Level.OK, all.get(name).level(), name);
            assertEquals("", all.get(name).needs(), name);
        }
    }

    @Test
    void meanMachine_saysWhatItLacksAndWhatWouldHelp() throws IOException {
        file("proc/self/status", "Uid:\t1000\t1000", "CapEff:\t0000000000000000", "Seccomp:\t2");
        file(
                "proc/self/limits",
                "Max file size             1048576              unlimited            bytes",
                "Max open files            256                  256                  files",
                "Max address space         4294967296           unlimited            bytes");
        file("proc/sys/vm/memfd_noexec", "2");
        file("proc/sys/vm/overcommit_memory", "2");
        file("sys/kernel/mm/transparent_hugepage/shmem_enabled", "always never deny [force]");

        Map<String, Finding> all = findings();

        assertEquals("user 1000, without CAP_SYS_PTRACE", all.get("privilege").value());
        assertEquals(Level.BAD, all.get("vm.memfd_noexec").level());
        assertEquals("4.00 GiB", all.get("address space").value());
        assertEquals("1.00 MiB", all.get("file size").value());
        assertEquals(Level.BAD, all.get("file size").level());
        Map<String, String> needs =
                Map.of(
                        "seccomp", "a profile that lets userfaultfd through",
                        "/dev/userfaultfd", "--device /dev/userfaultfd",
                        "vm.memfd_noexec", "0 or 1",
                        "vm.overcommit_memory", "0 or 1",
                        "huge pages of shared memory", "anything but 'force'",
                        "address space", "ulimit -v unlimited",
                        "open files", "ulimit -n 512",
                        "file size", "ulimit -f unlimited",
                        "C compiler", "to build only: gcc or clang");
        needs.forEach((name, text) -> {
            assertTrue(all.get(name).level() != Level.OK, name);
            assertTrue(all.get(name).needs().contains(text), all.get(name)::toString);
        });
    }

    @Test
    void machineThatTellsNothing_isUnknownAndNotBad() {
        Map<String, Finding> all = findings();

        assertEquals("unknown, unknown available", all.get("memory").value());
        assertEquals("user unknown, without CAP_SYS_PTRACE", all.get("privilege").value());
        assertEquals("is not there", all.get("/dev/userfaultfd").value());
        assertTrue(all.values().stream().noneMatch(each -> each.level() == Level.BAD));
    }

    @Test
    void refusedSystemCall_isBadAndNamed() {
        Finding finding =
                MachineLimits.systemCalls(
                        SystemCalls.attempt(call -> call == SystemCall.TIMERFD_CREATE ? 1 : 0));

        assertEquals(Level.BAD, finding.level());
        assertEquals("timerfd_create EPERM (1)", finding.value());
        assertTrue(finding.needs().contains("seccomp profile"), finding::toString);
    }

    @Test
    void kernelOlderThanTheFeatures_isNoted() {
        for (String version : List.of("6.6.0", "6.18.44-fc", "7.0", "10.1-rc1")) {
            assertEquals(Level.OK, MachineLimits.kernel(version, "amd64").level(), version);
        }
        for (String version : List.of("6.5.13-x", "5.15.0", "strange")) {
            assertEquals(Level.NOTE, MachineLimits.kernel(version, "amd64").level(), version);
        }
        assertEquals(Level.BAD, MachineLimits.jdk(24).level());
    }
}
