package io.muninn.sim.app;

import io.muninn.api.Mode;
import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.AutomaticUpdates;
import io.muninn.sim.SimNode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Guards a region of one node: an access returns when all its pages permit it, and faults until
 * then.
 *
 * <p><b>Threads.</b> The node's application threads, in turn.
 */
final class PageGuard implements AccessGuard {
    private final AppCluster cluster;
    private final SimNode node;
    private final MappingId process;
    private final LentMemory lent;
    private final int region;
    private final PageId[] pages; // null until they are touched
    private final PageAccess[] known; // at most the access of the process; saves calls
    private final int pageShift;
    private final long regionAddress; // in the node's shared memory
    private final @Nullable AutomaticUpdates updates; // null if diffs are sent
    private final boolean notesLoads;

    PageGuard(
            AppCluster cluster,
            SimNode node,
            MappingId process,
            LentMemory lent,
            RegionSpec region) {
        this.process = process;
        this.cluster = cluster;
        this.node = node;
        this.lent = lent;
        this.pages = new PageId[region.pages()];
        this.known = new PageAccess[region.pages()];
        Arrays.fill(known, PageAccess.NONE);
        this.region = region.index();
        this.regionAddress = region.offset();
        this.updates = node.updates().orElse(null);
        this.notesLoads = node.loads().areOf(region);
        this.pageShift = Integer.numberOfTrailingZeros(region.pageBytes());
    }

    @Override
    public void load(long offset, long bytes) {
        access(offset, bytes, false);
        if (notesLoads) {
            noteLoad(offset, bytes, true);
        }
    }

    @Override
    public void mayLoad(long offset, long bytes) {
        access(offset, bytes, false);
        if (notesLoads) {
            noteLoad(offset, bytes, false);
        }
    }

    private void noteLoad(long offset, long bytes, boolean isCertain) {
        forEachPage(
                offset, bytes, (page, at, count) -> node.loads().add(page, at, count, isCertain));
    }

    @Override
    public void store(long offset, long bytes) {
        access(offset, bytes, true);
    }

    private void access(long offset, long bytes, boolean isStore) {
        AppThread thread = cluster.current();
        if (thread.simThread().node() != node || !thread.simThread().process().equals(process)) {
            throw new IllegalStateException(
                    thread.simThread()
                            + " touches a variable object of node "
                            + node.id()
                            + ": nodes share no Java objects");
        }
        int first = (int) (offset >>> pageShift);
        thread.access(page(first), offset, isStore);
        thread.reference(regionAddress + offset, bytes, isStore);
        int last = (int) ((offset + bytes - 1) >>> pageShift);
        PageAccess enough = isStore ? PageAccess.READ_WRITE : PageAccess.READ;
        int page = first;
        int told = first - 1;
        while (page <= last) {
            if (known[page] == enough || known[page] == PageAccess.READ_WRITE) {
                page++;
                continue;
            }
            if (isStore && page > told) {
                thread.firstStore(page(page));
                told = page;
            }
            if (thread.mayAccess(page(page), isStore)) {
                known[page] = enough;
                page++;
            } else {
                thread.awaitPage();
                page = first; // earlier pages may have been lost meanwhile
            }
        }
        if (isStore && updates != null) {
            update(updates, thread, offset, bytes);
        }
    }

    /** Passes a store that follows at once to the hardware that forwards it. */
    private void update(AutomaticUpdates forwarding, AppThread thread, long offset, long bytes) {
        forEachPage(
                offset,
                bytes,
                (page, at, count) -> forwarding.storing(thread.simThread(), page, at, count));
    }

    /** A part of a range that is in one page. */
    private interface PagePart {
        void accept(PageId page, int offset, int bytes);
    }

    private void forEachPage(long offset, long bytes, PagePart action) {
        long from = offset;
        long end = offset + bytes;
        while (from < end) {
            int page = (int) (from >>> pageShift);
            long start = (long) page << pageShift;
            long until = Math.min(end, start + (1L << pageShift));
            action.accept(page(page), (int) (from - start), (int) (until - from));
            from = until;
        }
    }

    private PageId page(int index) {
        PageId page = pages[index];
        if (page == null) {
            page = new PageId(region, index);
            pages[index] = page;
        }
        return page;
    }

    /** Called when the access of the node's threads to a page of the region is reduced. */
    void onShrink(PageId page, PageAccess access) {
        PageAccess own = node.pages().access(page, process);
        known[page.index()] = own.compareTo(access) < 0 ? own : access;
    }

    @Override
    public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
        int first = (int) (offset >>> pageShift);
        int last = (int) ((offset + part.byteSize() - 1) >>> pageShift);
        return lent.lend(part, page(first), page(last), mode);
    }
}
