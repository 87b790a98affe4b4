package io.muninn.sync;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.VectorTimestamp;
import java.util.Set;
import java.util.SortedMap;

/** Collects the cargo of synchronization messages. */
public interface CargoHold {
    Cargo onLockRequest(LockId lock, Effects out);

    Cargo onGrant(LockId lock, NodeId to, Cargo request, Effects out);

    /** Returns the cargo of other messages to a node, which may be this one. */
    Cargo onSend(NodeId to, Effects out);

    /**
     * Returns the cargo for the root that it lacks, in a collection. Its timestamp covers the
     * intervals whose cargo this node holds; of its own intervals, those whose release is
     * performed.
     */
    Cargo onHave(Effects out);

    /**
     * On the root, in a collection: returns the cargo of some intervals that a node, which may be
     * this one, lacks.
     */
    Cargo onCollect(NodeId to, VectorTimestamp upTo, Effects out);

    /**
     * Returns the cargo of some intervals that a node, which may be this one, lacks. It was
     * received with other messages; this node need not have acquired it.
     */
    Cargo onRelay(NodeId to, VectorTimestamp upTo, Effects out);

    /** The timestamp in the cargo; zero if there is none. */
    VectorTimestamp timestamp(Cargo cargo);

    /** Records an arrival's cargo at the manager, also for a barrier that breaks. */
    void onArrival(BarrierId barrier, Cargo arrival);

    /**
     * Returns the cargo for each node that has arrived, in order of node; called at the manager.
     */
    SortedMap<NodeId, Cargo> onBarrierComplete(BarrierId barrier, Set<NodeId> nodes, Effects out);
}
