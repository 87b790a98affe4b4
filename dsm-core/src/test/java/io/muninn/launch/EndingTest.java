package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.agent.ExitStatus;
import io.muninn.metrics.RunFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EndingTest {
    private static final int SIGKILL = 9;
    private static final int KILLED = 128 + SIGKILL;

    @Test
    void allEndedWell_isOk() {
        assertEquals(ExitStatus.OK, Ending.status(List.of(ended(0, 0), ended(1, 0))));
    }

    @Test
    void agentEndedBySignal_isNodeLostWhateverTheRootSays() {
        assertEquals(ExitStatus.NODE_LOST, Ending.status(List.of(ended(1, KILLED), ended(0, 1))));
    }

    @Test
    void agentThatTellsOfALoss_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                Ending.status(List.of(ended(0, 0), ended(1, ExitStatus.NODE_LOST))));
    }

    @Test
    void failure_isTheRootsStatus() {
        assertEquals(
                ExitStatus.USAGE,
                Ending.status(List.of(ended(1, ExitStatus.FAILED), ended(0, ExitStatus.USAGE))));
    }

    @Test
    void failureElsewhere_isAFailureOfTheRun() {
        assertEquals(
                ExitStatus.FAILED, Ending.status(List.of(ended(0, 0), ended(1, ExitStatus.USAGE))));
    }

    @Test
    void agentKilledAfterAFailure_changesNothing() {
        assertEquals(
                ExitStatus.FAILED,
                Ending.status(List.of(ended(0, 1), new Ending(1, KILLED, true))));
    }

    @Test
    void agentKilledWhileAllOthersEndedWell_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                Ending.status(List.of(ended(0, 0), new Ending(1, KILLED, true))));
    }

    @Test
    void signal_isNotTheLaunchersOwn() {
        assertEquals(OptionalInt.of(SIGKILL), ended(0, KILLED).signal());
        assertEquals(OptionalInt.empty(), new Ending(0, KILLED, true).signal());
        assertEquals(OptionalInt.empty(), ended(0, ExitStatus.NODE_LOST).signal());
    }

    @Test
    void failure_isOfTheNodeThatASignalEnded() {
        RunFailure failure =
                Ending.failure(List.of(ended(2, 1), new Ending(0, KILLED, true), ended(1, KILLED)))
                        .orElseThrow();

        assertEquals(ExitStatus.NODE_LOST, failure.status());
        assertEquals(OptionalInt.of(1), failure.node());
        assertEquals("its agent was killed by signal 9", failure.cause());
        assertEquals(Optional.empty(), Ending.failure(List.of(ended(0, 0), ended(1, 0))));
    }

    private static Ending ended(int node, int exitValue) {
        return new Ending(node, exitValue, false);
    }
}
