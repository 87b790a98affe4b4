package io.muninn.agent.memory;

import io.muninn.directory.PageMap;
import io.muninn.model.PageId;
import io.netty.util.collection.LongCollections;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of diffs, from their creation or arrival until they are dropped. Diffs that were made
 * together share memory, which is freed with the last of them.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class DiffStore {
    /** The memory of one diff or several. */
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

    private record Stored(long number, Memory memory, MemorySegment bytes) {}

    /** The diffs of a page: most pages have one at a time, some have thousands. */
    private static final class OfPage {
        private @Nullable Stored one;
        private LongObjectMap<Stored> others = LongCollections.emptyMap();

        @Nullable Stored get(long number) {
            return one != null && one.number() == number ? one : others.get(number);
        }

        void add(Stored added) {
            if (one == null) {
                one = added;
                return;
            }
            if (others.isEmpty()) {
                others = new LongObjectHashMap<>();
            }
            others.put(added.number(), added);
        }

        void remove(Stored removed) {
            if (removed == one) {
                one = null;
                return;
            }
            others.remove(removed.number());
            if (others.isEmpty()) {
                others = LongCollections.emptyMap(); // the old map has room for many
            }
        }
    }

    /** Diffs of one kind, by page and number. */
    private static final class Diffs {
        private final String kind;
        private final PageMap<OfPage> pages = new PageMap<>();

        Diffs(String kind) {
            this.kind = kind;
        }

        void add(PageId page, long number, Memory memory, long offset, long length) {
            OfPage of = pages.get(page);
            if (of == null) {
                of = new OfPage();
                pages.put(page, of);
            } else if (of.get(number) != null) {
                throw new IllegalStateException(
                        "page " + page + " has a " + kind + " diff " + number + " already");
            }
            of.add(new Stored(number, memory, memory.bytes.asSlice(offset, length)));
            memory.diffs++;
        }

        MemorySegment bytes(PageId page, long number) {
            OfPage of = pages.get(page);
            Stored stored = of == null ? null : of.get(number);
            if (stored == null) {
                throw missing(page, number);
            }
            return stored.bytes();
        }

        IllegalStateException missing(PageId page, long number) {
            return new IllegalStateException(
                    "page " + page + " has no " + kind + " diff " + number);
        }

        /** Drops a diff. Returns false if there is none. */
        boolean drop(PageId page, long number) {
            OfPage of = pages.get(page);
            Stored dropped = of == null ? null : of.get(number);
            if (of == null || dropped == null) {
                return false;
            }
            of.remove(dropped);
            dropped.memory().release();
            return true;
        }
    }

    private final Diffs saved = new Diffs("saved"); // by interval of this node
    private final Diffs kept = new Diffs("kept"); // of other nodes

    /** Copies bytes for several diffs, which {@link #save} then assigns. */
    Memory copyOf(MemorySegment bytes) {
        return new Memory(bytes);
    }

    /**
     * Assigns a part of such memory to a page's diff of an interval.
     *
     * @throws IllegalStateException if the page has one of that interval
     */
    void save(PageId page, long interval, Memory memory, long offset, long length) {
        saved.add(page, interval, memory, offset, length);
    }

    /**
     * Copies a diff of another node.
     *
     * @throws IllegalStateException if the page has one of that number
     */
    void keep(PageId page, long number, MemorySegment bytes) {
        kept.add(page, number, copyOf(bytes), 0, bytes.byteSize());
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

    /** Drops a saved diff. Does nothing if there is none: an empty diff is not saved. */
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
