package io.muninn.protocol;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;

/**
 * What is about to leave the node, and must not leave before everything dirty is flushed and every
 * update that the node has sent is acknowledged.
 */
public sealed interface Leaving {
    /** A lock's token passes to another node. */
    record Token(LockId lock, NodeId to) implements Leaving {}

    /**
     * This node's arrivals at a barrier.
     *
     * @param timed how many of them wait with a time limit
     */
    record Arrival(BarrierId barrier, int count, int timed) implements Leaving {}

    /** A thread's signal to who waits for a condition. */
    record Signal(WaiterId waiter, ConditionId condition, boolean all) implements Leaving {}

    /** A program's message. */
    record Letter(WaiterId waiter, NodeId to, int tag, Bytes body) implements Leaving {}

    /**
     * A shipped call.
     *
     * @param number of this node's calls
     */
    record Call(long number) implements Leaving {}

    /**
     * The reply to a shipped call.
     *
     * @param number of the caller's calls
     */
    record Reply(NodeId to, long number, Bytes reply) implements Leaving {}

    /** Nothing leaves; the time of a release inside the node is up. */
    record Elapsed() implements Leaving {}
}
