package io.muninn.spi;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ReadWriteLockId;

/**
 * A message that is about to leave the node. It must not leave before every dirty page is flushed
 * and every update that the node has sent is acknowledged.
 */
public sealed interface GatedRelease {
    /** A lock's token passes to another node. */
    record Token(LockId lock, NodeId to) implements GatedRelease {}

    /** The permission to write under a reader-writer lock is returned to its manager. */
    record Permission(ReadWriteLockId lock) implements GatedRelease {}

    /**
     * This node's arrivals at a barrier.
     *
     * @param timed number of arrivals that wait with a time limit
     * @param isForAll whether the barrier waits for all threads of the cluster
     * @param contributions of these threads to the round's reduction; empty if they have none
     */
    record Arrival(BarrierId barrier, int count, int timed, boolean isForAll, Bytes contributions)
            implements GatedRelease {
        /** Arrivals at a barrier for all threads. */
        public Arrival(BarrierId barrier, int count, int timed, Bytes contributions) {
            this(barrier, count, timed, true, contributions);
        }

        /** Without contributions. */
        public Arrival(BarrierId barrier, int count, int timed) {
            this(barrier, count, timed, Bytes.EMPTY);
        }
    }

    /** A thread's signal to the waiters of a condition. */
    record Signal(WaiterId waiter, ConditionId condition, boolean all) implements GatedRelease {}

    /** A program's message. */
    record Letter(WaiterId waiter, NodeId to, int tag, Bytes body) implements GatedRelease {}

    /**
     * A shipped call.
     *
     * @param number of this node's calls
     */
    record Call(long number) implements GatedRelease {}

    /**
     * The reply to a shipped call.
     *
     * @param number of the caller's calls
     */
    record Reply(NodeId to, long number, Bytes reply) implements GatedRelease {}

    /**
     * The reply to another node's refresh.
     *
     * @param number of that node's refreshes
     */
    record Refresh(NodeId to, long number) implements GatedRelease {}

    /**
     * The list of this node's intervals, for a collection of lazy data.
     *
     * @param number of the collection
     */
    record Collection(long number) implements GatedRelease {}

    /**
     * A release without a message, because the delay after a release inside the node has elapsed.
     */
    record Elapsed() implements GatedRelease {}
}
