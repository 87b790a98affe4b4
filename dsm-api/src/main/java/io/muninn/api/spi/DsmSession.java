package io.muninn.api.spi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One process's part in a cluster, from attach to close.
 *
 * <p><b>Order.</b> The runner in the API calls {@link #segment} for every region, {@link
 * #initialized}, {@link #start} for every thread but the first, {@link #node} once and {@link
 * #threadEnds} once per thread, {@link #close}. A process that joined by itself calls {@link
 * #finished} instead of {@link #threadEnds}. At any point after attach {@link #failed} may come
 * instead, and nothing more.
 *
 * <p><b>Errors.</b> Calls that wait throw {@link io.muninn.api.NodeLostException} when a node is
 * lost and {@link io.muninn.api.DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> All calls come from the thread that attached, application thread 0, except
 * {@link #node}, {@link #threadEnds} and {@link #failed}, which come from any application thread.
 */
public interface DsmSession {
    /** This node, 0 to {@link #nodes()} - 1. */
    int nodeId();

    /** Nodes in the cluster, at least 1. */
    int nodes();

    /** Application threads per node, at least 1. */
    int threads();

    /** The layout in force: as declared, or with protocols overridden by the run. */
    Layout layout();

    /**
     * A region's bytes in this process: {@link RegionSpec#bytes} of them, zero at first, aligned to
     * a page, alive until the process ends. Faults happen here.
     *
     * @throws io.muninn.api.DsmException if there is no memory for it, naming the region
     */
    MemorySegment segment(RegionSpec region);

    /**
     * What guards the views of a region: empty, but in a simulation. Called after {@link #segment}
     * of the region.
     *
     * @return takes offsets from the start of the region
     */
    default Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.empty();
    }

    /**
     * The services of application thread {@code thread}, 0 to {@link #threads()} - 1; the same
     * object every time.
     *
     * @throws IllegalArgumentException if there is no such thread
     */
    DsmNode node(int thread);

    /**
     * Starts an application thread: a platform thread, but in a simulation, where it runs when its
     * turn comes.
     *
     * @param thread 1 to {@link #threads()} - 1; thread 0 is the caller
     * @param body what it does; throws nothing
     */
    default ApplicationThread start(int thread, Runnable body) {
        return ApplicationThread.ofPlatform(thread, body);
    }

    /**
     * The clock of {@link ApplicationThread#join(long)}, in nanoseconds from an arbitrary start.
     */
    default long nowNanos() {
        return System.nanoTime();
    }

    /**
     * Ends initialization. On the root it seals what was initialized; on every node it returns when
     * all nodes may run.
     */
    void initialized();

    /**
     * Collective end of a program's parallel part: every application thread calls it when its
     * {@code run} has returned; returns when all threads of the cluster have called it.
     *
     * @param thread the calling application thread
     */
    default void threadEnds(int thread) {}

    /**
     * Collective end of a node that joined by itself; called once per node, returns when all nodes
     * have called it. The runner calls {@link #threadEnds} instead.
     */
    void finished();

    /**
     * Ends this node's part. On the root the verdict becomes the run's; on other nodes it is
     * ignored. Returns when the agent has taken note.
     */
    void close(Verdict verdict);

    /**
     * Ends the run: this node's program threw. Wakes every thread of this node that waits, with
     * {@link io.muninn.api.DsmException}. Prints nothing; returns when the agent knows.
     *
     * @param cause what it threw; of several the first counts
     */
    void failed(Throwable cause);
}
