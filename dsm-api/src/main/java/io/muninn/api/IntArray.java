package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A shared array of {@code int}, 4 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class IntArray extends SharedVariable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final VarHandle HANDLE = ValueLayout.JAVA_INT.varHandle();

    private final int length;

    private IntArray(ViewSpec spec, int length) {
        super(spec, length);
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static IntArray of(int length) {
        String type = "int[" + length + "]";
        long bytes = checkedBytes(type, length, Integer.BYTES);
        return new IntArray(new ViewSpec(type, bytes, Integer.BYTES), length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static IntArray local(int length) {
        IntArray view = of(length);
        view.bindLocally();
        return view;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public int get(int index) {
        long offset = load((long) loaded(index) << 2, Integer.BYTES);
        int value = elements().get(INT, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int index, int value) {
        long offset = store((long) stored(index) << 2, Integer.BYTES);
        elements().set(INT, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /** Loads one element with the memory effects of a volatile load. */
    public int getVolatile(int index) {
        return (int) HANDLE.getVolatile(memory, load((long) loaded(index) << 2, Integer.BYTES));
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, int value) {
        HANDLE.setVolatile(memory, store((long) stored(index) << 2, Integer.BYTES), value);
    }

    /** Loads one element with the memory effects of {@link VarHandle#getAcquire}. */
    public int getAcquire(int index) {
        return (int) HANDLE.getAcquire(memory, load((long) loaded(index) << 2, Integer.BYTES));
    }

    /** Stores one element with the memory effects of {@link VarHandle#setRelease}. */
    public void setRelease(int index, int value) {
        HANDLE.setRelease(memory, store((long) stored(index) << 2, Integer.BYTES), value);
    }

    /**
     * Adds to one element. Atomic between the threads of a node, and between nodes unless the
     * protocol of the variable {@linkplain Protocol#mergesStores merges stores}.
     *
     * @return the previous value
     * @throws IllegalStateException if the protocol does and is not the declared one: the run has
     *     several nodes, and overrides a protocol under which the update would be atomic
     */
    public int getAndAdd(int index, int amount) {
        link.requireAtomic("getAndAdd");
        return (int)
                HANDLE.getAndAdd(memory, store((long) stored(index) << 2, Integer.BYTES), amount);
    }

    /**
     * Stores {@code next} if the element is {@code expected}. Atomic between the threads of a node,
     * and between nodes unless the protocol of the variable {@linkplain Protocol#mergesStores
     * merges stores}.
     *
     * @return true if the element was {@code expected}
     * @throws IllegalStateException as {@link #getAndAdd}
     */
    public boolean compareAndSet(int index, int expected, int next) {
        link.requireAtomic("compareAndSet");
        return HANDLE.compareAndSet(
                memory, store((long) stored(index) << 2, Integer.BYTES), expected, next);
    }

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return {@code (to - from) * 4} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, int[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count);
        MemorySegment.copy(
                memory,
                ValueLayout.JAVA_INT,
                load((long) from << 2, (long) count << 2),
                target,
                targetFrom,
                count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, int[] source, int sourceFrom, int count) {
        checkStores(to, (long) to + Math.max(count, 0));
        MemorySegment.copy(
                source,
                sourceFrom,
                memory,
                ValueLayout.JAVA_INT,
                store((long) to << 2, (long) count << 2),
                count);
    }

    /** Stores {@code value} to every element. */
    public void fill(int value) {
        fill(0, length, value);
    }

    /**
     * Stores {@code value} to elements {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, int value) {
        fillBits(from, to, value);
    }
}
