package io.muninn.agent.memory;

import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.Pages.DiffSize;
import io.muninn.kernel.port.PayloadSource;
import io.muninn.model.PageId;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.PageBatch;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares pages with their twins, and applies diffs, many pages in one native call.
 *
 * <p>Every loop has a method of its own and iterates over an array. As one method over lists, with
 * another list class for every caller, this took C2 one to two seconds to compile, eight times in
 * half a minute, on a processor that the program needed (decision 0045).
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class DiffBatches {
    /** Memory for the diffs of a batch, unless one page may need more. */
    private static final int SCRATCH_BYTES = 2 << 20;

    private final PageTable table;
    private final PageClaims claims;
    private final DiffStore store;
    private final Runnable watchReleases;
    private final PayloadSource payloads;
    private final PageBatch batch;
    private MemorySegment scratch = MemorySegment.NULL;
    private boolean runKept; // whether the twins of the batch are kept

    /**
     * @param watchReleases as for {@link LivePages}
     */
    DiffBatches(
            FaultEngine engine,
            PageTable table,
            PageClaims claims,
            DiffStore store,
            Runnable watchReleases,
            PayloadSource payloads) {
        this.table = table;
        this.claims = claims;
        this.store = store;
        this.watchReleases = watchReleases;
        this.payloads = payloads;
        this.batch = new PageBatch(engine);
    }

    /** Adds a region. */
    void add(RegionSpec region) {
        if (scratch.byteSize() < diffBytesMax(region)) {
            long room = Math.max(SCRATCH_BYTES, diffBytesMax(region));
            scratch = Arena.global().allocate(room, Long.BYTES);
        }
    }

    private static int diffBytesMax(RegionSpec region) {
        return FaultEngine.diffBytesMax(region.pageBytes(), region.granuleBytes());
    }

    /** As {@link Pages#saveDiffs}. */
    List<DiffSize> save(List<PageId> pages, long interval, boolean keepTwin) {
        List<DiffSize> sizes = new ArrayList<>(pages.size());
        PageId[] all = pages.toArray(PageId[]::new);
        for (int begin = 0; begin < all.length; begin += batch.count()) {
            saveRun(all, begin, interval, keepTwin);
            addSizes(sizes);
        }
        return sizes;
    }

    /** Saves the diffs of pages from {@code begin} on, as many as one call can compare. */
    private void saveRun(PageId[] pages, int begin, long interval, boolean keepTwin) {
        RegionSpec region = table.region(pages[begin]);
        runKept = keepTwin || claims.isLifting(pages[begin]);
        int most = (int) Math.min(PageBatch.PAGES_MAX, scratch.byteSize() / diffBytesMax(region));
        int end = addRun(pages, begin, Math.min(pages.length, begin + most), keepTwin);
        if (runKept && !keepTwin) {
            watchReleases.run(); // before any store that this comparison misses
            claims.told(List.of(pages).subList(begin, end)); // by the result of the comparison
        }
        int bytes = batch.diff(region.pageBytes(), region.granuleBytes(), runKept, scratch);
        if (bytes > 0) {
            keep(pages, begin, interval, store.copyOf(scratch.asSlice(0, bytes)));
        }
    }

    /**
     * Fills the batch with pages of one region that all keep their twins, or all do not.
     *
     * @return index after the last page
     */
    private int addRun(PageId[] pages, int begin, int limit, boolean keepTwin) {
        int region = pages[begin].region();
        batch.clear();
        for (int i = begin; i < limit; i++) {
            PageId page = pages[i];
            if (page.region() != region || (keepTwin || claims.isLifting(page)) != runKept) {
                return i;
            }
            batch.add(table.offset(page), table.existingTwin(page));
        }
        return limit;
    }

    /** Stores the diffs of the batch. */
    private void keep(PageId[] pages, int begin, long interval, DiffStore.Memory memory) {
        for (int i = 0; i < batch.count(); i++) {
            int bytes = batch.diffBytes(i);
            if (bytes > 0) {
                store.save(pages[begin + i], interval, memory, batch.diffOffset(i), bytes);
            }
        }
    }

    private void addSizes(List<DiffSize> sizes) {
        for (int i = 0; i < batch.count(); i++) {
            sizes.add(new DiffSize(batch.granules(i), batch.diffBytes(i), runKept));
        }
    }

    /** As {@link Pages#applyDiffs}. */
    List<Integer> apply(List<PageId> pages, List<Payload> diffs) {
        List<Integer> overlaps = new ArrayList<>(pages.size());
        PageId[] all = pages.toArray(PageId[]::new);
        Payload[] each = diffs.toArray(Payload[]::new);
        for (int begin = 0; begin < all.length; begin += batch.count()) {
            applyRun(all, each, begin);
            addOverlaps(overlaps, each, begin);
        }
        return overlaps;
    }

    /** Applies diffs from {@code begin} on, as many as one call can. */
    private void applyRun(PageId[] pages, Payload[] diffs, int begin) {
        RegionSpec region = table.region(pages[begin]);
        batch.clear();
        for (int i = begin; i < pages.length && !batch.isFull(); i++) {
            PageId page = pages[i];
            if (page.region() != region.index()) {
                break;
            }
            claims.takeToChange(page);
            batch.add(table.offset(page), table.twin(page), payloads.bytes(diffs[i]));
        }
        int applied = batch.apply(region.pageBytes(), region.granuleBytes());
        if (applied < batch.count()) {
            throw new MalformedMessageException(
                    "diff of page "
                            + pages[begin + applied]
                            + " in variable "
                            + region.name()
                            + " is malformed");
        }
    }

    private void addOverlaps(List<Integer> overlaps, Payload[] applied, int begin) {
        for (int i = 0; i < batch.count(); i++) {
            overlaps.add(batch.overlap(i));
            if (applied[begin + i] instanceof Payload.KeptDiff(PageId page, long keep)) {
                store.dropKept(page, keep);
            }
        }
    }
}
