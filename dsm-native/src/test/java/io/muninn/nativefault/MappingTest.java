package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bad input at the door of this package. */
@Timeout(60)
class MappingTest {
    private static final int PAGE = ApplicationMapping.pageBytes();

    @Test
    void sizesThatAreNotPages_areRefused() {
        for (long bytes : new long[] {0, -PAGE, 1, PAGE + 1}) {
            assertThrows(
                    IllegalArgumentException.class, () -> ApplicationMapping.open(bytes, PAGE));
            assertThrows(
                    IllegalArgumentException.class, () -> ApplicationMapping.open(PAGE, bytes));
        }
    }

    @Test
    void regionsBeyondTheAddressSpace_areANativeError() {
        NativeCallException refusal =
                assertThrows(
                        NativeCallException.class, () -> ApplicationMapping.open(1L << 50, PAGE));

        assertEquals("dsm_mapping_open failed: ENOMEM (12)", refusal.getMessage());
    }

    @Test
    void attachToNobody_saysSo() {
        ApplicationMapping mapping = ApplicationMapping.open(PAGE, PAGE);

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
                Child.start(
                        AgentMain.class, List.of("-Dmuninn.native=" + empty), Pair.name(), "00")) {
            assertEquals(1, child.end(20_000));

            String errors = child.errors();
            assertTrue(errors.contains("there is no libdsmfault.so in " + empty), errors);
            assertTrue(errors.contains("build dsm-native"), errors);
        }
    }
}
