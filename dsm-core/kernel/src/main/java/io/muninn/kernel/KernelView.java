package io.muninn.kernel;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.ObjectId;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.WaiterId;
import io.muninn.sync.BarrierArrivals;
import io.muninn.sync.CollectionPart;
import io.muninn.sync.ConditionManager;
import io.muninn.sync.ConditionWaits;
import io.muninn.sync.LockManager;
import io.muninn.sync.ProcessViews;
import io.muninn.sync.ProgramMessages;
import io.muninn.sync.ReadWriteLocks;
import io.muninn.sync.ReadWriteManager;
import io.muninn.sync.RemoteCalls;
import io.muninn.sync.RemoteHome;
import io.muninn.sync.ServedObjects;
import io.muninn.waits.Awaited;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.ThreadWait;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One node's view of what its threads synchronize by, for checkers and for descriptions of waits:
 * nothing here changes it.
 */
public final class KernelView {
    private final NodeKernel kernel;
    private final Synchronization sync;
    private final ProtocolTable protocols;
    private final ProcessViews views;
    private final OpenGates<GatedAcquire, VectorTimestamp> acquires;
    private final OpenGates<GatedRelease, Long> releases;

    KernelView(
            NodeKernel kernel,
            Synchronization sync,
            ProtocolTable protocols,
            ProcessViews views,
            OpenGates<GatedAcquire, VectorTimestamp> acquires,
            OpenGates<GatedRelease, Long> releases) {
        this.kernel = kernel;
        this.sync = sync;
        this.protocols = protocols;
        this.views = views;
        this.acquires = acquires;
        this.releases = releases;
    }

    /** The calls in which threads wait, in the order of their beginnings. */
    public List<Event.Waiting> waits() {
        return kernel.waits();
    }

    /**
     * The node's part of a description of all waits.
     *
     * @param threads that wait, see {@link #waits}
     * @param sent messages that the node has sent to other nodes
     * @param received messages that it has received
     * @param strangers threads of the application that the node does not know
     */
    public NodeWaits describeWaits(
            List<ThreadWait> threads, long sent, long received, List<String> strangers) {
        return kernel.describeWaits(threads, sent, received, strangers);
    }

    /**
     * What agents have to do before the node can go on: the oldest call, acquire and release, each
     * if there is one. Pages that threads wait for are known where threads are stopped.
     */
    public List<AgentRequest> oldestRequests() {
        Optional<AgentRequest> call =
                kernel.waits().stream()
                        .filter(each -> Awaited.of(each).isAnsweredByAgents())
                        .findFirst()
                        .map(AgentRequest::ofCall);
        return Stream.of(call, acquires.oldest("acquire"), releases.oldest("release"))
                .flatMap(Optional::stream)
                .toList();
    }

    /** A lock, by the name of its state in the table of {@link LockManager}. */
    public String lockState(LockId lock) {
        return sync.locks.stateOf(lock);
    }

    /** The node's requests to homes of remote words. */
    public RemoteCalls remoteCalls() {
        return sync.remotes;
    }

    /** The waits for remote words of this node. */
    public RemoteHome remoteHome() {
        return sync.home;
    }

    /** The node's part of reader-writer locks. */
    public ReadWriteLocks readWriteLocks() {
        return sync.readWriteLocks;
    }

    /** The reader-writer locks that the node manages. */
    public ReadWriteManager readWriteManager() {
        return sync.readWriteManager;
    }

    /** A barrier, by the name of its state in the table of {@link BarrierArrivals}. */
    public String barrierState(BarrierId barrier) {
        return sync.arrivals.stateOf(barrier);
    }

    /** A shipped object, by the name of its state in the table of {@link ServedObjects}. */
    public String objectState(ObjectId object) {
        return sync.objects.stateOf(object);
    }

    /** A thread at conditions, by the name of its state in the table of {@link ConditionWaits}. */
    public String conditionState(WaiterId waiter) {
        return sync.conditions.stateOf(waiter);
    }

    /** The queues of conditions; empty on every node but the root. */
    public ConditionManager conditionManager() {
        return sync.conditionManager;
    }

    /** The node in collections, by the name of its state in the table of {@link CollectionPart}. */
    public String collectionState() {
        return sync.collection.state();
    }

    /** Bytes of lazy data that the node keeps until a collection. */
    public long lazyBytes() {
        return protocols.lazyBytes();
    }

    /** The intervals of other nodes that each process has seen, and their names. */
    public ProcessViews processViews() {
        return views;
    }

    /** Letters, by the names of their states in the table of {@link ProgramMessages}. */
    public ProgramMessages letters() {
        return sync.letters;
    }
}
