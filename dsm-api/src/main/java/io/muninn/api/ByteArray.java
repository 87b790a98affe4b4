package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A shared array of {@code byte}, one byte each. Its granule is the element: nodes may store to
 * neighbouring elements at the same time under {@link Protocol#WRITE_SHARED}.
 *
 * @see SharedVariable
 */
public final class ByteArray extends SharedVariable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final VarHandle HANDLE = ValueLayout.JAVA_BYTE.varHandle();

    private final int length;

    private ByteArray(ViewSpec spec, int length) {
        super(spec, length);
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

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** Loads one element. */
    public byte get(int index) {
        long offset = load(loaded(index), Byte.BYTES);
        byte value = elements().get(BYTE, at(offset));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores one element. */
    public void set(int index, byte value) {
        long offset = store(stored(index), Byte.BYTES);
        elements().set(BYTE, at(offset), value);
        Reference.reachabilityFence(this);
    }

    /** Loads one element with the memory effects of a volatile load. */
    public byte getVolatile(int index) {
        return (byte) HANDLE.getVolatile(memory, load(loaded(index), Byte.BYTES));
    }

    /** Stores one element with the memory effects of a volatile store. */
    public void setVolatile(int index, byte value) {
        HANDLE.setVolatile(memory, store(stored(index), Byte.BYTES), value);
    }

    /** Loads one element with the memory effects of {@link VarHandle#getAcquire}. */
    public byte getAcquire(int index) {
        return (byte) HANDLE.getAcquire(memory, load(loaded(index), Byte.BYTES));
    }

    /** Stores one element with the memory effects of {@link VarHandle#setRelease}. */
    public void setRelease(int index, byte value) {
        HANDLE.setRelease(memory, store(stored(index), Byte.BYTES), value);
    }

    /**
     * The memory of elements {@code from} (inclusive) to {@code to} (exclusive), for bulk and
     * vector code. Loads and stores of any width are correct.
     *
     * @return {@code (to - from)} bytes, read-only if {@code mode} is {@link Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, mode);
    }

    /** Loads {@code count} elements from {@code from} on into a heap array. */
    public void copyTo(int from, byte[] target, int targetFrom, int count) {
        checkRange(from, (long) from + count);
        MemorySegment.copy(
                memory, ValueLayout.JAVA_BYTE, load(from, count), target, targetFrom, count);
    }

    /** Stores {@code count} elements of a heap array from {@code to} on. */
    public void copyFrom(int to, byte[] source, int sourceFrom, int count) {
        checkStores(to, (long) to + Math.max(count, 0));
        MemorySegment.copy(
                source, sourceFrom, memory, ValueLayout.JAVA_BYTE, store(to, count), count);
    }

    /** Stores {@code value} to every element. */
    public void fill(byte value) {
        fill(0, length, value);
    }

    /**
     * Stores {@code value} to elements {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the variable
     */
    public void fill(int from, int to, byte value) {
        fillBits(from, to, value);
    }
}
