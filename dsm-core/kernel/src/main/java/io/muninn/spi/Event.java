package io.muninn.spi;

import io.muninn.api.Mode;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.model.PageId;
import io.muninn.wire.WireMessage;
import java.util.List;

/**
 * What can happen to a node. Time is data: the events that need it carry {@code nowNanos}, from any
 * origin, never going back.
 */
public sealed interface Event {
    /** A thread asks for something and waits; it gets an answer whatever becomes of that. */
    sealed interface Waiting extends Event {
        WaiterId waiter();
    }

    /**
     * A thread of an application process stopped at a page.
     *
     * @param thread which one, and how far it had come
     */
    record FaultRaised(
            MappingId mapping, PageId page, FaultKind kind, ThreadMark thread, long nowNanos)
            implements Event {}

    /**
     * A program is about to use {@code count} pages from {@code first}, all of one region. It waits
     * for nothing, and protocols may ignore it.
     *
     * @param mode whether it will load only, or store too
     */
    record PrefetchCalled(MappingId mapping, PageId first, int count, Mode mode) implements Event {}

    /**
     * A program tells how {@code count} pages from {@code first}, all of one region, are read to
     * which this node stores. It waits for nothing.
     */
    record Advised(PageId first, int count, PageAdvice advice) implements Event {}

    /**
     * A thread wants a lock and did not find it free in shared memory.
     *
     * @param timeoutNanos how long it waits; negative waits for ever
     */
    record AcquireCalled(WaiterId waiter, LockId lock, long timeoutNanos) implements Waiting {}

    /** The waiter's thread was interrupted; it gets an answer whatever became of its wait. */
    record AcquireCancelled(WaiterId waiter, LockId lock) implements Event {}

    /** A thread releases a lock that others wait for; the lock word is the agent's again. */
    record ReleaseCalled(LockId lock) implements Event {}

    /** Some lock was released inside the node since {@link Effect.WatchReleases}. */
    record ReleaseNoticed() implements Event {}

    /**
     * A thread arrives at a barrier.
     *
     * @param parties threads that must arrive; {@link #ALL_PARTIES} for all of the cluster's
     * @param timeoutNanos how long it waits; negative waits for ever
     * @param contribution to the round's reduction, encoded; empty if the thread has none
     */
    record BarrierReached(
            WaiterId waiter, BarrierId barrier, int parties, long timeoutNanos, Bytes contribution)
            implements Waiting {
        /** Without a contribution. */
        public BarrierReached(WaiterId waiter, BarrierId barrier, int parties, long timeoutNanos) {
            this(waiter, barrier, parties, timeoutNanos, Bytes.EMPTY);
        }
    }

    int ALL_PARTIES = 0;

    /**
     * A thread waits until all other parties have arrived at a barrier. They go on waiting, until
     * it arrives, too.
     *
     * @param parties as at its arrival
     */
    record GatherCalled(WaiterId waiter, BarrierId barrier, int parties) implements Waiting {}

    /** A thread that holds the lock of a condition wants to wait, and gives the lock up then. */
    record WaitCalled(WaiterId waiter, ConditionId condition) implements Waiting {}

    /**
     * A thread has given up the lock and waits for the signal.
     *
     * @param timeoutNanos how long it waits; negative waits for ever
     */
    record SignalAwaited(WaiterId waiter, ConditionId condition, long timeoutNanos)
            implements Waiting {}

    /** The waiter's thread was interrupted; it gets an answer whatever became of its wait. */
    record SignalAwaitCancelled(WaiterId waiter) implements Event {}

    /** A thread that holds the lock of a condition wakes the oldest waiter, or all. */
    record SignalCalled(WaiterId waiter, ConditionId condition, boolean all) implements Waiting {}

    /** A thread sends bytes to a node, which may be its own. */
    record SendCalled(WaiterId waiter, NodeId to, int tag, Bytes body) implements Waiting {}

    /**
     * A thread wants the next bytes with a tag.
     *
     * @param from the sender's node, or {@link #ANY_NODE}
     */
    record ReceiveCalled(WaiterId waiter, int from, int tag, long timeoutNanos)
            implements Waiting {}

    int ANY_NODE = -1;

    /** A thread wants to see what the threads of all other nodes have stored so far. */
    record RefreshCalled(WaiterId waiter) implements Waiting {}

    /** What happens around shipped objects, but for messages. */
    sealed interface Shipping extends Event {}

