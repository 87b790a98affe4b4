package io.muninn.sim.app;

import io.muninn.api.Mode;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Memory that a node's program may access without checks, until the node loses a page of it: a
 * later access throws {@link IllegalStateException}, where a live run would fault.
 *
 * <p>A range that is already lent is lent again as the same segment. At most {@link #LENT_MAX}
 * ranges are lent at a time; one more ends the oldest, as if its pages were lost.
 *
 * <p><b>Cost.</b> To lend a range and to end it costs some 20 µs.
 *
 * <p><b>Threads.</b> The thread that has the turn.
 */
final class LentMemory {
    static final int LENT_MAX = 1024;

    private record Range(long address, long bytes, Mode mode) {}

    private record Lent(Arena life, MemorySegment segment, PageId first, PageId last) {
        boolean holds(PageId page) {
            return page.region() == first.region()
                    && page.index() >= first.index()
                    && page.index() <= last.index();
        }
    }

    private final Map<Range, Lent> all = new LinkedHashMap<>();

    /**
     * Lends memory.
     *
     * @param first its first page
     * @param last its last page, in the same region
     */
    @SuppressWarnings("MustBeClosed") // it is closed when the memory is taken back
    MemorySegment lend(MemorySegment part, PageId first, PageId last, Mode mode) {
        Range range = new Range(part.address(), part.byteSize(), mode);
        Lent known = all.get(range);
        if (known != null) {
            return known.segment();
        }
        if (all.size() == LENT_MAX) {
            takeBack(all.keySet().iterator().next());
        }
        Arena life = Arena.ofShared();
        MemorySegment segment = part.reinterpret(part.byteSize(), life, null);
        all.put(range, new Lent(life, segment, first, last));
        return segment;
    }

    private void takeBack(Range range) {
        Lent lent = all.remove(range);
        if (lent != null) {
            lent.life().close();
        }
    }

    /** Called when the access of the node's threads to a page is reduced. */
    void onShrink(PageId page, PageAccess access) {
        Iterator<Map.Entry<Range, Lent>> each = all.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Range, Lent> entry = each.next();
            boolean isEnough = access == PageAccess.READ && entry.getKey().mode() == Mode.READ;
            if (!isEnough && entry.getValue().holds(page)) {
                entry.getValue().life().close();
                each.remove();
            }
        }
    }

    /** Ends all lent ranges. */
    void close() {
        all.values().forEach(lent -> lent.life().close());
        all.clear();
    }
}
