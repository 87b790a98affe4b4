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
     * Checks a number of processes per node.
     *
     * @throws IllegalArgumentException as {@link #require}
     */
    public static void requireProcesses(int processes, int nodes) {
        require("--processes", processes, 1, MappingId.PROCESSES_MAX);
        if (nodes * processes > NodeId.NODES_MAX) {
            throw new IllegalArgumentException(
                    nodes
                            + " nodes of "
                            + processes
                            + " processes are more than the "
                            + NodeId.NODES_MAX
                            + " that a program can see");
        }
    }
}
