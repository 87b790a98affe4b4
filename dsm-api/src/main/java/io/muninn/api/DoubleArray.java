package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/**
 * A shared array of {@code double}, 8 bytes each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class DoubleArray extends SharedVariable {
    private final int length;
    private DoubleBuffer loads = empty().asDoubleBuffer();
    private DoubleBuffer stores = loads;

    private DoubleArray(ViewSpec spec, int length) {
        super(spec);
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

    @Override
    void onMemory(ByteBuffer loaded, ByteBuffer stored) {
        loads = loaded.asDoubleBuffer();
        stores = stored.asDoubleBuffer();
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public double get(int index) {
        DoubleBuffer elements = loads;
        try {
            return isLarge
                    ? memory.get(ValueLayout.JAVA_DOUBLE, load((long) index << 3, Double.BYTES))
                    : elements.get(load(index));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Stores one element. */
    public void set(int index, double value) {
        DoubleBuffer elements = stores;
        try {
            if (isLarge) {
                memory.set(ValueLayout.JAVA_DOUBLE, store((long) index << 3, Double.BYTES), value);
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
     * @return {@code (to - from) * 8} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, length, Double.BYTES, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, double[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count, length);
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
        checkStore(to, count, length);
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
        checkStore(0, length, length);
        store(0, (long) length << 3);
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_DOUBLE, (long) i << 3, value);
        }
    }
}
