package io.muninn.agent.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.pool.PoolWords;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Words of memory that processes share, changed by the processor's atomic instructions.
 *
 * <p><b>Threads.</b> Any.
 */
record SegmentWords(MemorySegment memory) implements PoolWords {
    private static final VarHandle LONGS = JAVA_LONG.varHandle();

    private static long offset(int word) {
        return (long) word * Long.BYTES;
    }

    @Override
    public long get(int word) {
        return (long) LONGS.getVolatile(memory, offset(word));
    }

    @Override
    public long getAndOr(int word, long bits) {
        return (long) LONGS.getAndBitwiseOr(memory, offset(word), bits);
    }

    @Override
    public long getAndAnd(int word, long bits) {
        return (long) LONGS.getAndBitwiseAnd(memory, offset(word), bits);
    }

    @Override
    public long getAndSet(int word, long value) {
        return (long) LONGS.getAndSet(memory, offset(word), value);
    }

    @Override
    public boolean compareAndSet(int word, long expected, long value) {
        return LONGS.compareAndSet(memory, offset(word), expected, value);
    }
}
