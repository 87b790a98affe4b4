package io.muninn.spi;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import java.util.List;

/**
 * An item that has arrived at the node and must not be delivered before every protocol has
 * performed the acquire. Several acquires may be pending, and they may be performed in any order;
 * two of them may be equal, so an acquire is identified by its instance.
 */
public sealed interface GatedAcquire {
    /** A lock's token has arrived. */
    record Token(LockId lock) implements GatedAcquire {}

    /**
     * A barrier has completed.
     *
     * @param waiters of this node that depart, the oldest first
     * @param result of the round's reduction; empty if there was none
     */
    record Departure(BarrierId barrier, List<WaiterId> waiters, Bytes result)
            implements GatedAcquire {
        public Departure {
            waiters = List.copyOf(waiters);
        }
    }

    /**
     * Another node's shipped call has arrived.
     *
     * @param number of that node's calls
     */
    record Call(NodeId from, ObjectId object, long number) implements GatedAcquire {}

    /**
     * The reply to a shipped call has arrived.
     *
     * @param number of this node's calls
     */
    record Reply(NodeId from, long number, Bytes reply) implements GatedAcquire {}

    /**
     * A thread receives another node's message of the program, which may have arrived long before.
     */
    record Letter(WaiterId waiter, NodeId from, Bytes body) implements GatedAcquire {}

    /**
     * Another node's reply to a refresh has arrived.
     *
     * @param number of this node's refreshes
     */
    record Refresh(NodeId from, long number) implements GatedAcquire {}
}
