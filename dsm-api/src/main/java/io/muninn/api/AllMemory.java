package io.muninn.api;

import java.lang.foreign.MemorySegment;

/**
 * All memory of this process as one segment, for the accesses of views, which check their indices
 * themselves. Segment and length are constants, and the compiler knows from the types of its
 * operands that an {@linkplain #offset offset} is within it. So it removes every check of the
 * segment, and an access is a comparison of its index and a load or store.
 */
final class AllMemory {
    /**
     * Bytes of the segment before address 0. An offset is positive even if the compiler must assume
     * that an index is negative.
     */
    private static final long BEFORE_ZERO = 1L << 40;

    /** The bits of an address, and of the length of a variable. */
    private static final long BITS = (1L << 56) - 1;

    /**
     * A constant. False in a JVM that simulates, whose memory checks the accesses itself, and in a
     * JVM in which this module may not create segments over arbitrary addresses.
     */
    static final boolean IS_OPEN =
            !SharedVariable.SIMULATED && AllMemory.class.getModule().isNativeAccessEnabled();

    static final MemorySegment SEGMENT = IS_OPEN ? all() : MemorySegment.NULL;

    private AllMemory() {}

    @SuppressWarnings("restricted") // IS_OPEN has checked that native access is enabled
    private static MemorySegment all() {
        return MemorySegment.ofAddress(-BEFORE_ZERO).reinterpret(Long.MAX_VALUE);
    }

    /**
     * The offset in the segment of a byte of a variable.
     *
     * @param address of the variable
     * @param offset in it; the result of {@link #within}, plus an {@code int} times at most 8
     */
    static long offset(long address, long offset) {
        return BEFORE_ZERO + (address & BITS) + offset;
    }

    /**
     * The same offset in a variable. The compiler derives the bounds of a product from the mask.
     */
    static long within(long offset) {
        return offset & BITS;
    }
}
