package io.muninn.sync;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.VectorTimestamp;
import java.util.Set;
import java.util.SortedMap;

/** Collects what is sent along with synchronization. */
public interface CargoHold {
    Cargo onLockRequest(LockId lock, Effects out);

    Cargo onGrant(LockId lock, NodeId to, Cargo request, Effects out);

    /** For whatever else is sent to a node, which may be this one. */
    Cargo onSend(NodeId to, Effects out);

    /**
     * For the root, in a collection: what it lacks, with a timestamp that covers the intervals
     * whose cargo this node holds, of its own those whose release is performed.
     */
    Cargo onHave(Effects out);

    /**
     * On the root, in a collection: what a node, which may be this one, lacks of some intervals.
     */
    Cargo onCollect(NodeId to, VectorTimestamp upTo, Effects out);

    /** The timestamp that came with cargo; zero if none did. */
    VectorTimestamp timestamp(Cargo cargo);

    /** At the manager, for every arrival, whatever becomes of the barrier. */
    void onArrival(BarrierId barrier, Cargo arrival);

    /** At the manager: cargo for each node that has arrived, in order of node. */
    SortedMap<NodeId, Cargo> onBarrierComplete(BarrierId barrier, Set<NodeId> nodes, Effects out);
}
