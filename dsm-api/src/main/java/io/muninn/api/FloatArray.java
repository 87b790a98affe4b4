package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * A shared array of {@code float}, 4 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class FloatArray extends SharedVariable {
    private final int length;
    private FloatBuffer loads = empty().asFloatBuffer();
    private FloatBuffer stores = loads;

    private FloatArray(ViewSpec spec, int length) {
        super(spec);
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

    @Override
    void onMemory(ByteBuffer loaded, ByteBuffer stored) {
        loads = loaded.asFloatBuffer();
        stores = stored.asFloatBuffer();
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public float get(int index) {
        FloatBuffer elements = loads;
        try {
            return isLarge
                    ? memory.get(ValueLayout.JAVA_FLOAT, load((long) index << 2, Float.BYTES))
                    : elements.get(load(index));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Stores one element. */
    public void set(int index, float value) {
        FloatBuffer elements = stores;
        try {
            if (isLarge) {
                memory.set(ValueLayout.JAVA_FLOAT, store((long) index << 2, Float.BYTES), value);
            } else {
                elements.put(store(index), value);
            }
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
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
