package io.muninn.spi;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.ObjectId;
import io.muninn.model.ReadWriteLockId;
import java.util.List;

/**
 * An item that has arrived at the node and must not be delivered before every protocol has
 * performed the acquire. Several acquires may be pending, and they may be performed in any order;
 * two of them may be equal, so an acquire is identified by its instance.
 */
public sealed interface GatedAcquire {
    /**
     * The processes whose threads act on it, among those of the node: only these must see what was
     * released. A token or a permission is first acquired for none, because its next holders are
     * not known.
     */
    default List<MappingId> processes(NodeThreads threads) {
        return switch (this) {
            case Token _, Permission _ -> List.of();
            case Handover(LockId _, MappingId to) -> List.of(to);
            case Local(WaiterId waiter) -> List.of(waiter.mapping());
            case Entry(WaiterId waiter) -> List.of(waiter.mapping());
            case Departure departure ->
                    departure.waiters().stream().map(WaiterId::mapping).distinct().toList();
            case Letter letter -> List.of(letter.waiter().mapping());
            case Call _, Reply _, Refresh _ -> threads.allProcesses();
        };
    }

    /** A lock's token has arrived. */
    record Token(LockId lock) implements GatedAcquire {}

    /**
     * A lock is handed to a process of this node that has seen less than its last holder.
     *
     * @param to process of the thread that waits for longest
     */
    record Handover(LockId lock, MappingId to) implements GatedAcquire {}

    /** A thread has taken a lock in shared memory; see {@link Event.LocalAcquireCalled}. */
    record Local(WaiterId waiter) implements GatedAcquire {}

    /** Permission to read or to write under a reader-writer lock has arrived. */
    record Permission(ReadWriteLockId lock) implements GatedAcquire {}

    /**
     * A thread enters a reader-writer lock for which its node has permission, and its process has
     * seen less than the node.
     */
    record Entry(WaiterId waiter) implements GatedAcquire {}

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
