package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A shared array of {@code float}, 4 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class FloatArray extends SharedVariable {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
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

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Stores narrower than an element need {@link Shared#byteGranular}.
     *
     * @return {@code (to - from) * 4} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, length, Float.BYTES, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, float[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count, length);
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
        checkStore(to, count, length);
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
        checkStore(0, length, length);
        store(0, (long) length << 2);
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_FLOAT, (long) i << 2, value);
        }
    }
}
