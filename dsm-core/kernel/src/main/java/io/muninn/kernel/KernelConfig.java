package io.muninn.kernel;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.UpdateRules;

/**
 * The configuration of a kernel for its cluster.
 *
 * @param nodes 1 to {@link NodeId#NODES_MAX}
 * @param threads application threads of a node, the same on every node
 * @param holdNanos time for which a page just obtained is not surrendered
 * @param flushDelayNanos longest time from a release inside the node to the flush of its stores
 * @param updates how updates are sent, and how long an unused copy is kept
 * @param twins when a write-shared page keeps its twin
 * @param checksRaces whether overlapping stores of several nodes are reported
 */
public record KernelConfig(
        NodeId self,
        int nodes,
        NodeThreads threads,
        long holdNanos,
        long flushDelayNanos,
        UpdateRules updates,
        AdaptiveTwinRules twins,
        boolean checksRaces) {
    /** With one process on each node, the default twin rules, and without race checks. */
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
                new NodeThreads(1, threads),
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
        if (threads.perProcess() < 1) {
            throw new IllegalArgumentException(threads.perProcess() + " threads");
        }
    }
}
