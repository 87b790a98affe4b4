package io.muninn.api;

/**
 * A parallel program over shared variables. Its fields annotated {@link Shared} are the shared
 * memory; every node constructs the same program and so declares the same variables. {@code dsm
 * run} constructs one more before it starts a node, to check what it declares.
 *
 * <p><b>Order.</b> {@link #initialize} runs once, on node 0, before any node runs. Then {@link
 * #initializePart} and {@link #run} run on every application thread of every node. When all have
 * returned, {@link #verify} runs once, on node 0.
 *
 * <p><b>Errors.</b> An exception of any method ends the run on every node. Blocked calls of other
 * threads throw {@link DsmException}, and the run fails with the first throwable as its cause.
 *
 * <p><b>Threads.</b> All application threads of a node use one program object. Fields that are not
 * shared variables are private to the node; its threads share them as in any Java object.
 *
 * <p>Source: Munin §3.1 and §4.2 (sequential initialization on the root).
 */
public interface DsmProgram {
    /**
     * Fills the shared variables. Runs on node 0 alone, on application thread 0, before any thread
     * runs. All threads see its stores. Locks may be used. No other thread would arrive at a
     * barrier, so barriers, reductions and allocations throw {@link IllegalStateException}.
     */
    default void initialize(DsmNode root) throws Exception {}

    /**
     * Fills this thread's part of the shared variables: called once per application thread, on
     * every node, at the same time, after {@link #initialize} and before {@link #run}. Threads see
     * the stores of {@code initialize}; when {@code run} begins, each sees the stores of all. A
     * program that does not override it has only {@code initialize}.
     *
     * <pre>{@code
     * public void initializePart(DsmNode node) {
     *     Band rows = node.band(input.rows());
     *     for (int row = rows.from(); row < rows.to(); row++) { … }
     * }
     * }</pre>
     *
     * <p>Then {@link Protocol#READ_ONLY} variables may be stored to here, too, and each is {@link
     * Protocol#HOME_BASED} with its declared home, unless the run overrides it; they are sealed
     * when all threads have returned. So a node that fills the pages of which it is the {@link
     * Home} sends none of them to the root; a page costs it two short messages.
     *
     * <p>Locks, barriers and all else of {@code run} may be used.
     */
    default void initializePart(DsmNode node) throws Exception {}

    /** The parallel part: called once per application thread, on every node, at the same time. */
    void run(DsmNode node) throws Exception;

    /**
     * Checks the result on node 0, on application thread 0, after every thread's {@link #run} has
     * returned: it sees the stores of all threads. Other nodes keep their pages until it returns.
     * Barriers, reductions and allocations throw, as in {@link #initialize}.
     *
     * @return not null; {@link Verdict#unchecked} if it checks nothing
     */
    default Verdict verify(DsmNode root) throws Exception {
        return Verdict.unchecked();
    }
}
