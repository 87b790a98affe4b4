package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * A shared array of {@code byte}, one byte each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class ByteArray extends SharedVariable {
    private final int length;
    private ByteBuffer loads = empty();
    private ByteBuffer stores = loads;

    private ByteArray(ViewSpec spec, int length) {
        super(spec);
        this.length = length;
    }

    /**
     * Declares an array.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static ByteArray of(int length) {
        String type = "byte[" + length + "]";
        long bytes = checkedBytes(type, length, Byte.BYTES);
        return new ByteArray(new ViewSpec(type, bytes, Byte.BYTES), length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @param length number of elements, at least 1
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static ByteArray local(int length) {
        ByteArray view = of(length);
        view.bindLocally();
        return view;
    }

    @Override
    void onMemory(ByteBuffer loaded, ByteBuffer stored) {
        loads = loaded;
        stores = stored;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public byte get(int index) {
        ByteBuffer elements = loads;
        try {
            return isLarge
                    ? memory.get(ValueLayout.JAVA_BYTE, load(index, Byte.BYTES))
                    : elements.get(load(index));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /** Stores one element. */
    public void set(int index, byte value) {
        ByteBuffer elements = stores;
        try {
            if (isLarge) {
                memory.set(ValueLayout.JAVA_BYTE, store(index, Byte.BYTES), value);
            } else {
                elements.put(store(index), value);
            }
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(elements, index, cause);
        }
    }

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Loads and stores of any width are correct.
     *
     * @return {@code (to - from)} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, length, Byte.BYTES, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, byte[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count, length);
        MemorySegment.copy(
                memory, ValueLayout.JAVA_BYTE, load(from, count), target, targetFrom, count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, byte[] source, int sourceFrom, int count) {
        checkStore(to, count, length);
        MemorySegment.copy(
                source, sourceFrom, memory, ValueLayout.JAVA_BYTE, store(to, count), count);
    }

    /** Stores {@code value} to every element. */
    public void fill(byte value) {
        checkStore(0, length, length);
        store(0, length);
        memory.fill(value);
    }
}
