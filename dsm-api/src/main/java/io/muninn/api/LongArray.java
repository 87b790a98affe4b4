package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * A shared array of {@code long}, 8 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class LongArray extends SharedVariable {
    private static final VarHandle HANDLE = ValueLayout.JAVA_LONG.varHandle();

    private final int length;
    private LongBuffer loads = empty().asLongBuffer();
    private LongBuffer stores = loads;

    private LongArray(ViewSpec spec, int length) {
        super(spec);
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static LongArray of(int length) {
        String type = "long[" + length + "]";
        long bytes = checkedBytes(type, length, Long.BYTES);
        return new LongArray(new ViewSpec(type, bytes, Long.BYTES), length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static LongArray local(int length) {
        LongArray view = of(length);
        view.bindLocally();
        return view;
    }

    @Override
    void onMemory(ByteBuffer loaded, ByteBuffer stored) {
        loads = loaded.asLongBuffer();
        stores = stored.asLongBuffer();
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public long get(int index) {
        LongBuffer elements = loads;
        try {
            return isLarge
                    ? memory.get(ValueLayout.JAVA_LONG, load((long) index << 3, Long.BYTES))
                    : elements.get(load(index));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Stores one element. */
    public void set(int index, long value) {
        LongBuffer elements = stores;
        try {
            if (isLarge) {
                memory.set(ValueLayout.JAVA_LONG, store((long) index << 3, Long.BYTES), value);
            } else {
                elements.put(store(index), value);
            }
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Loads one element with the memory effects of a volatile load. */
    public long getVolatile(int index) {
        MemorySegment elements = memory;
        long offset = (long) index << 3;
        try {
            return (long) HANDLE.getVolatile(elements, load(offset, Long.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, offset, cause);
        }
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, long value) {
        MemorySegment elements = memory;
        long offset = (long) index << 3;
        try {
            HANDLE.setVolatile(elements, store(offset, Long.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, offset, cause);
        }
    }

    /**
     * Adds to one element. Atomic between the threads of a node, and between nodes unless the
     * protocol of the variable {@linkplain Protocol#mergesStores merges stores}.
     *
     * @return the previous value
     * @throws IllegalStateException if the protocol does and is not the declared one: the run has
     *     several nodes, and overrides a protocol under which the update would be atomic
     */
    public long getAndAdd(int index, long amount) {
        link.requireAtomic("getAndAdd");
        MemorySegment elements = memory;
        long offset = (long) index << 3;
        try {
            return (long) HANDLE.getAndAdd(elements, store(offset, Long.BYTES), amount);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, offset, cause);
        }
    }

    /**
     * Stores {@code next} if the element is {@code expected}. Atomic between the threads of a node,
     * and between nodes unless the protocol of the variable {@linkplain Protocol#mergesStores
     * merges stores}.
     *
     * @return true if the element was {@code expected}
     * @throws IllegalStateException as {@link #getAndAdd}
     */
    public boolean compareAndSet(int index, long expected, long next) {
        link.requireAtomic("compareAndSet");
        MemorySegment elements = memory;
        long offset = (long) index << 3;
        try {
            return HANDLE.compareAndSet(elements, store(offset, Long.BYTES), expected, next);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, offset, cause);
        }
    }

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return {@code (to - from) * 8} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, length, Long.BYTES, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, long[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count, length);
        MemorySegment.copy(
                memory,
                ValueLayout.JAVA_LONG,
                load((long) from << 3, (long) count << 3),
                target,
                targetFrom,
                count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, long[] source, int sourceFrom, int count) {
        checkStore(to, count, length);
        MemorySegment.copy(
                source,
                sourceFrom,
                memory,
                ValueLayout.JAVA_LONG,
                store((long) to << 3, (long) count << 3),
                count);
    }

    /** Stores {@code value} to every element. */
    public void fill(long value) {
        checkStore(0, length, length);
        store(0, (long) length << 3);
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_LONG, (long) i << 3, value);
        }
    }
}
