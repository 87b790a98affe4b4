package io.muninn.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An application thread's view of the cluster: its position, and the means to synchronize.
 *
 * <p><b>Order.</b> Usable from {@link DsmProgram#initialize} to {@link DsmProgram#verify}.
 *
 * <p><b>Names.</b> A name of a lock, reader-writer lock, condition, barrier, variable, shipped
 * object or reduction is Unicode text of 1 to 200 bytes of UTF-8; other names throw {@link
 * IllegalArgumentException}. A text with an unpaired surrogate is not Unicode text. Equal names
 * denote the same on every node.
 *
 * <p><b>Errors.</b> Every call that may wait throws {@link NodeLostException} when a node is lost
 * and {@link DsmException} when the run has failed; so does every later call.
 *
 * <p><b>Threads.</b> Each application thread has its own instance, which must not be passed to
 * another thread. Locks and barriers obtained from it belong to that thread too; messages belong to
 * the whole node. {@link #lock}, {@link #readWriteLock}, {@link #barrier}, {@link #messages},
 * {@link #shipped}, {@link #refresh}, {@link #refreshUntil(BooleanSupplier) refreshUntil} and
 * {@link #allocate} throw {@link IllegalStateException} in a virtual thread.
 */
public interface DsmNode {
    /**
     * This node, 0 to {@link #nodes()} - 1; 0 is the root. In a run with several processes per
     * node, each process is a node here.
     */
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
     * Returns this thread's share of {@code total} rows, divided among all application threads of
     * the cluster. Shares are contiguous and differ by at most one row; some are empty if there are
     * more threads than rows.
     *
     * @throws IllegalArgumentException if {@code total} is negative
     */
    default Band band(int total) {
        return Band.of(total, position(), positions());
    }

    /**
     * Returns the lock with the given name. A name denotes the same lock on every node.
     *
     * @throws IllegalArgumentException if the name is invalid
     * @throws IllegalStateException if this node already uses {@link #LOCKS_MAX} other names
     */
    DsmLock lock(String name);

    /**
     * Returns the reader-writer lock with the given name, for data that many threads load and few
     * store. A name denotes the same reader-writer lock on every node; reader-writer locks and
     * locks have separate name spaces.
     *
     * @throws IllegalArgumentException if the name is invalid
     * @throws IllegalStateException if this node already uses {@link #LOCKS_MAX} other names
     */
    DsmReadWriteLock readWriteLock(String name);

    /**
     * Largest number of different locks that one node may use in a run: each has a word in memory
     * that the application shares with its agent. A name stays in use until the run ends. Each
     * reader-writer lock counts as one, and each shipped object that the node serves uses one.
     */
    int LOCKS_MAX = 8192;

    /** Returns the barrier with the given name for all application threads of the cluster. */
    DsmBarrier barrier(String name);

    /**
     * Returns the barrier with the given name for {@code parties} application threads. Locks and
     * barriers have separate name spaces. Every call for one barrier must give the same number of
     * parties.
     *
     * @param parties 1 to {@link #positions()}
     * @throws IllegalArgumentException if {@code parties} is out of range or differs from an
     *     earlier call, or if the name is invalid
     */
    DsmBarrier barrier(String name, int parties);

    /**
     * All application threads of the cluster as a group: for parallel loops in which every thread
     * takes part, and to divide the threads. Always the same object.
     */
    Group group();

    /**
     * Waits until every application thread of the cluster has arrived with a contribution, and
     * returns the combined result: {@link DsmBarrier#await(Reduction, Object)} at a barrier
     * reserved for this method.
     */
    default <T> T reduce(Reduction<T> reduction, T contribution) {
        return barrier(Reduction.BARRIER).await(reduction, contribution);
    }

    /** As {@link #reduce}: the sum of the contributions of all application threads. */
    default double sum(double contribution) {
        return reduce(Reduction.SUM_OF_DOUBLE, contribution);
    }

    /** As {@link #reduce}: the sum of the contributions of all application threads. */
    default long sum(long contribution) {
        return reduce(Reduction.SUM_OF_LONG, contribution);
    }

    /** As {@link #reduce}: the largest contribution of all application threads. */
    default double max(double contribution) {
        return reduce(Reduction.MAX_OF_DOUBLE, contribution);
    }

    /**
     * Returns a shipped object that is served by node 0; see {@link #shipped(String, Class, int,
     * Supplier)}.
     *
     * <pre>{@code
     * TourQueue tours = node.shipped("tours", TourQueue.class, HeapTourQueue::new);
     * }</pre>
     */
    default <T> T shipped(String name, Class<T> type, Supplier<? extends T> object) {
        return shipped(name, type, 0, object);
    }

    /**
     * Returns a shipped object: an ordinary Java object in the application process of one node, to
     * which calls from all nodes are sent. The returned proxy implements the interface on every
     * node. Every node must call this method, including the serving node: calls of the object wait
     * until the serving node has done so, and throw {@link DsmException} if its program ends first.
     * Later calls of this method return the same proxy, from any thread.
     *
     * <p><b>Values.</b> Arguments and results are primitives and their boxes, {@code String},
     * enums, primitive arrays, records, sealed interfaces of records, and {@code List}, {@code Map}
     * and {@code Optional} of these; references may be null. Records and interfaces may be generic,
     * with type arguments of these types; a wildcard stands for its bound. They are passed by
     * value: neither side ever refers to an object of the other, also on the serving node itself.
     * Lists and maps arrive as new, modifiable ones. Arguments and result take at most {@link
     * Messages#BYTES_MAX} bytes each.
     *
     * <p><b>Order.</b> Calls of an object run one at a time, in the order in which they reach its
     * node. Calls that one thread makes to one object run in program order. A call is a release and
     * an acquire on both sides: the object sees the caller's earlier stores to shared variables,
     * and the caller sees the object's stores afterwards, under every protocol.
     *
     * <p><b>Where.</b> Calls from other nodes run on a thread dedicated to the object. It is an
     * application thread, which may access shared variables, take locks, send messages and call
     * other shipped objects, with any {@code DsmNode} of its node; barriers and allocations throw
     * within a call. Calls from the serving node run on their callers' threads. The first call
     * creates the object. During {@link DsmProgram#initialize} only objects of the root can be
     * called.
     *
     * <p><b>Asynchronous calls.</b> A method that returns {@code CompletableFuture<R>} returns at
     * once, also on the serving node. Its future completes when the reply arrives, or
     * exceptionally. The object's own method returns a future, for which the object's thread waits.
     * Up to {@value #CALLS_MAX} calls of one node may be in progress; a further call waits until
     * one of them has ended. The completion of the future is the caller's acquire. Stages attached
     * without an executor run on the thread that completes the node's futures, and must not block.
     * In a simulation, wait only on these futures or on stages derived from them; the simulator
     * cannot detect waits on futures created by {@code CompletableFuture.allOf}.
     *
     * <p><b>Errors.</b> An exception of a call is thrown to its caller. It has the same type and
     * message if that type is unchecked or declared, and if one of its usual constructors makes an
     * equal exception; otherwise it is a {@link ShippedCallException}, which has the rules. Fields
     * do not travel: an exception whose fields differ from those that its constructor sets arrives
     * as a {@code ShippedCallException}. Its cause is a {@code ShippedCallException} with the stack
     * trace of the serving node; if the type's constructor fixes another cause, this one is
     * suppressed.
     *
     * <p>A call carries its chain: the objects within whose calls it is made, and the locks that
     * its callers hold. A call of an object in its own chain, and a wait for a lock that its chain
     * holds, would wait for ever, also with asynchronous calls between; they throw {@link
     * IllegalStateException} naming both. Two chains that wait for each other are not detected.
     *
     * @param name the same on every node; objects have a name space of their own
     * @param type the interface; not generic, any access
     * @param node the node that serves it, 0 to {@link #nodes()} - 1
     * @param object creates the object; called once, on that node only
     * @throws IllegalArgumentException if the name or the node is invalid; if {@code type} is not
     *     an interface, or one of its methods has a type that cannot be shipped, naming both; or if
     *     the name already denotes an object with another interface or on another node, naming
     *     both. If nodes disagree, their calls throw {@link DsmException} naming both
     */
    <T> T shipped(String name, Class<T> type, int node, Supplier<? extends T> object);

    /** Largest number of asynchronous calls of one node in progress at a time. */
    int CALLS_MAX = 1024;

    /** Returns the explicit messages of this node. */
    Messages messages();

    /**
     * Charges private computation. Does nothing in live runs; costs virtual time in the simulator.
     * Call it at a natural granularity, such as once per row.
     *
     * @param units number of simple operations, such as one multiplication and addition; 0 or more
     * @throws IllegalArgumentException if {@code units} is negative
     */
    void work(long units);

    /**
     * Allocates a shared variable while the program runs; its elements are zero. The call is
     * collective: every application thread of the cluster makes the same calls in {@link
     * DsmProgram#run}, in the same order, with equal arguments and a shape instance of its own.
     *
     * @param name not yet the name of a variable
     * @param shape a new instance, such as {@code DoubleArray.of(100)}
     * @param protocol any but {@link Protocol#READ_ONLY}, because the variable could not be filled:
     *     see {@link #allocateReadOnly}; a run may override it
     * @param home which node is the home of each page; ignored under a protocol without homes
     * @return {@code shape}, ready for use
     * @throws IllegalArgumentException if the name is invalid or in use, the protocol is not
     *     allowed, or the variable is too large
     * @throws IllegalStateException where a {@link DsmBarrier} throws it, or if the shape is in use
     * @throws NullPointerException if the protocol or the home is null
     * @throws DsmException if application threads disagree, naming the difference
     */
    <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol, Home home);

    /** As {@link #allocate(String, SharedVariable, Protocol, Home)}, with the default home. */
    default <V extends SharedVariable> V allocate(String name, V shape, Protocol protocol) {
        return allocate(name, shape, protocol, Home.BANDED);
    }

    /**
     * Allocates a shared variable that is filled once, by all threads, and only read afterwards.
     * The call is collective, as {@link #allocate(String, SharedVariable, Protocol, Home)} is. It
     * ends when all threads have filled their parts; then every thread sees all stores, and a later
     * store through the view is an error, as to a {@link Protocol#READ_ONLY} variable.
     *
     * <pre>{@code
     * DoubleArray table = node.allocateReadOnly(
     *         "table", DoubleArray.of(n), Home.BANDED, view -> fill(view, node.band(n)));
     * }</pre>
     *
     * <p>The variable is {@link Protocol#HOME_BASED} unless the run overrides it: what a node
     * stores to pages of which it is the home stays there, for two short messages a page, and other
     * nodes fetch each page once.
     *
     * @param fill stores this thread's part, or nothing; it can use no barrier
     * @return {@code shape}, which can be read
     * @throws IllegalArgumentException as {@link #allocate(String, SharedVariable, Protocol,
     *     Home)}, as all other exceptions
     */
    <V extends SharedVariable> V allocateReadOnly(
            String name, V shape, Home home, Consumer<? super V> fill);

    /**
     * Waits until all operations on remote variables that this node has begun are performed: those
     * without an answer, of open aggregators of this thread, and asynchronous ones. Every release
     * of the node waits for them, too, so this is for programs that synchronize by remote variables
     * only. OpenSHMEM {@code shmem_quiet}; UPC++: waiting for an empty promise; Chapel {@code
     * fence}.
     */
    void remoteFence();

    /**
     * Makes the stores of all other nodes visible to this thread, for programs that poll without a
     * lock. It acquires everything that every other node has stored when it replies, whether its
     * threads have synchronized since or not. It never waits for the program of another node, only
     * for the other nodes' agents: it costs a request and a reply for each. It releases nothing:
     * this node's own stores are not sent. It may be called anywhere, also with locks held, within
     * a call of a shipped object, and while other threads of the node wait at a barrier or refresh.
     * Does nothing in a cluster of one node.
     *
     * <p>A load after the refresh may see stores that are later than the refresh, and miss others
     * that their node has made before them. A thread that waits for a flag and then uses data
     * stored before the flag calls {@link #refreshUntil(BooleanSupplier)}.
     */
    void refresh();

    /**
     * Refreshes until a condition holds, and once more. All stores that the other nodes have made
     * before the stores that fulfil the condition are then visible to this thread.
     *
     * <pre>{@code
     * data.set(round, x);                                          // one node
     * flag.setVolatile(0, round);
     *
     * node.refreshUntil(() -> flag.getVolatile(0) >= round);       // another
     * double x = data.get(round);
     * }</pre>
     *
     * <p>Each round costs as much as a {@link #refresh}; the last one is needed because the loads
     * of the condition may see stores that the refresh before them has not acquired. An interrupt
     * does not end the wait; it stays pending.
     *
     * @param condition loads with {@code getVolatile}; it is tested at once, then after each
     *     refresh, and should hold for good once it holds
     */
    void refreshUntil(BooleanSupplier condition);

    /**
     * As {@link #refreshUntil(BooleanSupplier)}, for about the given time at most.
     *
     * @throws TimeoutException if the condition did not hold in time; it is tested at least once
     */
    void refreshUntil(BooleanSupplier condition, long time, TimeUnit unit) throws TimeoutException;

    /**
     * Returns the counts of this node so far, for all its threads, and for those of the processes
     * that share it.
     */
    Statistics statistics();
}
