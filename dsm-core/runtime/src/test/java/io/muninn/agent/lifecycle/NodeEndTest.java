package io.muninn.agent.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.report.RunFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NodeEndTest {
    private static final int SIGKILL = 9;
    private static final int KILLED = 128 + SIGKILL;

    @Test
    void allEndedWell_isOk() {
        assertEquals(ExitStatus.OK, NodeEnd.status(List.of(ended(0, 0), ended(1, 0))));
    }

    @Test
    void agentEndedBySignal_isNodeLostWhateverTheRootSays() {
        assertEquals(ExitStatus.NODE_LOST, NodeEnd.status(List.of(ended(1, KILLED), ended(0, 1))));
    }

    @Test
    void agentThatTellsOfALoss_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                NodeEnd.status(List.of(ended(0, 0), ended(1, ExitStatus.NODE_LOST))));
    }

    @Test
    void failure_isTheRootsStatus() {
        assertEquals(
                ExitStatus.USAGE,
                NodeEnd.status(List.of(ended(1, ExitStatus.FAILED), ended(0, ExitStatus.USAGE))));
    }

    @Test
    void failureElsewhere_isAFailureOfTheRun() {
        assertEquals(
                ExitStatus.FAILED,
                NodeEnd.status(List.of(ended(0, 0), ended(1, ExitStatus.USAGE))));
    }

    @Test
    void refusedNodesWithoutTheRoot_endWithTheStatusOfTheirOptions() {
        assertEquals(
                ExitStatus.USAGE, NodeEnd.status(List.of(ended(1, ExitStatus.USAGE), ended(2, 0))));
        assertEquals(
                ExitStatus.FAILED,
                NodeEnd.status(List.of(ended(1, ExitStatus.USAGE), ended(2, ExitStatus.FAILED))));
    }

    @Test
    void agentKilledAfterAFailure_changesNothing() {
        assertEquals(
                ExitStatus.FAILED,
                NodeEnd.status(List.of(ended(0, 1), new NodeEnd(ServedNodes.of(1), KILLED, true))));
    }

    @Test
    void agentKilledWhileAllOthersEndedWell_isNodeLost() {
        assertEquals(
                ExitStatus.NODE_LOST,
                NodeEnd.status(List.of(ended(0, 0), new NodeEnd(ServedNodes.of(1), KILLED, true))));
    }

    @Test
    void signal_isNotTheLaunchersOwn() {
        assertEquals(OptionalInt.of(SIGKILL), ended(0, KILLED).signal());
        assertEquals(OptionalInt.empty(), new NodeEnd(ServedNodes.of(0), KILLED, true).signal());
        assertEquals(OptionalInt.empty(), ended(0, ExitStatus.NODE_LOST).signal());
    }

    @Test
    void failure_isOfTheNodeThatASignalEnded() {
        RunFailure failure =
                NodeEnd.failure(
                                List.of(
                                        ended(2, 1),
                                        new NodeEnd(ServedNodes.of(0), KILLED, true),
                                        ended(1, KILLED)))
                        .orElseThrow();

        assertEquals(ExitStatus.NODE_LOST, failure.status());
        assertEquals(OptionalInt.of(1), failure.node());
        assertEquals("its agent was killed by signal 9", failure.cause());
        assertEquals(Optional.empty(), NodeEnd.failure(List.of(ended(0, 0), ended(1, 0))));
    }

    @Test
    void failure_ofAnAgentOfSeveralNodesNamesThem() {
        NodeEnd killed = new NodeEnd(new ServedNodes(0, 3), KILLED, false);

        RunFailure failure = NodeEnd.failure(List.of(killed)).orElseThrow();

        assertEquals(ExitStatus.NODE_LOST, failure.status());
        assertEquals(OptionalInt.empty(), failure.node());
        assertEquals("the agent of nodes 0 to 3 was killed by signal 9", failure.cause());
    }

    private static NodeEnd ended(int node, int exitValue) {
        return new NodeEnd(ServedNodes.of(node), exitValue, false);
    }
}
