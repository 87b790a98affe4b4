package io.muninn.agent;

import io.muninn.directory.PageMap;
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

    private record Stored(long number, Memory memory, MemorySegment bytes) {}

    private record Kept(PageId page, long number) {}

    /** Of this node's own intervals: a page is in one flush at a time. */
    private final PageMap<Stored> saved = new PageMap<>();

    /** Of other nodes, which came before the page did. */
    private final Map<Kept, Stored> kept = new HashMap<>();

    /** Copies bytes, of which {@link #save} then says which diffs they are. */
    Memory copyOf(MemorySegment bytes) {
        return new Memory(bytes);
    }

    /**
     * A part of such memory is a page's diff of an interval.
     *
     * @throws IllegalStateException if the page has one of another interval
     */
    void save(PageId page, long interval, Memory memory, long offset, long length) {
        Stored before = saved.get(page);
        if (before != null) {
            throw new IllegalStateException(
                    "page " + page + " has a diff of interval " + before.number());
        }
        saved.put(page, stored(interval, memory, offset, length));
    }

    /** Copies a diff of another node. */
    void keep(PageId page, long number, MemorySegment bytes) {
        kept.put(new Kept(page, number), stored(number, copyOf(bytes), 0, bytes.byteSize()));
    }

    private static Stored stored(long number, Memory memory, long offset, long length) {
        memory.diffs++;
        return new Stored(number, memory, memory.bytes.asSlice(offset, length));
    }

    /**
     * @throws IllegalStateException if there is none
     */
    MemorySegment saved(PageId page, long interval) {
        Stored stored = saved.get(page);
        if (stored == null || stored.number() != interval) {
            throw new IllegalStateException(
                    "page " + page + " has no saved diff of interval " + interval);
        }
        return stored.bytes();
    }

    /**
     * @throws IllegalStateException if there is none
     */
    MemorySegment kept(PageId page, long number) {
        Stored stored = kept.get(new Kept(page, number));
        if (stored == null) {
            throw new IllegalStateException("page " + page + " has no kept diff " + number);
        }
        return stored.bytes();
    }

    /** Nothing if there is none. */
    void dropSaved(PageId page, long interval) {
        Stored stored = saved.get(page);
        if (stored != null && stored.number() == interval) {
            saved.remove(page);
            drop(stored.memory());
        }
    }

    /** Nothing if there is none. */
    void dropKept(PageId page, long number) {
        Stored stored = kept.remove(new Kept(page, number));
        if (stored != null) {
            drop(stored.memory());
        }
    }

    private static void drop(Memory memory) {
        memory.diffs--;
        if (memory.diffs == 0) {
            memory.arena.close();
        }
    }
}
