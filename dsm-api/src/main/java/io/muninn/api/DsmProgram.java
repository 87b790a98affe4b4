package io.muninn.api;

/**
 * A parallel program over shared variables. Its fields annotated {@link Shared} are the shared
 * memory; every node constructs the same program and so declares the same variables.
 *
 * <p><b>Order.</b> {@link #initialize} runs once, on node 0, before any node runs. Then {@link
 * #run} runs on every application thread of every node. When all have returned, {@link #verify}
 * runs once, on node 0.
 *
 * <p>Source: Munin section 3.1 and section 4.2 (sequential initialization on the root).
 */
public interface DsmProgram {
    /** Fills the shared variables. Runs on node 0 alone, before the others start. */
    default void initialize(DsmNode root) throws Exception {}

    /** The parallel part: called once per application thread, on every node, at the same time. */
    void run(DsmNode node) throws Exception;

    /** Checks the result on node 0, after every thread's {@link #run} has returned. */
    default Verdict verify(DsmNode root) throws Exception {
        return Verdict.unchecked();
    }
}
