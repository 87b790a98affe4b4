package io.muninn.agent.lifecycle;

import io.muninn.report.RunFailure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The end of an agent, or of one of its nodes.
 *
 * @param nodes that have ended
 * @param exitValue as the JVM reports it: 128 plus the signal's number after a signal
 * @param killed true if it was ended by force after its grace period
 */
public record NodeEnd(ServedNodes nodes, int exitValue, boolean killed) {
    private static final int SIGNAL_BASE = 128;

    /** The signal that ended the agent, unless the launcher sent it. */
    public OptionalInt signal() {
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
    public static int status(List<NodeEnd> endings) {
        if (endings.stream().anyMatch(NodeEnd::tellsOfLoss)) {
            return ExitStatus.NODE_LOST;
        }
        if (endings.stream().anyMatch(NodeEnd::failed)) {
            return endings.stream()
                    .filter(ending -> ending.nodes().hasRoot() && ending.failed())
                    .mapToInt(NodeEnd::exitValue)
                    .findFirst()
                    .orElse(areAllRefused(endings) ? ExitStatus.USAGE : ExitStatus.FAILED);
        }
        return endings.stream().anyMatch(NodeEnd::killed) ? ExitStatus.NODE_LOST : ExitStatus.OK;
    }

    /** True if these are no nodes of the root's agent, and their options did not fit the run. */
    private static boolean areAllRefused(List<NodeEnd> endings) {
        return endings.stream().noneMatch(ending -> ending.nodes().hasRoot())
                && endings.stream()
                        .filter(NodeEnd::failed)
                        .allMatch(ending -> ending.exitValue() == ExitStatus.USAGE);
    }

    /** The failure of a run, as far as it is visible from outside its nodes. */
    public static Optional<RunFailure> failure(List<NodeEnd> endings) {
        int status = status(endings);
        if (status == ExitStatus.OK) {
            return Optional.empty();
        }
        NodeEnd first =
                endings.stream()
                        .filter(ending -> ending.signal().isPresent())
                        .findFirst()
                        .or(() -> endings.stream().filter(NodeEnd::failed).findFirst())
                        .orElseGet(
                                () -> endings.stream().filter(NodeEnd::killed).findFirst().get());
        return Optional.of(new RunFailure(status, first.nodes().only(), first.description()));
    }

    private String description() {
        String agent = nodes.only().isPresent() ? nodes.agent() : "the agent of " + nodes;
        if (killed) {
            return agent + " did not end with the run";
        }
        return signal().isPresent()
                ? agent + " was killed by signal " + signal().getAsInt()
                : agent + " ended with status " + exitValue + "; standard error says why";
    }
}