    /**
     * The application knows a shipped object from now on.
     *
     * @param node serves it
     * @param fingerprint equal on all nodes that mean the same
     * @param text interface and node, for a person
     */
    record ObjectDeclared(ObjectId object, NodeId node, long fingerprint, String text)
            implements Shipping {}

    /** A thread calls an object, of another node or by its server, and waits for the reply. */
    record ShipCalled(WaiterId waiter, ObjectId object, NodeId to, long fingerprint, Bytes request)
            implements Shipping, Waiting {}

    /**
     * A thread calls an object of any node and goes on as soon as the call is accepted.
     *
     * @param number the application's own, to tell replies apart
     */
    record PostCalled(
            WaiterId waiter,
            long number,
            ObjectId object,
            NodeId to,
            long fingerprint,
            Bytes request)
            implements Shipping, Waiting {}

    /** The thread that completes posted calls wants the next reply. */
    record ReplyAwaited(WaiterId waiter) implements Shipping, Waiting {}

    /** The thread that serves an object wants the next call. */
    record ServeCalled(WaiterId waiter, ObjectId object) implements Shipping, Waiting {}

    /** That thread has run the call it got. */
    record CallServed(ObjectId object, Bytes reply) implements Shipping {}

    /**
     * A region exists from now on; every node adds it before any thread can touch it.
     *
     * @param isAllocated the program allocates it while it runs: the root does not initialize it,
     *     and its content is zeros on all nodes
     */
    record RegionAdded(RegionSpec region, boolean isAllocated) implements Event {
        /** A region that the root initializes. */
        public RegionAdded(RegionSpec region) {
            this(region, false);
        }
    }

    /** The root's initialization is over. */
    record Sealed(WaiterId waiter) implements Waiting {}

    /**
     * Result of {@link Effect.Withdraw}, an outside event of its own: {@code count} pages from
     * {@code first} have no access now, but for the refused ones; their content is kept, and so are
     * twins. {@link TwinMade} has been delivered before for each of them of which a trap has made
     * the twin.
     *
     * @param refused in order: pages whose access is as before, because a thread's trap is between
     *     the twin that it has made and the store
     */
    record AccessWithdrawn(MappingId mapping, PageId first, int count, List<PageId> refused)
            implements Event {
        public AccessWithdrawn {
            refused = List.copyOf(refused);
        }
    }

    /** A message came from another node, or from this one to itself. */
    record MessageArrived(NodeId from, WireMessage message, long nowNanos) implements Event {}

    record TimerFired(TimerId timer, long nowNanos) implements Event {}

    /**
     * Result of {@link Effect.SaveDiff}.
     *
     * @param granules changed granules; 0 when the page equals its twin
     * @param bytes length of the encoded diff
     * @param kept the page is writable, and what was compared is its twin now. So it is if that was
     *     asked for, and may be so if not: when a thread that stores to the page is between the
     *     twin that its trap has made and the store.
     */
    record DiffSaved(PageId page, long interval, int granules, int bytes, boolean kept)
            implements Event {}

    /**
     * A thread's own trap has made a page's twin and lets the thread store; the page was readable.
     * The trap has also asked to be told of the next release, as {@link Effect.WatchReleases} does.
     * Delivered before anything that comes of the store, and before what else comes of that page.
     *
     * <p>A page may have its twin already: it was protected when a trap was about to let its thread
     * store, and is writable again.
     */
    record TwinMade(MappingId mapping, PageId page, long nowNanos) implements Event {}

    /**
     * Result of {@link Effect.FindRaces}, if there are any.
     *
     * @param from who sent the diff
     * @param races that were not told before
     */
    record RacesFound(PageId page, NodeId from, List<Race> races) implements Event {
        public RacesFound {
            races = List.copyOf(races);
        }
    }

    /**
     * Result of {@link Effect.ReclaimLock}.
     *
     * @param taken true: the lock was free and is the agent's now; false: a thread holds it and its
     *     release will call
     */
    record LockReclaimed(LockId lock, boolean taken) implements Event {}

    /**
     * Whether threads may have stored since the outside event of this step, though nothing was done
     * to their pages: a lock was lent to them until now. Whoever gets it next has to see these
     * stores, so the kernel hears first of the twins that traps have made meanwhile.
     */
    default boolean followsStores() {
        return this instanceof LockReclaimed;
    }

    /** A node is gone for good. */
    record PeerLost(NodeId node, String reason) implements Event {}
}
