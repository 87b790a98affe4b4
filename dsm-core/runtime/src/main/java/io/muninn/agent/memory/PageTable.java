package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.PageMap;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;

/**
 * The location of pages, and the agent's record of the engine's state of each: one byte per page,
 * in chunks that are created when one of their pages is first used.
 */
final class PageTable {
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private static final byte WITHDRAWING = 0x08;
    private static final byte CONTENT = 0x10;
    private static final byte POISONED = 0x20;
    private static final byte TOLD = 0x40;
    private static final byte OFFERED = (byte) 0x80;
    private static final byte ACCESS_MASK = 0x07;

    private static final PageAccess[] ACCESS = PageAccess.values();

    private final List<RegionSpec> regions = new ArrayList<>();
    private final List<byte[][]> flags = new ArrayList<>();
    private final PageMap<Long> twins = new PageMap<>();
    private final PageMap<Integer> barred = new PageMap<>(); // processes, as bits

    void add(RegionSpec region) {
        regions.add(region);
        flags.add(new byte[(region.pages() + CHUNK - 1) >> CHUNK_BITS][]);
    }

    RegionSpec region(PageId page) {
        return regions.get(page.region());
    }

    /** Bytes from the start of the mapping. */
    long offset(PageId page) {
        RegionSpec region = region(page);
        return region.offset() + (long) page.index() * region.pageBytes();
    }

    int pageBytes(PageId page) {
        return region(page).pageBytes();
    }

    /**
     * The page at an offset of the mapping.
     *
     * @throws IllegalArgumentException if there is no region: a thread accessed memory outside its
     *     variable
     */
    PageId pageAt(long offset) {
        int below = lastFrom(offset);
        if (below < 0 || offset >= regions.get(below).end()) {
            throw new IllegalArgumentException(stray(offset, below));
        }
        RegionSpec region = regions.get(below);
        return new PageId(region.index(), (int) ((offset - region.offset()) / region.pageBytes()));
    }

    boolean hasPageAt(long offset) {
        int below = lastFrom(offset);
        return below >= 0 && offset < regions.get(below).end();
    }

    /** Index of the last region that starts at or before the offset, or -1. */
    private int lastFrom(long offset) {
        int low = 0;
        int high = regions.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (offset < regions.get(middle).offset()) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /**
     * @param below index of the last region that starts before the offset, or -1
     */
    private String stray(long offset, int below) {
        String where =
                "a thread accesses byte " + offset + " of shared memory, where no variable is";
        if (below >= 0) {
            RegionSpec region = regions.get(below);
            where +=
                    ", "
                            + (offset - region.end())
                            + " bytes behind the end of the pages of variable '"
                            + region.name()
                            + "'";
        }
        return where + ": a MemorySegment was reinterpreted beyond its variable";
    }

    List<RegionSpec> regions() {
        return regions;
    }

    /** The end of the last region, in bytes; 0 without one. */
    long end() {
        return regions.isEmpty() ? 0 : regions.getLast().end();
    }

    boolean hasContent(PageId page) {
        return (get(page) & CONTENT) != 0;
    }

    PageAccess access(PageId page) {
        return ACCESS[get(page) & ACCESS_MASK];
    }

    boolean isPoisoned(PageId page) {
        return (get(page) & POISONED) != 0;
    }

    /**
     * Records that the page has content, with this access; if it is being withdrawn, the access
     * applies after that.
     */
    void put(PageId page, PageAccess access) {
        int kept = get(page) & (TOLD | OFFERED | WITHDRAWING);
        set(page, (byte) (kept | CONTENT | access.ordinal()));
    }

    /** True if the application has received a request to drop the page and has not replied. */
    boolean isWithdrawing(PageId page) {
        return (get(page) & WITHDRAWING) != 0;
    }

    void withdrawing(PageId page, boolean isWithdrawing) {
        set(page, (byte) (isWithdrawing ? get(page) | WITHDRAWING : get(page) & ~WITHDRAWING));
    }

    /** True if the latest twin that a trap made has been reported to the kernel. */
    boolean isTold(PageId page) {
        return (get(page) & TOLD) != 0;
    }

    void told(PageId page, boolean isTold) {
        set(page, (byte) (isTold ? get(page) | TOLD : get(page) & ~TOLD));
    }

    /** True if a trap may own the page: it was offered, and has not been taken back since. */
    boolean isOffered(PageId page) {
        return (get(page) & OFFERED) != 0;
    }

    void offered(PageId page, boolean isOffered) {
        set(page, (byte) (isOffered ? get(page) | OFFERED : get(page) & ~OFFERED));
    }

    /** True if the page was withdrawn from a process alone, and has not been given to it since. */
    boolean isBarred(PageId page, MappingId of) {
        Integer processes = barred.get(page);
        return processes != null && (processes & 1 << of.index()) != 0;
    }

    void bar(PageId page, MappingId of) {
        Integer processes = barred.get(page);
        barred.put(page, (processes == null ? 0 : processes) | 1 << of.index());
    }

    void unbar(PageId page, MappingId of) {
        Integer processes = barred.get(page);
        if (processes != null) {
            barred.put(page, processes & ~(1 << of.index()));
        }
    }

    void clear(PageId page) {
        if (barred.get(page) != null) {
            barred.remove(page);
        }
        set(page, (byte) (get(page) & WITHDRAWING));
    }

    void poison(PageId page) {
        set(page, (byte) (get(page) & WITHDRAWING | POISONED));
    }

    void twin(PageId page, long address) {
        twins.put(page, address);
    }

    /** Address of the page's twin, 0 for none. */
    long twin(PageId page) {
        Long address = twins.get(page);
        return address == null ? 0 : address;
    }

    /**
     * Address of the page's twin.
     *
     * @throws IllegalStateException if it has none
     */
    long existingTwin(PageId page) {
        long address = twin(page);
        if (address == 0) {
            throw new IllegalStateException("page " + page + " has no twin");
        }
        return address;
    }

    long removeTwin(PageId page) {
        Long address = twins.remove(page);
        return address == null ? 0 : address;
    }

    private byte get(PageId page) {
        byte[] chunk = flags.get(page.region())[page.index() >> CHUNK_BITS];
        return chunk == null ? 0 : chunk[page.index() & (CHUNK - 1)];
    }

    private void set(PageId page, byte value) {
        byte[][] chunks = flags.get(page.region());
        int index = page.index() >> CHUNK_BITS;
        if (chunks[index] == null) {
            int pages = region(page).pages();
            chunks[index] = new byte[Math.min(CHUNK, pages - index * CHUNK)];
        }
        chunks[index][page.index() & (CHUNK - 1)] = value;
    }
}
