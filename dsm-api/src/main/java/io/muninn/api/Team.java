package io.muninn.api;

/**
 * All application threads of all nodes, as the sequential part of a {@link LoopProgram} uses them.
 * A loop begins when this thread starts it, and ends when every thread has run its indices; so this
 * thread sees all stores of the loop, and bodies see all stores before it.
 *
 * <p><b>Ranges.</b> A range is a {@link Band}: {@code from} to {@code to} (exclusive), empty if
 * {@code to} is not above {@code from}. Indices count from 0. A loop that needs negative ones adds
 * an offset in its body. A {@link Domain} is two or three of them, for loops whose bodies take as
 * many indices.
 *
 * <p><b>Cost.</b> A message to each other node and one back, as for a barrier; the same again for
 * each further {@link Reduction#BYTES_MAX} of a thread's result. A loop over an empty domain sends
 * nothing.
 *
 * <p><b>Results.</b> A range is divided into parts that depend on its length only, and their values
 * are combined in order of index. So a sum of doubles has the same bits under every schedule, on
 * any number of nodes and threads. For arrays, and for values that the program combines by itself,
 * there is one part for each thread, so the number of threads matters. Arrays of all parts have the
 * same length, which must therefore not depend on the part; arrays in a record may have any length.
 *
 * <p><b>Errors.</b> An exception of a body ends that thread's share; the others finish theirs, and
 * {@link LoopException} names loop, node and index. The team stays usable. A body that ends with a
 * lock held that it has acquired is an error: the lock is released, and the exception names it.
 *
 * <p><b>Nested use.</b> A loop that is started within the body of another runs in place, in the
 * thread that starts it, with the same result.
 *
 * <p><b>Barriers.</b> A thread of a team cannot use another barrier: other threads do not run the
 * same parts of the program as often. {@link DsmBarrier#await}, {@link DsmNode#reduce} and {@link
 * DsmNode#allocate} throw {@link IllegalStateException}, also in a team of one thread. The end of a
 * loop is a barrier, and {@link #allocate} is for the sequential part.
 *
 * <p><b>Threads.</b> The root's first thread, and within a body the thread that runs it.
 */
public interface Team {
    /** This thread's view of the cluster. */
    DsmNode node();

    /**
     * Runs a loop over a domain.
     *
     * @throws IllegalArgumentException if the loop is not a field of the program, if its body takes
     *     another number of indices, if it has a result, or if its parameters are too large
     * @throws LoopException if a body threw
     */
    <P> void forEach(Domain domain, Schedule schedule, Loop<P, None> loop, P parameters);

    /**
     * Runs a loop over a domain and returns its result.
     *
     * @throws IllegalArgumentException if the loop is not a field of the program, if its body takes
     *     another number of indices, if it has no result, or if its parameters are too large; if
     *     the domain is empty and the body, run once for no index, throws or returns null
     * @throws IllegalStateException if parts return arrays of different lengths, or if the operator
     *     of the program throws, naming the parts and their values
     * @throws LoopException if a body threw, or returned null to an operator that cannot combine it
     */
    <P, T> T reduce(Domain domain, Schedule schedule, Loop<P, T> loop, P parameters);

    /**
     * Runs a loop over a domain of two ranges in which the body of (row, column) uses the stores of
     * the bodies of (row - 1, column) and (row, column - 1), and so of all bodies above and to the
     * left. Each thread has a contiguous share of the rows and runs it column by column; it begins
     * a column when the thread above has run it. So threads wait for one another, but not at a
     * barrier for each diagonal.
     *
     * <p>The loop takes as long as {@code positions - 1} columns of a thread's rows more than
     * evenly divided work. So let a body run a tile, with several times as many columns of tiles as
     * threads, and at least as many rows. Parts of a domain that do not depend on each other are
     * faster as {@link #forEach}.
     *
     * <p><b>Cost.</b> That of a loop, and a message for each column from each node but the last to
     * the next.
     *
     * @throws IllegalArgumentException if domain and body do not have two indices, or as {@link
     *     #forEach(Domain, Schedule, Loop, Object)}
     * @throws LoopException if a body threw; those below and to the right are not run then
     */
    <P> void wavefront(Domain domain, Loop<P, None> loop, P parameters);

    /** As {@link #wavefront(Domain, Loop, Object)}, without parameters. */
    default void wavefront(Domain domain, Loop<None, None> loop) {
        wavefront(domain, loop, None.NONE);
    }

    /**
     * Runs the loops that {@code loops} starts by {@link #forEach}, without waiting between them:
     * every thread runs its share of the first, then its share of the second, and so on. They begin
     * when {@code loops} has returned, and see the stores that it has made. This method returns
     * when all loops have ended.
     *
     * <pre>{@code
     * team.nowait(() -> {
     *     team.forEach(0, n, scale);
     *     team.forEach(0, n, shift);
     * });
     * }</pre>
     *
     * <p><b>Order.</b> A body sees the stores of its own thread in earlier loops. Under {@link
     * Schedule#BLOCK} and under equal chunks in turn, a thread runs the same indices of equal
     * domains. It need not see the stores of other threads before this method has returned.
     *
     * <p><b>Cost.</b> That of one loop.
     *
     * @param loops runs in the calling thread; starts no loop with a result and no wavefront
     * @throws IllegalArgumentException as {@link #forEach(Domain, Schedule, Loop, Object)}; no loop
     *     is run then
     * @throws IllegalStateException if a loop has a result or is a wavefront; no loop is run then
     * @throws LoopException if a body threw; its thread has run none of the later loops
     */
    void nowait(Runnable loops);

