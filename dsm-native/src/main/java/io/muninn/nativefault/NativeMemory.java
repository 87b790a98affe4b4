package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Converts between C addresses and segments. */
public final class NativeMemory {
    /**
     * All memory from address 0 on: the offset of a byte is its address. There is no check that it
     * is mapped. Being a constant, it costs an access nothing; who uses it checks bounds.
     */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /** A segment of global scope; there is no check that the memory is still mapped. */
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /** The address of a native segment. */
    static long address(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a heap segment has no address: " + segment);
        }
        return segment.address();
    }

    /** An abstract Unix name as a C string. */
    static MemorySegment name(Arena arena, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0
                || bytes.length > FaultLibrary.NAME_BYTES_MAX
                || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "socket name '"
                            + name
                            + "' is not 1.."
                            + FaultLibrary.NAME_BYTES_MAX
                            + " bytes without zeros");
        }
        // Not allocateFrom(String): it links method handles, which would delay every process at its
        // start.
        MemorySegment text = arena.allocate(bytes.length + 1L); // all zero, and ends with one
        MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
        return text;
    }

    static void checkToken(byte[] token) {
        if (token.length != FaultLibrary.TOKEN_BYTES) {
            throw new IllegalArgumentException(
                    "token has " + token.length + " bytes, not " + FaultLibrary.TOKEN_BYTES);
        }
    }
}
