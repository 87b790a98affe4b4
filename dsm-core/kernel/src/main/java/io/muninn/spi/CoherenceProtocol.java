package io.muninn.spi;

import io.muninn.api.Mode;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;

/**
 * A coherence protocol: one pure, deterministic state machine over the pages of the regions bound
 * to it. It shares no state with other protocols and does not depend on the transport or the
 * engine.
 *
 * <p>A protocol without regions on this node is not notified of releases, acquires and the ends of
 * intervals, and has no cargo, until a timestamp is used or arrives.
 *
 * <p><b>Threads.</b> One caller, the kernel.
 *
 * <p>Source: the hooks of CVM §2.2, with effects in place of calls.
 *
 * @param <M> its messages
 */
public interface CoherenceProtocol<M extends ProtocolMessage> {
    /** A page as this node sees it, for messages: state, probable owner, copyset. */
    String describe(PageId page);

    /** A page as this node sees it, for checkers. */
    PageSnapshot snapshot(PageId page);

    /** Adds a region that follows this protocol. */
    void onRegionAdded(RegionSpec region);

    /** Adds a region of zeros, which the root does not initialize. */
    default void onRegionAllocated(RegionSpec region) {
        onRegionAdded(region);
    }

    /** Handles a load that has stopped at a page. */
    void onReadFault(PageId page, Effects out);

    /** Handles a store that has stopped at a page; also the upgrade of a readable one. */
    void onWriteFault(PageId page, Effects out);

    /**
     * Handles a twin that a thread's own trap has made, of a page that threads could load from; the
     * trap lets the thread store. Never called for a protocol without twins.
     */
    default void onTwinMade(PageId page, Effects out) {
        throw new ProtocolViolation("page=" + page + " event=TwinMade: of a protocol without");
    }

    /**
     * Handles the entry of an absent page of a pool by a thread's own trap, which lets threads load
     * from it. Never called for a protocol without a pool.
     *
     * @param isChecked whether the node must check the page at each acquire
     */
    default void onPageEntered(PageId page, boolean isChecked, Effects out) {
        throw new ProtocolViolation("page=" + page + " event=PageEntered: of a protocol without");
    }

    /**
     * True while pages that the root has initialized are on their way to other nodes, so that its
     * initialization has not ended.
     */
    default boolean isSealing() {
        return false;
    }

    /** Handles the result of an operation of this protocol on a pool. */
    default void onPoolDone(PoolResult result, Effects out) {
        throw new ProtocolViolation("event=" + result + ": of a protocol without a pool");
    }

    /**
     * Handles a hint that the program is about to use these pages, at least one, of one region. It
     * changes nothing that loads may return, takes no page from another node, and may be ignored.
     *
     * @param mode whether it will load only, or store too
     */
    default void onPrefetch(PageId first, int count, Mode mode, Effects out) {}

    /**
     * Handles advice of the program about the readers of these pages, at least one, of one region,
     * to which this node stores: a hint. Never called for a protocol without readers.
     */
    default void onAdvice(PageId first, int count, PageAdvice advice, Effects out) {
        throw new ProtocolViolation("page=" + first + " event=Advised: of a protocol without");
    }

    /**
     * Called when this node passes a lock on, within whose sections threads use this page. A
     * protocol whose pages are on one node at a time may send the page ahead, if no other node
     * waits for it.
     *
     * @return true if it has sent the page
     */
    default boolean onLockPassed(PageId page, NodeId to, Effects out) {
        return false;
    }

    /**
     * True if the protocol's cargo is ordered by the timestamps of the {@link LogicalClock} of each
     * node. Takes effect with its first region.
     */
    default boolean usesTimestamps() {
        return false;
    }

    /**
     * Bytes of lazy data: write notices, intervals, diffs and twins that this node keeps for others
     * until a collection. Counts exactly the data that {@link #onCollected} drops once it covers
     * the interval, and nothing else: a node whose bytes stay above the bound would collect for
     * ever. Read after every step, so it takes constant time.
     */
    default long lazyBytes() {
        return 0;
    }

    /**
     * Called when all protocols have performed an acquire: this node has seen everything that it
     * covers.
     */
    default void onAcquirePerformed(Effects out) {}

