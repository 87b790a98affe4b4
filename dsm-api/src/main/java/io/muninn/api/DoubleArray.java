package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A shared array of {@code double}, 8 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class DoubleArray extends SharedVariable {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final VarHandle HANDLE = ValueLayout.JAVA_DOUBLE.varHandle();

    private final int length;

    private DoubleArray(ViewSpec spec, int length) {
        super(spec, length);
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static DoubleArray of(int length) {
        String type = "double[" + length + "]";
        long bytes = checkedBytes(type, length, Double.BYTES);
        return new DoubleArray(new ViewSpec(type, bytes, Double.BYTES), length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static DoubleArray local(int length) {
        DoubleArray view = of(length);
        view.bindLocally();
        return view;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public double get(int index) {
        long offset = load((long) loaded(index) << 3, Double.BYTES);
        double value = elements().get(DOUBLE, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int index, double value) {
        long offset = store((long) stored(index) << 3, Double.BYTES);
        elements().set(DOUBLE, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /** Loads one element with the memory effects of a volatile load. */
    public double getVolatile(int index) {
        return (double) HANDLE.getVolatile(memory, load((long) loaded(index) << 3, Double.BYTES));
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, double value) {
        HANDLE.setVolatile(memory, store((long) stored(index) << 3, Double.BYTES), value);
    }

    /** Loads one element with the memory effects of {@link VarHandle#getAcquire}. */
    public double getAcquire(int index) {
        return (double) HANDLE.getAcquire(memory, load((long) loaded(index) << 3, Double.BYTES));
    }

    /** Stores one element with the memory effects of {@link VarHandle#setRelease}. */
    public void setRelease(int index, double value) {
        HANDLE.setRelease(memory, store((long) stored(index) << 3, Double.BYTES), value);
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
    public void copyTo(int from, double[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count);
        MemorySegment.copy(
                memory,
                ValueLayout.JAVA_DOUBLE,
                load((long) from << 3, (long) count << 3),
                target,
                targetFrom,
                count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, double[] source, int sourceFrom, int count) {
        checkStores(to, (long) to + Math.max(count, 0));
        MemorySegment.copy(
                source,
                sourceFrom,
                memory,
                ValueLayout.JAVA_DOUBLE,
                store((long) to << 3, (long) count << 3),
                count);
    }

    /** Stores {@code value} to every element. */
    public void fill(double value) {
        fill(0, length, value);
    }

    /**
     * Stores {@code value} to elements {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, double value) {
        fillBits(from, to, Double.doubleToRawLongBits(value));
    }
}
