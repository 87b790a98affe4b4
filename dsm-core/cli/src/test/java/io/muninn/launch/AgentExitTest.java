package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.report.RunFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AgentExitTest {
    private static final int SIGKILL = 9;
    private static final int KILLED = 128 + SIGKILL;

    @Test
    void allEndedWell_isOk() {
        assertEquals(ExitStatus.OK, AgentExit.status(List.of(ended(0, 0), ended(1, 0))));
    }

    @Test
    void agentEndedBySignal_isNodeLostWhateverTheRootSays() {
        assertEquals(
                ExitStatus.NODE_LOST, AgentExit.status(List.of(ended(1, KILLED), ended(0, 1))));
    }

    @Test
    void agentThatTellsOfALoss_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                AgentExit.status(List.of(ended(0, 0), ended(1, ExitStatus.NODE_LOST))));
    }

    @Test
    void failure_isTheRootsStatus() {
        assertEquals(
                ExitStatus.USAGE,
                AgentExit.status(List.of(ended(1, ExitStatus.FAILED), ended(0, ExitStatus.USAGE))));
    }

    @Test
    void failureElsewhere_isAFailureOfTheRun() {
        assertEquals(
                ExitStatus.FAILED,
                AgentExit.status(List.of(ended(0, 0), ended(1, ExitStatus.USAGE))));
    }

    @Test
    void agentKilledAfterAFailure_changesNothing() {
        assertEquals(
                ExitStatus.FAILED,
                AgentExit.status(List.of(ended(0, 1), new AgentExit(1, KILLED, true))));
    }

    @Test
    void agentKilledWhileAllOthersEndedWell_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                AgentExit.status(List.of(ended(0, 0), new AgentExit(1, KILLED, true))));
    }

    @Test
    void signal_isNotTheLaunchersOwn() {
        assertEquals(OptionalInt.of(SIGKILL), ended(0, KILLED).signal());
        assertEquals(OptionalInt.empty(), new AgentExit(0, KILLED, true).signal());
        assertEquals(OptionalInt.empty(), ended(0, ExitStatus.NODE_LOST).signal());
    }

    @Test
    void failure_isOfTheNodeThatASignalEnded() {
        RunFailure failure =
                AgentExit.failure(
                                List.of(
                                        ended(2, 1),
                                        new AgentExit(0, KILLED, true),
                                        ended(1, KILLED)))
                        .orElseThrow();

        assertEquals(ExitStatus.NODE_LOST, failure.status());
        assertEquals(OptionalInt.of(1), failure.node());
        assertEquals("its agent was killed by signal 9", failure.cause());
        assertEquals(Optional.empty(), AgentExit.failure(List.of(ended(0, 0), ended(1, 0))));
    }

    private static AgentExit ended(int node, int exitValue) {
        return new AgentExit(node, exitValue, false);
    }
}
