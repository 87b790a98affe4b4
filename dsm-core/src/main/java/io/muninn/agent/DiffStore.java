package io.muninn.agent;

import io.muninn.model.PageId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes of diffs, from when they are made or kept until they are dropped. Diffs that were made
 * together share memory, which is freed with the last of them.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class DiffStore {
    /**
     * @param kept a diff of another node, which came before the page did
     */
    record Name(PageId page, long number, boolean kept) {
        /** By hand, as in {@link PageId}. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Name name
                    && name.number == number
                    && name.kept == kept
                    && name.page.equals(page);
        }

        @Override
        public int hashCode() {
            return 31 * page.hashCode() + Long.hashCode(number);
        }
    }

    /** Of one diff or several. */
    static final class Memory {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment bytes;
        private int diffs;

        private Memory(MemorySegment bytes) {
            this.bytes = arena.allocate(Math.max(1, bytes.byteSize()), Long.BYTES);
            MemorySegment.copy(bytes, 0, this.bytes, 0, bytes.byteSize());
        }
    }

    private record Stored(Memory memory, MemorySegment bytes) {}

    private final Map<Name, Stored> diffs = new HashMap<>();

    /** Copies bytes, of which {@link #put} then says which diffs they are. */
    Memory copyOf(MemorySegment bytes) {
        return new Memory(bytes);
    }

    /** A part of such memory is a diff. */
    void put(Name name, Memory memory, long offset, long length) {
        diffs.put(name, new Stored(memory, memory.bytes.asSlice(offset, length)));
        memory.diffs++;
    }

    /** Copies a diff. */
    void put(Name name, MemorySegment bytes) {
        put(name, copyOf(bytes), 0, bytes.byteSize());
    }

    /**
     * @throws IllegalStateException if there is none of this name
     */
    MemorySegment get(Name name) {
        Stored stored = diffs.get(name);
        if (stored == null) {
            throw new IllegalStateException("no diff is stored as " + name);
        }
        return stored.bytes();
    }

    /** Nothing if there is none of this name. */
    void drop(Name name) {
        Stored stored = diffs.remove(name);
        if (stored != null) {
            stored.memory().diffs--;
            if (stored.memory().diffs == 0) {
                stored.memory().arena.close();
            }
        }
    }
}
