package io.muninn.api.spi;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way of a remote variable to its words: those of some homes are memory of this process, the
 * others are reached through the node's kernel.
 *
 * <p><b>Shape.</b> Offsets are in bytes from the start of the remote memory, which has the words of
 * all remote variables. Operations of one call have one home.
 *
 * <p><b>Errors.</b> Calls throw {@link io.muninn.api.NodeLostException} when a node is lost and
 * {@link io.muninn.api.DsmException} when the run has failed.
 *
 * <p><b>Threads.</b> Direct access: any. Calls: any application thread.
 */
public interface RemoteAccess {
    /** The remote memory. Only the words of homes that are {@link #isDirect} may be accessed. */
    MemorySegment memory();

    /** Offset of the variable in the remote memory. */
    long start();

    /** This node. */
    int node();

    /** The home of a word, 0 to the nodes of the cluster - 1. */
    int home(long offset);

    /** True if this process may access the words of that word's home in {@link #memory}. */
    boolean isDirect(long offset);

    /** True if that holds of all words. */
    boolean isAllDirect();

    /** Called before each direct access, which is counted, and takes time in a simulation. */
    default void accesses() {}

    /** Called after each direct update in a simulation. */
    default void updated() {}

    /**
     * Waits until all operations that this process has posted before are performed; returns at once
     * if there are none.
     */
    void order();

    /** Has operations performed and waits for their answer. */
    byte[] call(int home, RemoteOperations operations);

    /**
     * Has operations without an answer performed, and continues. Waits while too much is
     * outstanding.
     */
    void post(int home, RemoteOperations operations);

    /** As {@link #post}, for operations with an answer. */
    CompletableFuture<byte[]> begin(int home, RemoteOperations operations);

    /** A future that is complete. */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    <T extends @Nullable Object> CompletableFuture<T> completed(T value);

    /**
     * Waits for a condition.
     *
     * @param limitNanos longest wait; negative for no limit
     * @throws TimeoutException if it does not hold in time
     */
    void await(WordCondition condition, long limitNanos) throws TimeoutException;

    /**
     * The calling thread collects operations from now on, until {@link #closed}.
     *
     * @param flush has them performed or posted; called before each release of the thread
     */
    void opened(Runnable flush);

    void closed(Runnable flush);

    /** Flushes what the calling thread has collected. */
    void flushOpen();
}
