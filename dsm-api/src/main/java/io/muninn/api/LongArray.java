package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A shared array of {@code long}, 8 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class LongArray extends SharedVariable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle HANDLE = ValueLayout.JAVA_LONG.varHandle();

    private final int length;

    private LongArray(ViewSpec spec, int length) {
        super(spec, length);
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

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public long get(int index) {
        long offset = load((long) loaded(index) << 3, Long.BYTES);
        long value = elements().get(LONG, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int index, long value) {
        long offset = store((long) stored(index) << 3, Long.BYTES);
        elements().set(LONG, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /** Loads one element with the memory effects of a volatile load. */
    public long getVolatile(int index) {
        return (long) HANDLE.getVolatile(memory, load((long) loaded(index) << 3, Long.BYTES));
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, long value) {
        HANDLE.setVolatile(memory, store((long) stored(index) << 3, Long.BYTES), value);
    }

    /** Loads one element with the memory effects of {@link VarHandle#getAcquire}. */
    public long getAcquire(int index) {
        return (long) HANDLE.getAcquire(memory, load((long) loaded(index) << 3, Long.BYTES));
    }

    /** Stores one element with the memory effects of {@link VarHandle#setRelease}. */
    public void setRelease(int index, long value) {
        HANDLE.setRelease(memory, store((long) stored(index) << 3, Long.BYTES), value);
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
        return (long)
                HANDLE.getAndAdd(memory, store((long) stored(index) << 3, Long.BYTES), amount);
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
        return HANDLE.compareAndSet(
                memory, store((long) stored(index) << 3, Long.BYTES), expected, next);
    }

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return {@code (to - from) * 8} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, long[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count);
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
        checkStores(to, (long) to + Math.max(count, 0));
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
        fill(0, length, value);
    }

    /**
     * Stores {@code value} to elements {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, long value) {
        fillBits(from, to, value);
    }
}
