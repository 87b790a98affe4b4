package io.muninn.application;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A set of bits that threads set and take at the same time.
 *
 * <p><b>Threads.</b> Any. What a thread sets is in what another takes afterwards; a look without
 * setting may be stale.
 */
final class AtomicBits {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words;

    AtomicBits(long bits) {
        words = new long[Math.toIntExact(bits + 63 >>> 6)];
    }

    /** The number of words of 64 bits. */
    int words() {
        return words.length;
    }

    /** True if the bit is set. */
    boolean get(long bit) {
        return (words[(int) (bit >>> 6)] & 1L << bit) != 0;
    }

    /** Sets a bit. Returns true if it was not set. */
    boolean set(long bit) {
        long mask = 1L << bit;
        return ((long) WORDS.getAndBitwiseOr(words, (int) (bit >>> 6), mask) & mask) == 0;
    }

    /** Returns the bits of a word, and clears them. */
    long take(int word) {
        return words[word] == 0 ? 0 : (long) WORDS.getAndSet(words, word, 0L);
    }
}
