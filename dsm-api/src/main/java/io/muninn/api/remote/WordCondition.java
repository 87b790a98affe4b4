package io.muninn.api.remote;

import io.muninn.api.Comparison;
import java.lang.foreign.MemorySegment;

/**
 * A condition of one word.
 *
 * @param offset in the remote memory, in bytes
 * @param value that the word is compared with, as {@link WordKind} says
 */
public record WordCondition(WordKind kind, long offset, Comparison comparison, long value) {
    /** Whether it holds now; an acquire. */
    public boolean holds(MemorySegment memory) {
        return RemoteWord.holds(kind, RemoteWord.get(memory, kind, offset), comparison, value);
    }
}
