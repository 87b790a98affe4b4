package io.muninn.api;

/**
 * The size of a run. It is known while a program is constructed, so that the shapes of its
 * variables, and their number, can depend on it; see {@link Dsm#cluster}.
 *
 * @param nodes as {@link DsmNode#nodes}, at least 1
 * @param threads application threads per node, as {@link DsmNode#threads}, at least 1
 */
public record Cluster(int nodes, int threads) {
    /**
     * @throws IllegalArgumentException if there are no nodes or no threads
     */
    public Cluster {
        if (nodes < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "a cluster of " + nodes + " nodes of " + threads + " threads: at least 1 each");
        }
    }

    /** Application threads of all nodes, as {@link DsmNode#positions}. */
    public int positions() {
        return nodes * threads;
    }
}
