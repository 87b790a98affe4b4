package io.muninn.nativefault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Addresses from C as segments, and values for C as addresses. */
final class NativeMemory {
    private NativeMemory() {}

    /** A segment of global scope: nothing checks that the memory is still mapped. */
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
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > FaultLibrary.NAME_BYTES_MAX || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "socket name '"
                            + name
                            + "' is not 1.."
                            + FaultLibrary.NAME_BYTES_MAX
                            + " bytes without zeros");
        }
        return arena.allocateFrom(name);
    }

    static void checkToken(byte[] token) {
        if (token.length != FaultLibrary.TOKEN_BYTES) {
            throw new IllegalArgumentException(
                    "token has " + token.length + " bytes, not " + FaultLibrary.TOKEN_BYTES);
        }
    }
}
