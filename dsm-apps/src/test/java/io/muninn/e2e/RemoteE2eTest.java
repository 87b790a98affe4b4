package io.muninn.e2e;

import io.muninn.e2e.MarkedProcesses.Role;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Remote variables of live runs: nodes of one agent access words directly, those of other agents by
 * messages, and both at once. Every engine is tagged slow.
 */
@Tag("e2e")
class RemoteE2eTest {
    private static final int FAILED = 1;
    private static final int NODE_LOST = 3;

    /** Two agents of two nodes: each word is updated directly and by messages. */
    @ParameterizedTest
    @ValueSource(strings = "-n 4 --agents 2")
    void mixtures_areAtomic(String options) throws InterruptedException {
        assertMixtures(options);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"-n 2 --agents node --processes 2", "-n 2 --threads 2"})
    void mixturesOfProcessesAndThreads_areAtomic(String options) throws InterruptedException {
        assertMixtures(options);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("io.muninn.e2e.EnginesE2eTest#engines")
    void mixtures_areAtomicOnEveryEngine(String engine) throws InterruptedException {
        assertMixtures("-n 4 --threads 2 --agents 2 --engine " + engine);
    }

    private static void assertMixtures(String options) throws InterruptedException {
        DsmRun.run(DsmRun.programLine(DsmRun.QUICK + options + " --no-table", "RemoteMixtures"))
                .assertStatus(0)
                .assertOut("verified: all updates are there once");
    }

    @Test
    void indexOutOfRange_namesVariableIndexLengthAndNode() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --agents node", "RemoteErrors outside"))
                .assertStatus(FAILED)
                .assertErr("index 4096 of remote variable table, whose length is 4096, on node 1");
    }

    /** A wait at a lost node, requests to it, and requests to another one. */
    @Test
    void lostNode_endsWaitsAndFutures() throws InterruptedException {
        try (DsmRun run =
                DsmRun.startProgram("-n 3 --agents node --no-table", "RemoteErrors lost")) {
            run.awaitOutput("waits", 3);
            run.member(Role.APPLICATION, 2).signal("KILL");

            run.await()
                    .assertStatus(NODE_LOST)
                    .assertOut("node 0 was told in a wait")
                    .assertOut("node 1 was told by class io.muninn.api.NodeLostException");
        }
    }
}
