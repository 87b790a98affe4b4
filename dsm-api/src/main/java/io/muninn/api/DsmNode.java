package io.muninn.api;

import java.util.function.Supplier;

/**
 * What one application thread sees of the cluster: where it is, and the ways to synchronize.
 *
 * <p><b>Order.</b> Usable from {@link DsmProgram#initialize} to {@link DsmProgram#verify}.
 *
 * <p><b>Errors.</b> Every call that may wait throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed; so does every later call.
 *
 * <p><b>Threads.</b> Each application thread has its own; it must not be handed to another thread.
 * Locks and barriers taken from it are that thread's too; messages are the whole node's. {@link
 * #lock}, {@link #barrier}, {@link #messages}, {@link #shipped} and {@link #allocate} throw {@link
 * IllegalStateException} in a virtual thread.
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
     * @throws IllegalStateException if this node has asked for {@link #LOCKS_MAX} other names
     */
    DsmLock lock(String name);

    /**
     * Most different locks that one node may ask for in a run: each has a word in memory that the
     * application shares with its agent. A name stays taken until the run ends. Each shipped object
     * that the node serves takes one.
     */
    int LOCKS_MAX = 8192;

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

    /**
     * A shipped object that lives on node 0: {@link #shipped(String, Class, int, Supplier)}.
     *
     * <pre>{@code
     * TourQueue tours = node.shipped("tours", TourQueue.class, HeapTourQueue::new);
     * }</pre>
     */
    default <T> T shipped(String name, Class<T> type, Supplier<? extends T> object) {
        return shipped(name, type, 0, object);
    }

    /**
     * A shipped object: an ordinary Java object in the application process of one node, whose calls
     * travel to it. What is returned stands for it, on every node; its methods are the interface's.
     * Every node asks for the object, the one that serves it included: a call waits until that one
     * has, and throws {@link DsmException} if its program ends without. Asking again, from
     * whichever thread, gives the same.
     *
     * <p><b>Values.</b> Arguments and results are primitives and their boxes, {@code String},
     * enums, primitive arrays, records, sealed interfaces of records, and {@code List}, {@code Map}
     * and {@code Optional} of these; references may be null. They travel by value: neither side
     * ever holds an object of the other's, also on the serving node itself, and lists and maps
     * arrive as newly made ones that may be changed. Arguments and result take at most {@link
     * Messages#BYTES_MAX} bytes each.
     *
     * <p><b>Order.</b> One call of an object runs at a time, in the order in which calls reach its
     * node; calls by one thread of one object run in the order made. Calls are releases and
     * acquires on both sides: what the caller stored before is seen by the object, what the object
     * stored is seen by the caller after, in shared variables of any protocol.
     *
     * <p><b>Where.</b> Calls from other nodes run on a thread of the object's own, an application
     * thread that may touch shared variables, take locks, send messages and call other shipped
     * objects, with any {@code DsmNode} of its node; a call takes no part in barriers and
     * allocations, which throw. Calls from the serving node run on their callers' threads. The
     * object is made by its first call. During {@link DsmProgram#initialize} only objects of the
     * root can be called.
     *
     * <p><b>Asynchronous calls.</b> A method that returns {@code CompletableFuture<R>} returns at
     * once, on the serving node, too, and its future completes when the reply comes, or
     * exceptionally; the object's own method returns a future for which the object's thread waits.
     * Several calls may so be under way at a time, up to {@value #CALLS_MAX} of one node; then it
     * waits for one of them to end. The caller acquires when the future completes. What is attached
     * to a future without an executor runs on a thread that completes the node's futures, and must
     * not wait. In a simulation, wait on the futures themselves or on what their methods return;
     * waits on futures made by {@code CompletableFuture.allOf} cannot be seen there.
     *
     * <p><b>Errors.</b> What a call throws is thrown by the caller's call, with the same type if
     * that is unchecked or declared and has a public constructor of one {@code String}, otherwise
     * as {@link ShippedCallException}; its cause is a {@code ShippedCallException} with the frames
     * over there. A call carries its chain, the objects within whose calls it is made and the locks
     * that its callers hold: a call of an object in its chain, and a wait for a lock that its chain
     * holds, throw {@link IllegalStateException} naming both, where they would wait for ever, also
     * if the calls between are asynchronous. Two chains that wait for each other are not noticed.
     *
     * @param name known to every node; objects have names of their own
     * @param type the interface; not generic, any access
     * @param node the node that serves it, 0 to {@link #nodes()} - 1
     * @param object makes it; called once, on that node only
     * @throws IllegalArgumentException if name or node is not possible; if {@code type} is no
     *     interface, or one of its methods has a type that does not travel, naming both; or if the
     *     name is already an object's with another interface or on another node, naming both. If
     *     nodes disagree, their calls throw {@link DsmException} and name both
     */
    <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object);

    /** Asynchronous calls of one node under way at a time. */
    int CALLS_MAX = 1024;

    /** Explicit messages between nodes. */
    Messages messages();

    /**
     * Charges private computation: empty in live runs, virtual time in the simulator. Call it at a
     * natural grain, such as once a row.
     *
     * @param units simple operations, such as one multiplication and addition; 0 or more
     * @throws IllegalArgumentException if {@code units} is negative
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
