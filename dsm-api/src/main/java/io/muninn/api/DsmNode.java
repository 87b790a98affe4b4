package io.muninn.api;

/**
 * What one application thread sees of the cluster: where it is, and the ways to synchronize. Each
 * application thread has its own; it must not be handed to another thread.
 */
public interface DsmNode {
    /** This node, 0 to {@link #nodes()} - 1; 0 is the root. */
    int id();

    /** Nodes in the cluster, at least 1. */
    int nodes();

    /** This application thread within its node, 0 to {@link #threads()} - 1. */
    int thread();

    /** Application threads per node, the same on every node. */
    int threads();

    /** This thread among all application threads: {@code id() * threads() + thread()}. */
    default int position() {
        return id() * threads() + thread();
    }

    /** Application threads in the cluster: {@code nodes() * threads()}. */
    default int positions() {
        return nodes() * threads();
    }

    default boolean isRoot() {
        return id() == 0;
    }

    /** This thread's share of {@code total} rows: contiguous, and as even as can be. */
    default Band band(int total) {
        return Band.of(total, position(), positions());
    }

    /** The lock of that name; the same name is the same lock on every node. */
    DsmLock lock(String name);

    /** The barrier of that name for all application threads of the cluster. */
    DsmBarrier barrier(String name);

    /** The barrier of that name for {@code parties} application threads. */
    DsmBarrier barrier(String name, int parties);

    /** Explicit messages between nodes. */
    Messages messages();

    /** Charges private computation; empty in live runs, virtual time in the simulator. */
    void work(long units);

    /** Collective: every application thread calls it with the same arguments in the same order. */
    <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol);

    /** What this node has done so far. */
    Statistics statistics();
}
