package io.muninn.api.service;

import io.muninn.api.spi.Layout;

/**
 * The place of a node in its cluster, and the memory that was declared.
 *
 * @param node this node, 0 to {@code nodes} - 1
 * @param nodes in the cluster, at least 1
 * @param threads application threads per node, at least 1
 * @param declared the layout in force for the declared variables
 */
public record NodeShape(int node, int nodes, int threads, Layout declared) {
    /** Application threads of the cluster. */
    public int positions() {
        return nodes * threads;
    }
}
