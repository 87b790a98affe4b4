package io.muninn.api.spi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;

/**
 * One process's part in a cluster, from attach to close. The runner in the API calls it in this
 * order: {@link #segment} for every region, {@link #initialized}, one {@link #node} per thread,
 * {@link #finished}, {@link #close}.
 */
public interface DsmSession {
    int nodeId();

    int nodes();

    /** Application threads per node. */
    int threads();

    /** The layout in force: as declared, or with protocols overridden by the run. */
    Layout layout();

    /** A region's bytes in this process, zero at first; faults happen here. */
    MemorySegment segment(RegionSpec region);

    /** The services of application thread {@code thread}, 0 to {@link #threads()} - 1. */
    DsmNode node(int thread);

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

    /** Ends the run: this node's program threw. Prints nothing; returns when the agent knows. */
    void failed(Throwable cause);
}
