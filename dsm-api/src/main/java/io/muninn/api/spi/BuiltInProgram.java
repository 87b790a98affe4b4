package io.muninn.api.spi;

import io.muninn.api.DsmProgram;
import java.util.List;

/**
 * A program that runs by a short name, as in {@code ./dsm run mult}; found by {@link
 * java.util.ServiceLoader}. Every node creates its own instance from the same options.
 */
public interface BuiltInProgram {
    /** Its name on the command line: lower-case letters, unique. */
    String name();

    /** One line for the list of programs. */
    String summary();

    /** The options it takes, one per line: syntax, meaning and default. */
    String usage();

    /** The versions {@code --version} chooses from, the default first; at least one. */
    List<String> versions();

    /** Whether it takes {@code --prefetch on}, and may hide latency by more threads. */
    default boolean hidesLatency() {
        return false;
    }

    /**
     * Creates a program with these options, for one run.
     *
     * @param options the words after the program's name, as in {@code --rows 512}
     * @throws IllegalArgumentException if an option is unknown or its value out of range; the text
     *     is for the user
     */
    DsmProgram create(List<String> options);

    /**
     * Checks that the program can run on a cluster of this size, before any node is started. Most
     * programs run on any.
     *
     * @param options as for {@link #create}, which has accepted them
     * @param nodes of the cluster, at least 1
     * @param threads per node, at least 1
     * @throws IllegalArgumentException if it cannot; the text is for the user
     */
    default void checkCluster(List<String> options, int nodes, int threads) {}
}
