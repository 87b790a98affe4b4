package io.muninn.launch.option;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;

/** Range checks of numbers that are given by options. */
public final class Ranges {
    private Ranges() {}

    /**
     * @throws IllegalArgumentException if the value is not within the range; the text is for the
     *     user
     */
    public static void require(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    option + " " + value + " is outside the range " + min + " to " + max);
        }
    }

    /**
     * Checks the number of nodes of a live run.
     *
     * @throws IllegalArgumentException as {@link #require}; beyond the limit it says why
     */
    public static void requireLive(String option, long nodes) {
        if (nodes > NodeId.LIVE_MAX && nodes <= NodeId.NODES_MAX) {
            throw new IllegalArgumentException(
                    option
                            + " "
                            + nodes
                            + ": a live run has at most "
                            + NodeId.LIVE_MAX
                            + " nodes, because its messages and pools have a set of nodes in one"
                            + " word of 64 bits; dsm sim runs up to "
                            + NodeId.NODES_MAX);
        }
        require(option, nodes, 1, NodeId.LIVE_MAX);
    }

    /**
     * Checks a number of processes per node.
     *
     * @param most nodes that a program can see
     * @throws IllegalArgumentException as {@link #require}
     */
    public static void requireProcesses(int processes, int nodes, int most) {
        require("--processes", processes, 1, MappingId.PROCESSES_MAX);
        if (nodes * processes > most) {
            throw new IllegalArgumentException(
                    nodes
                            + " nodes of "
                            + processes
                            + " processes are more than the "
                            + most
                            + " that a program can see");
        }
    }
}
