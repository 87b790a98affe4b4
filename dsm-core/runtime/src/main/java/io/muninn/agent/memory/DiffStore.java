package io.muninn.agent.memory;

import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

        void release() {
            diffs--;
            if (diffs == 0) {
                arena.close();
            }
        }
    }

    /** A diff, and those of the same page that were stored before it. */
    private static final class Stored {
        final long number;
        final Memory memory;
        final MemorySegment bytes;
        @Nullable Stored before; // null at the end of the chain

        Stored(long number, Memory memory, long offset, long length) {
            this.number = number;
            this.memory = memory;
            this.bytes = memory.bytes.asSlice(offset, length);
        }
    }

    /** Diffs of one kind, by page and number; few pages have more than one. */
    private static final class Diffs {
        private final String kind;
        private final PageMap<Stored> newest = new PageMap<>(); // of each page

        Diffs(String kind) {
            this.kind = kind;
        }

        void add(PageId page, Stored added) {
            Stored before = newest.get(page);
            if (find(before, added.number) != null) {
                throw new IllegalStateException(
                        "page " + page + " has a " + kind + " diff " + added.number + " already");
            }
            added.memory.diffs++;
            added.before = before;
            newest.put(page, added);
        }

        private static @Nullable Stored find(@Nullable Stored newest, long number) {
            Stored each = newest;
            while (each != null && each.number != number) {
                each = each.before;
            }
            return each;
        }

        MemorySegment bytes(PageId page, long number) {
            Stored stored = find(newest.get(page), number);
            if (stored == null) {
                throw missing(page, number);
            }
            return stored.bytes;
        }

        IllegalStateException missing(PageId page, long number) {
            return new IllegalStateException(
                    "page " + page + " has no " + kind + " diff " + number);
        }

        /** False if there is none. */
        boolean drop(PageId page, long number) {
            Stored first = newest.get(page);
            Stored dropped = find(first, number);
            if (first == null || dropped == null) {
                return false;
            }
            if (dropped != first) {
                Stored behind = first;
                while (behind.before != dropped) {
                    behind = behind.before;
                }
                behind.before = dropped.before;
            } else if (first.before == null) {
                newest.remove(page);
            } else {
                newest.put(page, first.before);
            }
            dropped.memory.release();
            return true;
        }
    }

    private final Diffs saved = new Diffs("saved"); // by interval of this node
    private final Diffs kept = new Diffs("kept"); // of other nodes

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
        saved.add(page, new Stored(interval, memory, offset, length));
    }

    /**
     * Copies a diff of another node.
     *
     * @throws IllegalStateException if the page has one of that number
     */
    void keep(PageId page, long number, MemorySegment bytes) {
        kept.add(page, new Stored(number, copyOf(bytes), 0, bytes.byteSize()));
    }

    /**
     * @throws IllegalStateException if there is none
     */
    MemorySegment saved(PageId page, long interval) {
        return saved.bytes(page, interval);
    }

    /**
     * @throws IllegalStateException if there is none
     */
    MemorySegment kept(PageId page, long number) {
        return kept.bytes(page, number);
    }

    /** Nothing if there is none: an empty diff is not saved. */
    void dropSaved(PageId page, long interval) {
        saved.drop(page, interval);
    }

    /**
     * @throws IllegalStateException if there is none
     */
    void dropKept(PageId page, long number) {
        if (!kept.drop(page, number)) {
            throw kept.missing(page, number);
        }
    }
}
