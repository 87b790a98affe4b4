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
 * to it. It shares no state with other protocols and never asks which transport or engine is below.
 *
 * <p>A protocol without regions on this node is not told of releases, acquires and the ends of
 * intervals, and has no cargo, until a timestamp is used or arrives.
 *
 * <p><b>Threads.</b> One caller, the kernel.
 *
 * <p>Source: the hooks of CVM §2.2, with effects in place of calls.
 *
 * @param <M> its messages
 */
public interface CoherenceProtocol<M extends ProtocolMessage> {
    /** A page as this node sees it, for a person: state, probable owner, copyset. */
    String describe(PageId page);

    /** The same for a checker. */
    PageSnapshot snapshot(PageId page);

    /** A region that follows this protocol exists from now on. */
    void onRegionAdded(RegionSpec region);

    /** The same of a region of zeros, which the root does not initialize. */
    default void onRegionAllocated(RegionSpec region) {
        onRegionAdded(region);
    }

    /** A load stopped at a page. */
    void onReadFault(PageId page, Effects out);

    /** A store stopped at a page; also the upgrade of a readable one. */
    void onWriteFault(PageId page, Effects out);

    /**
     * A thread's own trap has made the twin of a page that threads could load from, and lets the
     * thread store. A protocol without twins hears of none.
     */
    default void onTwinMade(PageId page, Effects out) {
        throw new ProtocolViolation("page=" + page + " event=TwinMade: of a protocol without");
    }

    /**
     * The program is about to use these pages, at least one, of one region: a hint, which changes
     * nothing that loads may return, takes no page from another node, and may be ignored.
     *
     * @param mode whether it will load only, or store too
     */
    default void onPrefetch(PageId first, int count, Mode mode, Effects out) {}

    /**
     * The program says how these pages, at least one, of one region, are read to which this node
     * stores: a hint. A protocol that knows no readers hears of none.
     */
    default void onAdvice(PageId first, int count, PageAdvice advice, Effects out) {
        throw new ProtocolViolation("page=" + first + " event=Advised: of a protocol without");
    }

    /**
     * This node passes a lock on, within whose sections threads use this page: a protocol of pages
     * that are on one node at a time may send the page ahead, if nobody else waits for it.
     *
     * @return true if it has
     */
    default boolean onLockPassed(PageId page, NodeId to, Effects out) {
        return false;
    }

    /**
     * True if its cargo is ordered by the timestamps of the {@link LogicalClock} of each node.
     * Counts from its first region on.
     */
    default boolean usesTimestamps() {
        return false;
    }

    /**
     * Bytes of lazy data: write notices, intervals, diffs and twins that this node keeps for others
     * until a collection. Counts exactly what {@link #onCollected} drops once it covers the
     * interval, and nothing else: a node whose bytes stay above the bound would collect for ever.
     * Read after every step, so it takes constant time.
     */
    default long lazyBytes() {
        return 0;
    }

    /** An acquire is performed by all protocols: this node has seen what it covers. */
    default void onAcquirePerformed(Effects out) {}

    /**
     * A collection is under way: this node now holds the cargo of all intervals that {@code upTo}
     * covers, and the other nodes do, or will before they perform their parts. Acts on the write
     * notices of these intervals ahead of the acquires that may never come, validates what has to
     * survive without their lazy data, and drops what it has cached of it; then calls {@link
     * Effects#collectPerformed}, in this step or a later one. It keeps its own lazy data: other
     * nodes may need it until {@link #onCollected}.
     *
     * <p>Threads run on. The clock's {@link LogicalClock#seen} does not advance. As with {@link
     * #onAcquire}, the present interval ends after this call, and before what is done later takes
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
     * Every node has performed a collection: drops all lazy data of the intervals that {@code upTo}
     * covers. No node will request it. Cargo that was sent before may still bring notices of these
     * intervals; they are ignored. Other nodes may hear of this earlier or later: a request that
     * they sent before names intervals that are dropped here.
     *
     * @param upTo as in the last {@link #onCollect}
     */
    default void onCollected(VectorTimestamp upTo, Effects out) {}

    /** What rides on a lock request; forwarded with it to the last releaser. */
    default Bytes onLockRequest(LockId lock, Effects out) {
        return Bytes.EMPTY;
    }

    /** What rides on the token; called at the last releaser, after its release is performed. */
    default Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * What rides to another node on an arrival at a barrier, a departure, a shipped call, its
     * reply, a message of the program, the answer to a refresh, or a collection. Called when that
     * is sent, after the release before it is performed; it arrives, in the order of sending.
     */
    default Bytes onSend(NodeId to, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * Cargo of {@link #onGrant} or {@link #onSend} has arrived from another node. Called once for
     * each that is not empty, when it arrives: ahead of the acquire of what it rode on, which may
     * be much later, or without one if nobody of this node acquires it, as at the manager of a
     * barrier. It is called for arrivals at broken barriers, too.
     */
    default void onDeposited(NodeId from, Bytes cargo, Effects out) {}

    /**
     * Something has arrived that threads of this node may act on once every protocol has performed
     * this acquire: makes visible what was released in the intervals that {@code until} covers,
     * whichever message brought their cargo, then calls {@link Effects#acquirePerformed}, in this
     * step or a later one. Other acquires and releases may begin and end meanwhile.
     *
     * @param until of the release; zero in runs without timestamps. If the clock's {@link
     *     LogicalClock#seen} does not cover it, the present interval ends after this call
     */
    default void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        out.acquirePerformed(acquire);
    }

    /**
     * Something leaves the node: makes everything stored so far visible, then calls {@link
     * Effects#releasePerformed}, in this step or a later one. Unless nothing leaves, the present
     * interval of the {@link LogicalClock} ends after this call.
     */
    default void onRelease(GatedRelease leaving, Effects out) {
        out.releasePerformed(leaving);
    }

    /**
     * The present interval of the {@link LogicalClock} ends after this call, if something was
     * stored in it: after {@link #onRelease}, or after {@link #onAcquire} of something new.
     */
    default void onIntervalEnd(Effects out) {}

    /** The root's initialization is over; called on the root before any node runs. */
    default void onSealed(Effects out) {}

    void onMessage(NodeId from, M message, Effects out);

    default void onTimer(TimerId timer, Effects out) {}

    default void onDiffSaved(Event.DiffSaved saved, Effects out) {}

    default void onRacesFound(Event.RacesFound found, Effects out) {}

    /**
     * A withdrawal of access to its pages is done. A refused page is written by a thread: to ask
     * for it once more is allowed, and may be refused again.
     */
    default void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {}

    /**
     * A node is lost, and the run with it: wakes every thread that waits for a page by poisoning
     * the page, and from now on poisons what is asked for and not here. Releases and acquires under
     * way are abandoned: they are not performed any more.
     */
    void onPeerLost(NodeId node, Effects out);
}
