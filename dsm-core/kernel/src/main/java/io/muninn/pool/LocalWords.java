package io.muninn.pool;

/**
 * The words of a coherent map in the memory of one process. Words that are zero take no memory, if
 * no word near them was ever another.
 *
 * <p><b>Threads.</b> One.
 */
public final class LocalWords implements PoolWords {
    private static final int CHUNK_BITS = 8;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final long[][] chunks; // null where all words of the chunk are zero

    public LocalWords(int words) {
        this.chunks = new long[Math.ceilDiv(words, CHUNK)][];
    }

    @Override
    public long get(int word) {
        long[] chunk = chunks[word >> CHUNK_BITS];
        return chunk == null ? 0 : chunk[word & (CHUNK - 1)];
    }

    @Override
    public long getAndOr(int word, long bits) {
        return getAndSet(word, get(word) | bits);
    }

    @Override
    public long getAndAnd(int word, long bits) {
        return getAndSet(word, get(word) & bits);
    }

    @Override
    public long getAndSet(int word, long value) {
        long before = get(word);
        if (value != before) {
            long[] chunk = chunks[word >> CHUNK_BITS];
            if (chunk == null) {
                chunk = new long[CHUNK];
                chunks[word >> CHUNK_BITS] = chunk;
            }
            chunk[word & (CHUNK - 1)] = value;
        }
        return before;
    }

    @Override
    public boolean compareAndSet(int word, long expected, long value) {
        boolean isExpected = get(word) == expected;
        if (isExpected) {
            getAndSet(word, value);
        }
        return isExpected;
    }
}
