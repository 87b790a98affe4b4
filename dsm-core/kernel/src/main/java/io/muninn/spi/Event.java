package io.muninn.spi;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.remote.WordCondition;
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
import io.muninn.model.ReadWriteLockId;
import io.muninn.wire.WireMessage;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * An input of a node's kernel. Time is data: the events that need it carry {@code nowNanos}, from
 * any origin, never decreasing.
 */
public sealed interface Event {
    /** A call of a thread that waits; it is always answered, also if its wait is cancelled. */
    sealed interface Waiting extends Event {
        WaiterId waiter();

        /** The counter of the time that threads wait in such calls; empty if there is none. */
        default Optional<NodeCounter> time() {
            return switch (this) {
                case AcquireCalled call when ObjectId.isTurn(call.lock()) ->
                        Optional.of(NodeCounter.CALL_NANOS);
                case AcquireCalled _, LocalAcquireCalled _ -> Optional.of(NodeCounter.LOCK_NANOS);
                case PermissionCalled _, LocalReadCalled _ -> Optional.of(NodeCounter.LOCK_NANOS);
                case BarrierReached call when ReservedBarriers.isReserved(call.barrier()) ->
                        Optional.empty();
                case BarrierReached _, GatherCalled _ -> Optional.of(NodeCounter.BARRIER_NANOS);
                case SignalAwaited _ -> Optional.of(NodeCounter.CONDITION_NANOS);
                case ReceiveCalled _ -> Optional.of(NodeCounter.RECEIVE_NANOS);
                case ShipCalled _, PostCalled _ -> Optional.of(NodeCounter.CALL_NANOS);
                case ReplyAwaited _, ServeCalled _ -> Optional.empty();
                case WaitCalled _, SignalCalled _, SendCalled _, RefreshCalled _, Sealed _ ->
                        Optional.empty();
                case RemoteCalled _, RemotePosted _, RemoteAwaited _, FenceCalled _ ->
                        Optional.empty();
            };
        }

        /** The event that ends the wait when its thread is interrupted; empty if there is none. */
        default Optional<Event> cancellation() {
            return switch (this) {
                case AcquireCalled(WaiterId waiter, LockId lock, long _) ->
                        Optional.of(new AcquireCancelled(waiter, lock));
                case SignalAwaited call -> Optional.of(new SignalAwaitCancelled(call.waiter()));
                case PermissionCalled call ->
                        Optional.of(new PermissionCancelled(call.waiter(), call.lock()));
                default -> Optional.empty();
            };
        }
    }

    /**
     * A thread of an application process stopped at a page.
     *
     * @param thread identifies the thread and its progress
     */
    record FaultRaised(
            MappingId mapping, PageId page, FaultKind kind, ThreadMark thread, long nowNanos)
            implements Event {}

    /**
     * A program is about to use {@code count} pages from {@code first}, all of one region. It does
     * not wait, and protocols may ignore it.
     *
     * @param mode whether it will load only, or store too
     */
    record PrefetchCalled(MappingId mapping, PageId first, int count, Mode mode) implements Event {}

    /**
     * A program gives advice about the readers of {@code count} pages from {@code first}, all of
     * one region, to which this node stores. It does not wait.
     */
    record Advised(PageId first, int count, PageAdvice advice) implements Event {}

    /**
     * A thread requests a lock that it did not find free in shared memory.
     *
     * @param timeoutNanos longest wait; negative for no limit
     */
    record AcquireCalled(WaiterId waiter, LockId lock, long timeoutNanos) implements Waiting {}

    /**
     * The waiter's thread was interrupted; its call is answered whether the wait has ended or not.
     */
    record AcquireCancelled(WaiterId waiter, LockId lock) implements Event {}

    /**
     * A thread of a process releases a lock for which others wait; the lock word belongs to the
     * agent again.
     */
    record ReleaseCalled(MappingId process, LockId lock) implements Event {}

