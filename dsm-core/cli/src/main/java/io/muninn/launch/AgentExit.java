package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.report.RunFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The end of a node's agent.
 *
 * @param node the node, 0-based
 * @param exitValue as the JVM reports it: 128 plus the signal's number after a signal
 * @param killed true if the launcher killed it after its grace period
 */
record AgentExit(int node, int exitValue, boolean killed) {
    private static final int SIGNAL_BASE = 128;

    /** The signal that ended the agent, unless the launcher sent it. */
    OptionalInt signal() {
        return exitValue > SIGNAL_BASE && !killed
                ? OptionalInt.of(exitValue - SIGNAL_BASE)
                : OptionalInt.empty();
    }

    private boolean tellsOfLoss() {
        return !killed && (exitValue > SIGNAL_BASE || exitValue == ExitStatus.NODE_LOST);
    }

    private boolean failed() {
        return !killed && exitValue != 0;
    }

    /**
     * The status of the run: a lost node takes precedence over a failure, and a failure over an
     * agent that the launcher had to kill, because the failure came first. An agent that had to be
     * killed while all others ended successfully is a lost node.
     */
    static int status(List<AgentExit> endings) {
        if (endings.stream().anyMatch(AgentExit::tellsOfLoss)) {
            return ExitStatus.NODE_LOST;
        }
        if (endings.stream().anyMatch(AgentExit::failed)) {
            return endings.stream()
                    .filter(ending -> ending.node() == 0 && ending.failed())
                    .mapToInt(AgentExit::exitValue)
                    .findFirst()
                    .orElse(ExitStatus.FAILED);
        }
        return endings.stream().anyMatch(AgentExit::killed) ? ExitStatus.NODE_LOST : ExitStatus.OK;
    }

    /** The failure of a run, as far as it is visible from outside its nodes. */
    static Optional<RunFailure> failure(List<AgentExit> endings) {
        int status = status(endings);
        if (status == ExitStatus.OK) {
            return Optional.empty();
        }
        AgentExit first =
                endings.stream()
                        .filter(ending -> ending.signal().isPresent())
                        .findFirst()
                        .or(() -> endings.stream().filter(AgentExit::failed).findFirst())
                        .orElseGet(
                                () -> endings.stream().filter(AgentExit::killed).findFirst().get());
        return Optional.of(
                new RunFailure(status, OptionalInt.of(first.node()), first.description()));
    }

    private String description() {
        if (killed) {
            return "its agent did not end with the run";
        }
        return signal().isPresent()
                ? "its agent was killed by signal " + signal().getAsInt()
                : "its agent ended with status " + exitValue + "; standard error says why";
    }
}