    /**
     * Handles a collection: this node now holds the cargo of all intervals that {@code upTo}
     * covers, and the other nodes do, or will before they perform their parts. Processes the write
     * notices of these intervals, because the acquires that would do so may never happen; validates
     * the copies that must survive without their lazy data; and drops lazy data received from other
     * nodes. Then calls {@link Effects#collectPerformed}, in this step or a later one. It keeps its
     * own lazy data: other nodes may need it until {@link #onCollected}.
     *
     * <p>Threads continue to run. The clock's {@link LogicalClock#seen} does not advance. As with
     * {@link #onAcquire}, the current interval ends after this call, and before later work takes
     * effect. No thread waits for a collection, so it takes no page from a thread that has not had
     * time to use it ({@link Context#hasRunningThreads}).
     *
     * @param number of the collection, from 1; the next one begins after this one's {@link
     *     #onCollected}
     * @param upTo covers every own interval whose release was performed before the collection
     *     began, and no own interval whose release is not performed
     */
    default void onCollect(long number, VectorTimestamp upTo, Effects out) {
        out.collectPerformed(number);
    }

    /**
     * Called when every node has performed a collection: drops all lazy data of the intervals that
     * {@code upTo} covers. No node will request it. Cargo that was sent before may still contain
     * notices of these intervals; they are ignored. Other nodes may receive this event earlier or
     * later: a request that they sent before names intervals that are dropped here.
     *
     * @param upTo as in the last {@link #onCollect}
     */
    default void onCollected(VectorTimestamp upTo, Effects out) {}

    /** Returns the cargo of a lock request; forwarded with it to the last releaser. */
    default Bytes onLockRequest(LockId lock, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * Returns the cargo of the token; called at the last releaser, after its release is performed.
     */
    default Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * Returns the cargo of a message to another node: an arrival at a barrier, a departure, a
     * shipped call, its reply, a message of the program, the reply to a refresh, or a collection.
     * Called when the message is sent, after the release before it is performed; cargo arrives in
     * the order of sending.
     */
    default Bytes onSend(NodeId to, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * Called when cargo of {@link #onGrant} or {@link #onSend} has arrived from another node.
     * Called once for each that is not empty, when it arrives: before the acquire of its message,
     * which may be much later, or without one if no thread of this node acquires it, as at the
     * manager of a barrier. It is also called for arrivals at broken barriers.
     */
    default void onDeposited(NodeId from, Bytes cargo, Effects out) {}

    /**
     * Called when a message has arrived that threads of this node may act on once every protocol
     * has performed this acquire. Makes everything visible that was released in the intervals that
     * {@code until} covers, regardless of the messages that carried their cargo. Then calls {@link
     * Effects#acquirePerformed}, in this step or a later one. Other acquires and releases may begin
     * and end meanwhile.
     *
     * @param until of the release; zero in runs without timestamps. If the clock's {@link
     *     LogicalClock#seen} does not cover it, the current interval ends after this call
     */
    default void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        out.acquirePerformed(acquire);
    }

    /**
     * Called before a message leaves the node: makes all stores so far visible, then calls {@link
     * Effects#releasePerformed}, in this step or a later one. Except for a release without a
     * message, the current interval of the {@link LogicalClock} ends after this call.
     */
    default void onRelease(GatedRelease leaving, Effects out) {
        out.releasePerformed(leaving);
    }

    /**
     * Called before the current interval of the {@link LogicalClock} ends, if it contains a store:
     * after {@link #onRelease}, or after {@link #onAcquire} of something new.
     */
    default void onIntervalEnd(Effects out) {}

    /** Ends the root's initialization; called on the root before any node runs. */
    default void onSealed(Effects out) {}

    void onMessage(NodeId from, M message, Effects out);

    default void onTimer(TimerId timer, Effects out) {}

    default void onDiffSaved(Event.DiffSaved saved, Effects out) {}

    default void onRaceCheck(Event.RaceCheck result, Effects out) {}

    /** Threads of this node have loaded from a page, in a run that checks for races. */
    default void onLoaded(PageLoads loads, Effects out) {}

    /**
     * Called when a withdrawal of access to its pages is done. A thread is storing to each refused
     * page: the withdrawal may be repeated, and may be refused again.
     */
    default void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {}

    /**
     * Called when a node is lost, which ends the run: wakes every thread that waits for a page by
     * poisoning the page. From now on the protocol poisons a page that is absent when it is
     * accessed. Pending releases and acquires are abandoned: they are not performed any more.
     */
    void onPeerLost(NodeId node, Effects out);
}
