package io.muninn.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Accesses to ranges of bytes of variables, which have been checked. */
final class BulkAccess {
    /**
     * Bytes copied at once: one page. A copy then needs at most two pages at the same time, and a
     * thread that faults on many pages reaches a safepoint poll between them.
     */
    static final int STEP_BYTES = 4096;

    private BulkAccess() {}

    /** Copies bytes of a variable into a buffer, at its position, which does not change. */
    static void load(SharedVariable source, long offset, ByteBuffer target, int bytes) {
        MemorySegment.copy(
                source.memory,
                source.load(offset, bytes),
                MemorySegment.ofBuffer(target),
                0,
                bytes);
    }

    /** Copies bytes from a buffer, at its position, which does not change, into a variable. */
    static void store(ByteBuffer source, SharedVariable target, long offset, int bytes) {
        MemorySegment.copy(
                MemorySegment.ofBuffer(source),
                0,
                target.memory,
                target.store(offset, bytes),
                bytes);
    }

    /**
     * Copies bytes from a variable to another, or within one, where the ranges may overlap. A step
     * holds the pages of its loads or those of its stores, never both: a node may have to give up
     * the former to get the latter.
     */
    static void copy(SharedVariable source, long from, SharedVariable target, long to, long bytes) {
        ByteBuffer step = ByteBuffer.allocate((int) Math.min(STEP_BYTES, bytes));
        boolean isBackwards = source == target && from < to;
        long done = 0;
        while (done < bytes) {
            int count = (int) Math.min(STEP_BYTES, bytes - done);
            long at = isBackwards ? bytes - done - count : done;
            load(source, from + at, step, count);
            store(step, target, to + at, count);
            done += count;
        }
    }

    /**
     * Stores one value to all elements of a range.
     *
     * @param bits the value's bits, of which the last {@code width} bytes count
     * @param width bytes of an element: 8, 4, 2 or 1
     */
    static void fill(SharedVariable target, long offset, long bytes, int width, long bits) {
        target.store(offset, bytes);
        MemorySegment range = target.memory.asSlice(offset, bytes);
        long count = bytes / width;
        switch (width) {
            case Long.BYTES -> {
                for (long i = 0; i < count; i++) {
                    range.setAtIndex(ValueLayout.JAVA_LONG, i, bits);
                }
            }
            case Integer.BYTES -> {
                for (long i = 0; i < count; i++) {
                    range.setAtIndex(ValueLayout.JAVA_INT, i, (int) bits);
                }
            }
            case Short.BYTES -> {
                for (long i = 0; i < count; i++) {
                    range.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) bits);
                }
            }
            default -> range.fill((byte) bits);
        }
    }
}
