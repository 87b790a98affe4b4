package io.muninn.agent.memory;

import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    /** A diff, and those of the same page that were stored before it. */
    private static final class Stored {
        final long number;
        final Memory memory;
        final MemorySegment bytes;
        @Nullable Stored before; // null at the end of the chain

        Stored(long number, Memory memory, MemorySegment bytes) {
            this.number = number;
            this.memory = memory;
            this.bytes = bytes;
        }
    }

    private record Kept(PageId page, long number) {}

    /** Of this node's own intervals, the newest of each page; few pages have more than one. */
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
     * @throws IllegalStateException if the page has one of that interval
     */
    void save(PageId page, long interval, Memory memory, long offset, long length) {
        Stored before = saved.get(page);
        if (find(before, interval) != null) {
            throw new IllegalStateException(
                    "page " + page + " has a diff of interval " + interval + " already");
        }
        Stored newest = stored(interval, memory, offset, length);
        newest.before = before;
        saved.put(page, newest);
    }

    private static @Nullable Stored find(@Nullable Stored newest, long interval) {
        Stored each = newest;
        while (each != null && each.number != interval) {
            each = each.before;
        }
        return each;
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
        Stored stored = find(saved.get(page), interval);
        if (stored == null) {
            throw new IllegalStateException(
                    "page " + page + " has no saved diff of interval " + interval);
        }
        return stored.bytes;
    }

    /**
     * @throws IllegalStateException if there is none
     */
    MemorySegment kept(PageId page, long number) {
        Stored stored = kept.get(new Kept(page, number));
        if (stored == null) {
            throw new IllegalStateException("page " + page + " has no kept diff " + number);
        }
        return stored.bytes;
    }

    /** Nothing if there is none. */
    void dropSaved(PageId page, long interval) {
        Stored newest = saved.get(page);
        Stored dropped = find(newest, interval);
        if (newest == null || dropped == null) {
            return;
        }
        if (dropped != newest) {
            Stored behind = newest;
            while (behind.before != dropped) {
                behind = behind.before;
            }
            behind.before = dropped.before;
        } else if (newest.before == null) {
            saved.remove(page);
        } else {
            saved.put(page, newest.before);
        }
        drop(dropped.memory);
    }

    /** Nothing if there is none. */
    void dropKept(PageId page, long number) {
        Stored stored = kept.remove(new Kept(page, number));
        if (stored != null) {
            drop(stored.memory);
        }
    }

    private static void drop(Memory memory) {
        memory.diffs--;
        if (memory.diffs == 0) {
            memory.arena.close();
        }
    }
}
