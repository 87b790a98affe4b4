package io.muninn.agent.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Cluster;
import io.muninn.application.AgentAddress;
import io.muninn.nativefault.EngineKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The environment and arguments that an agent gives its application. */
class ApplicationProcessTest {
    private static final int LIMIT_MILLIS = 60_000;

    @Test
    void environment_namesTheAgentAndTheDirectoryOfTheNativeLibraries()
            throws IOException, InterruptedException {
        String looks = "test -n \"$MUNINN_AGENT\" && test -f \"$MUNINN_NATIVE/libdsmfault.so\"";
        AgentAddress agent =
                new AgentAddress("nobody", new byte[32], 0, 0, 0, new Cluster(1, 1), "node 0");

        ApplicationProcess application =
                ApplicationProcess.start(
                        List.of("/bin/sh", "-c", looks),
                        ApplicationProcess.NOTHING,
                        agent,
                        _ -> {});

        assertEquals(0, application.await(LIMIT_MILLIS));
    }

    @Test
    void endByTheSignalOfTheEngine_namesWhatMayHaveCausedIt() {
        String replaced =
                ", whose handler a library may have replaced (--engine uffd+event needs none),";

        assertEquals(
                "was ended by signal 7" + replaced,
                ApplicationProcess.describe(128 + 7, EngineKind.UFFD_SIGNAL));
        assertEquals(
                "was ended by signal 11" + replaced,
                ApplicationProcess.describe(128 + 11, EngineKind.MPROTECT_SIGNAL));
        assertEquals(
                "was ended by signal 7",
                ApplicationProcess.describe(128 + 7, EngineKind.MPROTECT_SIGNAL));
        assertEquals(
                "was ended by signal 9",
                ApplicationProcess.describe(128 + 9, EngineKind.UFFD_SIGNAL));
        assertEquals("ended with status 7", ApplicationProcess.describe(7, EngineKind.UFFD_EVENT));
    }
}
