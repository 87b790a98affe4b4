package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Invalid arguments of this package. */
@Timeout(60)
class MappingTest {
    private static final int PAGE = ApplicationMapping.pageBytes();

    @Test
    void sizesThatAreNotPages_areRefused() {
        for (long bytes : new long[] {0, -PAGE, 1, PAGE + 1}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            ApplicationMapping.open(
                                    new ApplicationMapping.Shape(
                                            EngineKind.UFFD_EVENT, 1, bytes, PAGE, 0)));
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            ApplicationMapping.open(
                                    new ApplicationMapping.Shape(
                                            EngineKind.UFFD_EVENT, 1, PAGE, bytes, 0)));
        }
    }

    @Test
    void regionsBeyondTheAddressSpace_areANativeError() {
        NativeCallException refusal =
                assertThrows(
                        NativeCallException.class,
                        () ->
                                ApplicationMapping.open(
                                        new ApplicationMapping.Shape(
                                                EngineKind.UFFD_EVENT, 1, 1L << 50, PAGE, 0)));

        assertEquals("dsm_mapping_open failed: ENOMEM (12)", refusal.getMessage());
    }

    @Test
    void faultsNotPermitted_namesEachWayItsErrnoAndItsRemedy() {
        MemorySegment report = Arena.ofAuto().allocate(FaultLibrary.REPORT_BYTES, Long.BYTES);
        report.setAtIndex(JAVA_INT, 0, Errno.EACCES);
        report.setAtIndex(JAVA_INT, 1, Errno.EPERM);
        report.setAtIndex(JAVA_INT, 2, Errno.ENOSYS);

        String text = ApplicationMapping.notPermitted(report);

        assertEquals(
                """
                page faults cannot be trapped here; tried:
                  /dev/userfaultfd: EACCES (13); needs read and write permission on it \
                (in a container: --device /dev/userfaultfd)
                  the system call userfaultfd: EPERM (1); needs root, CAP_SYS_PTRACE or sysctl \
                vm.unprivileged_userfaultfd=1, and a seccomp profile that lets it through
                  the system call userfaultfd, user mode only: ENOSYS (38); needs a seccomp \
                profile that lets it through (container profiles usually do not)\
                """,
                text);
    }

    @Test
    void attachToNobody_saysSo() {
        ApplicationMapping mapping =
                ApplicationMapping.open(
                        new ApplicationMapping.Shape(EngineKind.UFFD_EVENT, 1, PAGE, PAGE, 0));

        NativeCallException refusal =
                assertThrows(
                        NativeCallException.class,
                        () -> mapping.attach(Pair.name(), Pair.token(), 0, 1000));

        assertTrue(refusal.getMessage().contains("ECONNREFUSED"), refusal.getMessage());
        assertThrows(
                IllegalArgumentException.class, () -> mapping.attach("", Pair.token(), 0, 1000));
        assertThrows(
                IllegalArgumentException.class,
                () -> mapping.attach("x".repeat(101), Pair.token(), 0, 1000));
        assertThrows(
                IllegalArgumentException.class, () -> mapping.attach("x", new byte[31], 0, 1000));
        assertThrows(IllegalArgumentException.class, () -> mapping.attach("x", Pair.token(), 0, 0));
    }

    @Test
    void socketNameInUse_isRefused() {
        String name = Pair.name();
        try (AgentSocket first = AgentSocket.listen(name)) {
            NativeCallException refusal =
                    assertThrows(NativeCallException.class, () -> AgentSocket.listen(name));

            assertTrue(refusal.getMessage().contains("EADDRINUSE"), refusal.getMessage());
            assertTrue(first.fd() > 0);
        }
    }

    @Test
    void libraryThatIsNotThere_saysWhatToDo(@TempDir Path empty) {
        try (Child child =
                Child.startJvm(
                        AgentMain.class, List.of("-Dmuninn.native=" + empty), Pair.name(), "00")) {
            assertEquals(1, child.end(20_000));

            String errors = child.errors();
            assertTrue(errors.contains("there is no libdsmfault.so in " + empty), errors);
            assertTrue(errors.contains("build dsm-native"), errors);
        }
    }
}
