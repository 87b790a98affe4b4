package io.muninn.spi;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.Map;
import java.util.Set;

/**
 * A coherence protocol: one pure, deterministic state machine over the pages of the regions bound
 * to it. It shares no state with other protocols and never asks which transport or engine is below.
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

    /** The program is about to use these pages. */
    default void onPrefetch(PageId first, int count, Effects out) {}

    /** What rides on a lock request. */
    default Bytes onLockRequest(LockId lock, Effects out) {
        return Bytes.EMPTY;
    }

    /** What rides on the token; called at the last releaser, after its release is performed. */
    default Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * Something has arrived that threads of this node may act on once every protocol has performed
     * this acquire: makes visible what its cargo says, then calls {@link Effects#acquirePerformed},
     * in this step or a later one. Other acquires and releases may begin and end meanwhile.
     *
     * @param cargo what the sender sent along
     */
    default void onAcquire(GatedAcquire acquire, Bytes cargo, Effects out) {
        out.acquirePerformed(acquire);
    }

    /**
     * Something leaves the node: makes everything stored so far visible, then calls {@link
     * Effects#releasePerformed}, in this step or a later one.
     */
    default void onRelease(GatedRelease leaving, Effects out) {
        out.releasePerformed(leaving);
    }

    /** What rides on this node's arrival at a barrier; after its release is performed. */
    default Bytes onBarrierArrive(BarrierId barrier, Effects out) {
        return Bytes.EMPTY;
    }

    /**
     * An arrival has reached the manager, and what rode on it is in the manager's keeping. Called
     * at the manager for each message, also of a node that arrives twice in a generation, and also
     * if the barrier is broken or breaks by this arrival.
     */
    default void onArrivalDeposited(BarrierId barrier, NodeId from, Bytes cargo) {}

    /**
     * All have arrived; called at the manager.
     *
     * @return what rides to each of the nodes; to those not in the map, nothing
     */
    default Map<NodeId, Bytes> onBarrierComplete(BarrierId barrier, Set<NodeId> nodes) {
        return Map.of();
    }

    /**
     * What rides on a shipped call, on its reply, or on a message of the program; called when it is
     * sent, after the sender's release is performed.
     */
    default Bytes onSend(NodeId to, Effects out) {
        return Bytes.EMPTY;
    }

    /** The root's initialization is over; called on the root before any node runs. */
    default void onSealed(Effects out) {}

    void onMessage(NodeId from, M message, Effects out);

    default void onTimer(TimerId timer, Effects out) {}

    default void onDiffSaved(Event.DiffSaved saved, Effects out) {}

    default void onRacesFound(Event.RacesFound found, Effects out) {}

    default void onDiffApplied(Event.DiffApplied applied, Effects out) {}

    /**
     * A node is lost, and the run with it: wakes every thread that waits for a page by poisoning
     * the page, and from now on poisons what is asked for and not here.
     */
    void onPeerLost(NodeId node, Effects out);
}