    /**
     * A thread has taken a lock in shared memory whose last holder had seen more than the thread's
     * process. It may go on when its process has seen that, too.
     *
     * @param releaser the process of that holder; {@link MappingId#ALL} if the agent has lent the
     *     lock since
     */
    record LocalAcquireCalled(WaiterId waiter, LockId lock, MappingId releaser)
            implements Waiting {}

    /** An event of reader-writer locks, except messages. */
    sealed interface Permitting extends Event {
        ReadWriteLockId lock();
    }

    /**
     * A thread requests a reader-writer lock that it could not enter in shared memory.
     *
     * @param timeoutNanos longest wait; negative for no limit
     */
    record PermissionCalled(
            WaiterId waiter, ReadWriteLockId lock, boolean toWrite, long timeoutNanos)
            implements Permitting, Waiting {}

    /**
     * The waiter's thread was interrupted; its call is answered whether the wait has ended or not.
     */
    record PermissionCancelled(WaiterId waiter, ReadWriteLockId lock) implements Permitting {}

    /**
     * A reader has entered in shared memory, and its process has seen less than the lock's mark
     * demands. It may go on when its process has seen that, too.
     */
    record LocalReadCalled(WaiterId waiter, ReadWriteLockId lock) implements Permitting, Waiting {}

    /**
     * The writer of a process releases its lock.
     *
     * @param keepsReading it has entered as a reader before, in the closed word
     */
    record WriteReleased(MappingId process, ReadWriteLockId lock, boolean keepsReading)
            implements Permitting {}

    /** The last reader has left a closed word, some time ago. */
    record ReadersLeft(ReadWriteLockId lock) implements Permitting {}

    /**
     * Result of {@link Effect.CloseReaders}.
     *
     * @param readers that are inside
     */
    record ReadersClosed(ReadWriteLockId lock, int readers) implements Permitting {}

    /** Some lock was released inside the node since {@link Effect.WatchReleases}. */
    record ReleaseNoticed() implements Event {}

    /**
     * A thread arrives at a barrier.
     *
     * @param parties threads that must arrive; {@link #ALL_PARTIES} for all of the cluster's
     * @param timeoutNanos longest wait; negative for no limit
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
     * A thread waits until all other parties have arrived at a barrier. They continue to wait until
     * it arrives, too.
     *
     * @param parties as at its arrival
     */
    record GatherCalled(WaiterId waiter, BarrierId barrier, int parties) implements Waiting {}

    /**
     * A thread that holds the lock of a condition enters its queue; it releases the lock
     * afterwards.
     */
    record WaitCalled(WaiterId waiter, ConditionId condition) implements Waiting {}

    /**
     * A thread has released the lock and waits for the signal.
     *
     * @param timeoutNanos longest wait; negative for no limit
     */
    record SignalAwaited(WaiterId waiter, ConditionId condition, long timeoutNanos)
            implements Waiting {}

    /**
     * The waiter's thread was interrupted; its call is answered whether the wait has ended or not.
     */
    record SignalAwaitCancelled(WaiterId waiter) implements Event {}

    /** A thread that holds the lock of a condition wakes the oldest waiter, or all. */
    record SignalCalled(WaiterId waiter, ConditionId condition, boolean all) implements Waiting {}

    /** A thread sends bytes to a node, which may be its own. */
    record SendCalled(WaiterId waiter, NodeId to, int tag, Bytes body) implements Waiting {}

    /**
     * A thread receives the next bytes with a tag.
     *
     * @param from the sender's node, or {@link #ANY_NODE}
     */
    record ReceiveCalled(WaiterId waiter, int from, int tag, long timeoutNanos)
            implements Waiting {}

    int ANY_NODE = -1;

    /**
     * A thread requests that all stores of the threads of all other nodes so far become visible to
     * it.
     */
    record RefreshCalled(WaiterId waiter) implements Waiting {}

    /** An event of shipped objects, except messages. */
    sealed interface Shipping extends Event {}

