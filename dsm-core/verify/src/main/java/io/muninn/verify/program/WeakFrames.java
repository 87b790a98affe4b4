package io.muninn.verify.program;

import io.muninn.model.NodeId;
import io.muninn.pool.PoolLayout;
import java.util.Locale;

/** Where the frames of weak pages are. */
public enum WeakFrames {
    /** At the homes, and all is sent by messages. */
    HOMES,
    /** In memory that all nodes address. */
    POOL,
    /** In memory that the nodes of a host address, on each of several hosts. */
    POOLS;

    /** Its name in commands. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The largest number of nodes that can have such pages. */
    int nodesMax() {
        return this == HOMES ? NodeId.NODES_MAX : PoolLayout.POOL_NODES_MAX;
    }
}
