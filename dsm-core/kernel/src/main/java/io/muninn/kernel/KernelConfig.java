package io.muninn.kernel;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.UpdateRules;

/**
 * What a kernel must know of its cluster.
 *
 * @param nodes 1 to {@link NodeId#NODES_MAX}
 * @param threads application threads per node, the same on every node
 * @param holdNanos how long a page just obtained is kept from others
 * @param flushDelayNanos how long after a release inside the node its stores are flushed at the
 *     latest
 * @param updates how updates travel, and how long an unused copy is kept
 * @param twins when a write-shared page keeps its twin
 * @param checksRaces whether overlapping stores of several nodes are reported
 */
public record KernelConfig(
        NodeId self,
        int nodes,
        int threads,
        long holdNanos,
        long flushDelayNanos,
        UpdateRules updates,
        AdaptiveTwinRules twins,
        boolean checksRaces) {
    /** With the usual twins, and without a look at races. */
    public KernelConfig(
            NodeId self,
            int nodes,
            int threads,
            long holdNanos,
            long flushDelayNanos,
            UpdateRules updates) {
        this(
                self,
                nodes,
                threads,
                holdNanos,
                flushDelayNanos,
                updates,
                AdaptiveTwinRules.DEFAULT,
                false);
    }

    public KernelConfig {
        if (nodes < 1 || nodes > NodeId.NODES_MAX || self.index() >= nodes) {
            throw new IllegalArgumentException("node " + self + " of " + nodes);
        }
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads");
        }
    }

    /** The node's application process: one on each node. */
    public MappingId application() {
        return MappingId.ONLY;
    }
}
