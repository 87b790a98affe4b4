package io.muninn.api.spi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The session of one process in a cluster, from attach to close.
 *
 * <p><b>Order.</b> The runner in the API calls {@link #segment} for every region, {@link
 * #initialized}, {@link #start} for every thread but the first, {@link #node} once and {@link
 * #threadEnds} once per thread, {@link #close}. A process that joined by itself calls {@link
 * #finished} instead of {@link #threadEnds}. At any point after attach, {@link #failed} may be
 * called instead, as the last call.
 *
 * <p><b>Errors.</b> Calls that wait throw {@link io.muninn.api.NodeLostException} when a node is
 * lost and {@link io.muninn.api.DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> All calls are made by the thread that attached, application thread 0, except
 * {@link #node}, {@link #threadEnds} and {@link #failed}, which any application thread may make.
 */
public interface DsmSession {
    /** This node, 0 to {@link #nodes()} - 1. */
    int nodeId();

    /** Nodes in the cluster, at least 1. */
    int nodes();

    /** Application threads per node, at least 1. */
    int threads();

    /** The layout in force: the declared one, with the protocols that the run overrides. */
    Layout layout();

    /**
     * The region's memory in this process: {@link RegionSpec#bytes} bytes, initially zero,
     * page-aligned, valid until the process ends. Accesses to it may fault.
     *
     * @throws io.muninn.api.DsmException if its memory cannot be mapped, naming the region
     */
    MemorySegment segment(RegionSpec region);

    /**
     * The guard of the region's views; empty except in a simulation. Called after {@link #segment}
     * of the region.
     *
     * @return takes offsets from the start of the region
     */
    default Optional<AccessGuard> guard(RegionSpec region) {
        return Optional.empty();
    }

    /**
     * The link of a variable's view to this node.
     *
     * @param region the variable's region
     */
    default ViewLink link(RegionSpec region, VariableSpec variable) {
        return ViewLink.LOCAL;
    }

    /**
     * The way of a remote variable to its words.
     *
     * @param remote of {@link Layout#remotes}
     */
    RemoteAccess remote(RegionSpec remote);

    /**
     * The services of application thread {@code thread}, 0 to {@link #threads()} - 1; the same
     * object every time.
     *
     * @throws IllegalArgumentException if there is no such thread
     */
    DsmNode node(int thread);

    /**
     * Starts an application thread: a platform thread, except in a simulation, which schedules its
     * threads itself.
     *
     * @param thread 1 to {@link #threads()} - 1; thread 0 is the caller
     * @param body the thread's code; must not throw
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
     * Ends initialization. On the root it seals the initialized variables. On every node it returns
     * when all nodes may run.
     */
    void initialized();

    /**
     * Ends {@link io.muninn.api.DsmProgram#initializePart} on this node: its parallel part begins.
     * Called by application thread 0, if the program has such a method.
     */
    default void partsInitialized() {}

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
     * ignored. Returns when the agent has acknowledged it.
     */
    void close(Verdict verdict);

    /**
     * Ends the run because this node's program threw. Wakes every waiting thread of this node with
     * {@link io.muninn.api.DsmException}. Prints nothing; returns when the agent has been notified.
     *
     * @param cause the program's exception; if there are several, the first counts
     */
    void failed(Throwable cause);
}
