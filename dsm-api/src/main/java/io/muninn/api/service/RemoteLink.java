package io.muninn.api.service;

import io.muninn.api.remote.WordCondition;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;

/**
 * The requests of remote variables to the kernel, for the calling thread, and the memory that this
 * process accesses itself. Operations are bytes of {@link io.muninn.api.remote.RemoteOperations},
 * for words of one home.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface RemoteLink {
    /** The memory of all remote variables; only words of direct homes may be accessed. */
    MemorySegment memory();

    /**
     * True if this process may access the words of a home.
     *
     * @param node the home, as the program numbers nodes
     */
    boolean isDirect(int node);

    /** Has operations performed by their home and waits for the answer. */
    byte[] call(int home, byte[] operations);

    /**
     * Has operations without an answer performed. Returns when they are accepted: later requests of
     * the node to that home are performed after them.
     */
    void post(int home, byte[] operations);

    /**
     * As {@link #post}, for operations with an answer, which {@link ObjectLink#awaitCompletion}
     * returns.
     */
    void begin(long number, int home, byte[] operations);

    /** Waits until all accepted operations of the node are performed. */
    void fence();

    /**
     * Waits for a condition of a word.
     *
     * @param limitNanos negative for no limit
     */
    void await(int home, WordCondition condition, long limitNanos) throws TimeoutException;

    /** Called before each direct access: counts it. */
    default void accesses() {}

    /** Called after each direct update in a simulation. */
    default void updated() {}
}