    /**
     * The application declares a shipped object.
     *
     * @param node serves it
     * @param fingerprint equal on all nodes with the same declaration
     * @param text interface and node, for messages
     */
    record ObjectDeclared(ObjectId object, NodeId node, long fingerprint, String text)
            implements Shipping {}

    /** A thread calls an object, of another node or through its server, and waits for the reply. */
    record ShipCalled(WaiterId waiter, ObjectId object, NodeId to, long fingerprint, Bytes request)
            implements Shipping, Waiting {}

    /**
     * A thread calls an object of any node and continues as soon as the call is accepted.
     *
     * @param number chosen by the application, to distinguish replies
     */
    record PostCalled(
            WaiterId waiter,
            long number,
            ObjectId object,
            NodeId to,
            long fingerprint,
            Bytes request)
            implements Shipping, Waiting {}

    /** The thread that completes posted calls requests the next reply. */
    record ReplyAwaited(WaiterId waiter) implements Shipping, Waiting {}

    /** The thread that serves an object requests the next call. */
    record ServeCalled(WaiterId waiter, ObjectId object) implements Shipping, Waiting {}

    /** The serving thread has run its current call. */
    record CallServed(ObjectId object, Bytes reply) implements Shipping {}

    /** An event of remote variables, except messages. */
    sealed interface Remoting extends Event {}

    /** A thread has operations performed by the home of their words, and waits for the answer. */
    record RemoteCalled(WaiterId waiter, NodeId to, Bytes operations)
            implements Remoting, Waiting {}

    /**
     * A thread has operations performed, and continues as soon as they are accepted.
     *
     * @param number chosen by the application, to distinguish answers; {@link #NO_ANSWER} if it
     *     needs none
     */
    record RemotePosted(WaiterId waiter, long number, NodeId to, Bytes operations)
            implements Remoting, Waiting {}

    long NO_ANSWER = -1;

    /** A thread waits until all accepted operations of the node are performed. */
    record FenceCalled(WaiterId waiter) implements Remoting, Waiting {}

    /**
     * A thread waits for a condition of a word.
     *
     * @param timeoutNanos longest wait; negative for no limit
     */
    record RemoteAwaited(WaiterId waiter, NodeId to, WordCondition condition, long timeoutNanos)
            implements Remoting, Waiting {}

    /**
     * Result of {@link Effect.PerformRemote}.
     *
     * @param from that requested them
     * @param number of its requests
     */
    record RemotePerformed(NodeId from, long number, Bytes answer) implements Remoting {}

    /**
     * Result of {@link Effect.TestRemote}.
     *
     * @param from that waits
     * @param number of its requests
     */
    record ConditionTested(NodeId from, long number, boolean holds) implements Remoting {}

    /**
     * A region is added; every node adds it before any thread can access it.
     *
     * @param isAllocated the program allocates it during the run: the root does not initialize it,
     *     and its content is zeros on all nodes
     */
    record RegionAdded(RegionSpec region, boolean isAllocated) implements Event {
        /** A region that the root initializes. */
        public RegionAdded(RegionSpec region) {
            this(region, false);
        }
    }

    /**
     * The nodes have met. Not delivered if all are on one host. Delivered before any fault, call or
     * message.
     */
    record HostsMet(Hosts hosts) implements Event {}

    /** Ends the root's initialization. */
    record Sealed(WaiterId waiter) implements Waiting {}

    /**
     * Result of {@link Effect.Withdraw}, an outside event of its own: {@code count} pages from
     * {@code first} have no access now, except the refused ones; their content is kept, and so are
     * twins. {@link TwinMade} has been delivered before for each of them whose twin a trap has
     * made.
     *
     * @param refused in order: pages whose access has not changed, because a thread's trap is
     *     between the twin that it has made and the store
     */
    record AccessWithdrawn(MappingId mapping, PageId first, int count, List<PageId> refused)
            implements Event {
        public AccessWithdrawn {
            refused = List.copyOf(refused);
        }
    }

