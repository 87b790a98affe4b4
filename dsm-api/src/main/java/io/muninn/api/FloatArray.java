package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A shared array of {@code float}, 4 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class FloatArray extends SharedVariable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final VarHandle HANDLE = ValueLayout.JAVA_FLOAT.varHandle();

    private final int length;

    private FloatArray(ViewSpec spec, int length) {
        super(spec, length);
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static FloatArray of(int length) {
        String type = "float[" + length + "]";
        long bytes = checkedBytes(type, length, Float.BYTES);
        return new FloatArray(new ViewSpec(type, bytes, Float.BYTES), length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static FloatArray local(int length) {
        FloatArray view = of(length);
        view.bindLocally();
        return view;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public float get(int index) {
        long offset = load((long) loaded(index) << 2, Float.BYTES);
        float value = elements().get(FLOAT, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int index, float value) {
        long offset = store((long) stored(index) << 2, Float.BYTES);
        elements().set(FLOAT, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /** Loads one element with the memory effects of a volatile load. */
    public float getVolatile(int index) {
        return (float) HANDLE.getVolatile(memory, load((long) loaded(index) << 2, Float.BYTES));
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, float value) {
        HANDLE.setVolatile(memory, store((long) stored(index) << 2, Float.BYTES), value);
    }

    /** Loads one element with the memory effects of {@link VarHandle#getAcquire}. */
    public float getAcquire(int index) {
        return (float) HANDLE.getAcquire(memory, load((long) loaded(index) << 2, Float.BYTES));
    }

    /** Stores one element with the memory effects of {@link VarHandle#setRelease}. */
    public void setRelease(int index, float value) {
        HANDLE.setRelease(memory, store((long) stored(index) << 2, Float.BYTES), value);
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
    public void copyTo(int from, float[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count);
        MemorySegment.copy(
                memory,
                ValueLayout.JAVA_FLOAT,
                load((long) from << 2, (long) count << 2),
                target,
                targetFrom,
                count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, float[] source, int sourceFrom, int count) {
        checkStores(to, (long) to + Math.max(count, 0));
        MemorySegment.copy(
                source,
                sourceFrom,
                memory,
                ValueLayout.JAVA_FLOAT,
                store((long) to << 2, (long) count << 2),
                count);
    }

    /** Stores {@code value} to every element. */
    public void fill(float value) {
        fill(0, length, value);
    }

    /**
     * Stores {@code value} to elements {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, float value) {
        fillBits(from, to, Float.floatToRawIntBits(value));
    }
}
