package io.muninn.api;

/**
 * What one application thread sees of the cluster: where it is, and the ways to synchronize.
 *
 * <p><b>Order.</b> Usable from {@link DsmProgram#initialize} to {@link DsmProgram#verify}.
 *
 * <p><b>Errors.</b> Every call that may wait throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed; so does every later call.
 *
 * <p><b>Threads.</b> Each application thread has its own; it must not be handed to another thread.
 * Locks and barriers taken from it are that thread's too; messages are the whole node's.
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

    /** True on node 0, which initializes and verifies. */
    default boolean isRoot() {
        return id() == 0;
    }

    /**
     * This thread's share of {@code total} rows, among all application threads of the cluster:
     * contiguous, and as even as can be; empty for some if there are more threads than rows.
     *
     * @throws IllegalArgumentException if {@code total} is negative
     */
    default Band band(int total) {
        return Band.of(total, position(), positions());
    }

    /**
     * The lock of that name; the same name is the same lock on every node.
     *
     * @throws IllegalArgumentException if the name is empty or longer than 200 bytes of UTF-8
     */
    DsmLock lock(String name);

    /** The barrier of that name for all application threads of the cluster. */
    DsmBarrier barrier(String name);

    /**
     * The barrier of that name for {@code parties} application threads. Locks and barriers have
     * names of their own; a barrier's parties are the same wherever it is asked for.
     *
     * @param parties 1 to {@link #positions()}
     * @throws IllegalArgumentException if {@code parties} is out of range or not what was asked for
     *     before, or if the name is empty or longer than 200 bytes of UTF-8
     */
    DsmBarrier barrier(String name, int parties);

    /** Explicit messages between nodes. */
    Messages messages();

    /**
     * Charges private computation: empty in live runs, virtual time in the simulator. Call it at a
     * natural grain, such as once a row.
     *
     * @param units simple operations, such as one multiplication and addition; 0 or more
     */
    void work(long units);

    /**
     * Allocates a shared variable while the program runs; its elements are zero. Collective: every
     * application thread of the cluster calls it in {@link DsmProgram#run}, with the same arguments
     * in the same order, each with a shape of its own.
     *
     * @param name not yet a variable's
     * @param shape newly made, such as {@code DoubleArray.of(100)}
     * @param protocol any but {@link Protocol#READ_ONLY}, which could not be filled; a run may
     *     override it
     * @return {@code shape}, ready for use
     * @throws IllegalArgumentException if the name is taken, the protocol not possible, or the
     *     variable too large
     * @throws IllegalStateException during {@link DsmProgram#initialize}, or if the shape is in use
     * @throws DsmException if application threads disagree, naming the difference
     */
    <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol);

    /** What this node, with all its threads, has done so far. */
    Statistics statistics();
}
