package io.muninn.api;

import java.util.Objects;

/**
 * The assignment of the indices of a parallel loop to threads.
 *
 * @param kind how indices are assigned
 * @param chunk number of indices assigned at a time, at least 1; of no effect under {@link
 *     Kind#BLOCK}
 */
public record Schedule(Kind kind, int chunk) {
    /** How indices are assigned. */
    public enum Kind {
        /** One contiguous share per thread, as {@link Band#of} divides them. */
        BLOCK,
        /** Chunks in turn: chunk k to the thread at position k modulo the number of threads. */
        CYCLIC,
        /** The next chunk to the next thread that requests one: a shipped call for each chunk. */
        DYNAMIC,
        /** As dynamic; chunks begin large and shrink, to {@code chunk} at last. */
        GUIDED
    }

    /** One contiguous share per thread: the default. */
    public static final Schedule BLOCK = new Schedule(Kind.BLOCK, 1);

    /** Indices in turn, one by one. */
    public static final Schedule CYCLIC = new Schedule(Kind.CYCLIC, 1);

    /**
     * @throws IllegalArgumentException if the chunk is less than 1
     * @throws NullPointerException if there is no kind
     */
    public Schedule {
        Objects.requireNonNull(kind, "a schedule without a kind: BLOCK is the default");
        if (chunk < 1) {
            throw new IllegalArgumentException(
                    "schedule " + kind + " with a chunk of " + chunk + ": at least 1 index");
        }
    }

    /** Chunks of {@code chunk} indices in turn. */
    public static Schedule chunked(int chunk) {
        return new Schedule(Kind.CYCLIC, chunk);
    }

    /**
     * Chunks of {@code chunk} indices to the threads that request them. Choose chunks that take a
     * millisecond or more.
     */
    public static Schedule dynamic(int chunk) {
        return new Schedule(Kind.DYNAMIC, chunk);
    }

    /**
     * Chunks to the threads that request them: a fraction of the remaining indices, at least {@code
     * least}.
     */
    public static Schedule guided(int least) {
        return new Schedule(Kind.GUIDED, least);
    }
}
