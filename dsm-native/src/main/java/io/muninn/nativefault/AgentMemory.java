package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of an agent that all its applications map: zeros, sparse, never trapped. It exists until
 * the processes end.
 *
 * @param fd its descriptor
 * @param words of global scope
 */
public record AgentMemory(int fd, MemorySegment words) {
    /**
     * Creates the memory.
     *
     * @param bytes a multiple of the machine's page size, at least one page
     * @throws NativeCallException if it cannot be mapped
     */
    public static AgentMemory open(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(JAVA_LONG);
            int fd =
                    NativeCallException.checked(
                            "dsm_shared_open",
                            FaultLibrary.dsm_shared_open(bytes, address.address()));
            return new AgentMemory(fd, NativeMemory.at(address.get(JAVA_LONG, 0), bytes));
        }
    }
}
