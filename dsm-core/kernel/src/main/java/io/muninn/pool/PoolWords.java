package io.muninn.pool;

/**
 * Words of 64 bits that all nodes address. Every method is one atomic operation, and all of them
 * have one order, which contains that of each thread.
 *
 * <p><b>Threads.</b> Any, of any node.
 */
public interface PoolWords {
    long get(int word);

    /** Sets bits, and returns the word before. */
    long getAndOr(int word, long bits);

    /** Clears all other bits, and returns the word before. */
    long getAndAnd(int word, long bits);

    long getAndSet(int word, long value);

    /**
     * @return true if the word was {@code expected}, and is {@code value} now
     */
    boolean compareAndSet(int word, long expected, long value);
}
