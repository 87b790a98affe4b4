package io.muninn.api;

import java.util.Objects;

/**
 * Which thread runs which indices of a parallel loop.
 *
 * @param kind how indices are handed out
 * @param chunk how many at a time, at least 1; of no effect under {@link Kind#BLOCK}
 */
public record Schedule(Kind kind, int chunk) {
    /** How indices are handed out. */
    public enum Kind {
        /** Each thread one contiguous share, as {@link Band#of} divides them. */
        BLOCK,
        /** Chunks in turn: chunk k to the thread at position k modulo the number of threads. */
        CYCLIC,
        /** The next chunk to whoever asks: a shipped call for each chunk. */
        DYNAMIC,
        /** As dynamic; chunks begin large and shrink, to {@code chunk} at last. */
        GUIDED
    }

    /** Each thread one contiguous share: the default. */
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

    /** Chunks of so many indices in turn. */
    public static Schedule chunked(int chunk) {
        return new Schedule(Kind.CYCLIC, chunk);
    }

    /** Chunks of so many indices to whoever asks. Choose chunks that take a millisecond or more. */
    public static Schedule dynamic(int chunk) {
        return new Schedule(Kind.DYNAMIC, chunk);
    }

    /** Chunks to whoever asks: a part of what is left, at least so many indices. */
    public static Schedule guided(int least) {
        return new Schedule(Kind.GUIDED, least);
    }
}
