package io.muninn.sim;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Hosts;
import java.util.Objects;
import java.util.TreeMap;

/** The pools of all hosts. */
public final class SimPools {
    private final Hosts hosts;
    private final TreeMap<NodeId, SimPool> pools = new TreeMap<>(); // by first node

    SimPools(Simulation simulation) {
        hosts = simulation.cluster().hosts();
        hosts.firsts().forEach(first -> pools.put(first, new SimPool(simulation, first)));
    }

    /** The pool of the host of a node. */
    SimPool of(NodeId node) {
        return Objects.requireNonNull(pools.get(hosts.of(node)));
    }

    /** The pool with the frame of a page, and its part of the map. */
    public SimPool of(PageId page) {
        return of(pools.firstEntry().getValue().hostOf(page));
    }
}
