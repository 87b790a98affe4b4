package io.muninn.sim.app;

import io.muninn.link.EventRemotes;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.sim.SimNode;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;

/**
 * The remote variables of one simulated process. It accesses words of its own node directly: every
 * simulated node has an agent of its own.
 */
final class SimRemoteLink extends EventRemotes {
    private final AppCluster cluster;
    private final SimNode node;
    private final NodeThreads threads;

    SimRemoteLink(AppCluster cluster, SimNode node, NodeThreads threads) {
        super(cluster::current);
        this.cluster = cluster;
        this.node = node;
        this.threads = threads;
    }

    @Override
    public MemorySegment memory() {
        return node.remotes().memory();
    }

    @Override
    public boolean isDirect(int home) {
        return threads.nodeOf(NodeId.of(home)).equals(node.id());
    }

    @Override
    public void accesses() {
        node.count(NodeCounter.REMOTE_DIRECT, 1);
        cluster.current().chargeAtomic();
    }
}