    /** A message has arrived from another node, or from this one to itself. */
    record MessageArrived(NodeId from, WireMessage message, long nowNanos) implements Event {}

    record TimerFired(TimerId timer, long nowNanos) implements Event {}

    /**
     * Result of {@link Effect.SaveDiff}.
     *
     * @param granules changed granules; 0 when the page equals its twin
     * @param bytes length of the encoded diff
     * @param kept the page is writable, and its twin is the compared content. True if that was
     *     requested. May also be true otherwise: when a thread that stores to the page is between
     *     the twin that its trap has made and the store
     */
    record DiffSaved(PageId page, long interval, int granules, int bytes, boolean kept)
            implements Event {}

    /**
     * A thread's own trap has made a page's twin and lets the thread store; the page was readable.
     * The trap has also requested a notification of the next release, as {@link
     * Effect.WatchReleases} does. Delivered before any consequence of the store, and before other
     * events of that page.
     *
     * <p>A page may have its twin already: it was protected when a trap was about to let its thread
     * store, and is writable again.
     */
    record TwinMade(MappingId mapping, PageId page, long nowNanos) implements Event {}

    /**
     * A thread's own trap has entered an absent page of a pool, and lets threads of its process
     * load from the copy, now or soon. It was {@linkplain PoolCall.Offer offered}. Delivered before
     * a {@link TwinMade} of that page, before other events of that page, and before any consequence
     * of a load from it.
     *
     * @param isChecked whether the node must check the page at each acquire, until it leaves it
     */
    record PageEntered(MappingId mapping, PageId page, boolean isChecked, long nowNanos)
            implements Event {}

    /**
     * Result of {@link Effect.UsePool}.
     *
     * @param nowNanos when it was performed: a page that was entered is held from then on
     */
    record PoolDone(Protocol user, PoolResult result, long nowNanos) implements Event {}

    /**
     * Threads of the node have loaded these granules since the last such event, in runs that check
     * for races. Delivered before a release that any of the threads makes afterwards.
     */
    record Loaded(List<PageLoads> loads) implements Event {
        public Loaded {
            loads = List.copyOf(loads);
        }
    }

    /** What a diff shows, in runs that check for races. */
    sealed interface RaceCheck extends Event {
        PageId page();
    }

    /**
     * Result of {@link Effect.NoteStores} and {@link Effect.FindRaces}: the granules that a diff
     * changes.
     *
     * @param by the node that has stored
     * @param interval of that node's logical clock
     */
    record StoresRead(PageId page, NodeId by, long interval, BitSet granules)
            implements RaceCheck {}

    /**
     * Result of {@link Effect.FindRaces}, if there are any.
     *
     * @param from sender of the diff
     * @param races that were not reported before
     */
    record RacesFound(PageId page, NodeId from, List<Race> races) implements RaceCheck {
        public RacesFound {
            races = List.copyOf(races);
        }
    }

    /**
     * Result of {@link Effect.ReclaimLock}.
     *
     * @param taken true: the lock was free and now belongs to the agent; false: a thread holds it
     *     and its release will call
     * @param releaser the process that held it last; {@link MappingId#ALL} if none has since it was
     *     lent. Of use if the lock was taken
     */
    record LockReclaimed(LockId lock, boolean taken, MappingId releaser) implements Event {
        /** On a node of one process. */
        public LockReclaimed(LockId lock, boolean taken) {
            this(lock, taken, MappingId.FIRST);
        }
    }

    /**
     * True if what traps have done since the outside event of this step is stepped first. A lock
     * was lent to threads until now, and its next holder must see their stores. Or a weak list was
     * taken, which may name pages that traps have copied before.
     */
    default boolean followsTraps() {
        return this instanceof LockReclaimed || this instanceof PoolDone(_, PoolResult.Listed _, _);
    }

    /** A node is permanently lost. */
    record PeerLost(NodeId node, String reason) implements Event {}
}