    /**
     * Allocates a shared variable whose shape is known only during the run; its elements are zero.
     * The variable is assigned to the program's field of that name, on every node, so that bodies
     * of later loops can use it.
     *
     * <pre>{@code
     * DoubleArray values; // neither final nor annotated
     *
     * public void run(Team team) throws IOException {
     *     team.allocate("values", DoubleArray.of(readLength()), Protocol.LAZY);
     * }
     * }</pre>
     *
     * <p><b>Cost.</b> Those of two loops.
     *
     * @param field a field of the program, neither static nor final; the variable gets its name
     * @param shape a new instance, of any type but {@link StructArray}
     * @return {@code shape}, ready for use
     * @throws IllegalArgumentException as {@link DsmNode#allocate(String, SharedVariable, Protocol,
     *     Home)}, or if there is no such field
     * @throws IllegalStateException in the body of a loop or in {@link #nowait}, or if the shape is
     *     in use
     * @throws DsmException if another node cannot allocate it
     */
    <V extends SharedVariable> V allocate(String field, V shape, Protocol protocol, Home home);

    /** As {@link #allocate(String, SharedVariable, Protocol, Home)}, with the default home. */
    default <V extends SharedVariable> V allocate(String field, V shape, Protocol protocol) {
        return allocate(field, shape, protocol, Home.BANDED);
    }

    /**
     * Seals a variable that the team has allocated, when loops have filled it: a later store
     * through it is an error on every node, as to a {@link Protocol#READ_ONLY} variable. The
     * protocol stays as it is; {@link Protocol#HOME_BASED} suits variables that all nodes fill and
     * then read.
     *
     * <p><b>Cost.</b> That of a loop.
     *
     * @param field as for {@link #allocate(String, SharedVariable, Protocol, Home)}
     * @throws IllegalArgumentException if the team has not allocated such a variable
     * @throws IllegalStateException in the body of a loop or in {@link #nowait}
     */
    void seal(String field);

    /** As {@link #forEach(Domain, Schedule, Loop, Object)}, without parameters, by blocks. */
    default void forEach(Domain domain, Loop<None, None> loop) {
        forEach(domain, Schedule.BLOCK, loop, None.NONE);
    }

    /** As {@link #forEach(Domain, Schedule, Loop, Object)}, by blocks. */
    default <P> void forEach(Domain domain, Loop<P, None> loop, P parameters) {
        forEach(domain, Schedule.BLOCK, loop, parameters);
    }

    /** As {@link #reduce(Domain, Schedule, Loop, Object)}, without parameters, by blocks. */
    default <T> T reduce(Domain domain, Loop<None, T> loop) {
        return reduce(domain, Schedule.BLOCK, loop, None.NONE);
    }

    /** As {@link #reduce(Domain, Schedule, Loop, Object)}, by blocks. */
    default <P, T> T reduce(Domain domain, Loop<P, T> loop, P parameters) {
        return reduce(domain, Schedule.BLOCK, loop, parameters);
    }

    /** As {@link #forEach(Domain, Schedule, Loop, Object)}, over one range. */
    default <P> void forEach(Band range, Schedule schedule, Loop<P, None> loop, P parameters) {
        forEach(Domain.of(range), schedule, loop, parameters);
    }

    /** As {@link #reduce(Domain, Schedule, Loop, Object)}, over one range. */
    default <P, T> T reduce(Band range, Schedule schedule, Loop<P, T> loop, P parameters) {
        return reduce(Domain.of(range), schedule, loop, parameters);
    }

    /**
     * Runs a loop without parameters over {@code from} to {@code to} (exclusive), by blocks.
     *
     * @throws IllegalArgumentException as {@link #forEach(Domain, Schedule, Loop, Object)}, or if
     *     the range contains a negative index, naming both ends
     */
    default void forEach(int from, int to, Loop<None, None> loop) {
        forEach(new Band(from, to), Schedule.BLOCK, loop, None.NONE);
    }

    /** As {@link #forEach(int, int, Loop)}, with parameters. */
    default <P> void forEach(int from, int to, Loop<P, None> loop, P parameters) {
        forEach(new Band(from, to), Schedule.BLOCK, loop, parameters);
    }

    /** As {@link #reduce(Band, Schedule, Loop, Object)}, without parameters, by blocks. */
    default <T> T reduce(int from, int to, Loop<None, T> loop) {
        return reduce(new Band(from, to), Schedule.BLOCK, loop, None.NONE);
    }

    /** As {@link #reduce(Band, Schedule, Loop, Object)}, by blocks. */
    default <P, T> T reduce(int from, int to, Loop<P, T> loop, P parameters) {
        return reduce(new Band(from, to), Schedule.BLOCK, loop, parameters);
    }
}
