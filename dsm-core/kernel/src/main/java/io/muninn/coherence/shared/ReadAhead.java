package io.muninn.coherence.shared;

import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReadAheadRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Decides which pages to prepare before threads access them: those after the last fault of a
 * stream, which is a sequence of faults through a region, page by page. Faults do not identify
 * their threads. A region has several streams at a time, and a fault belongs to the stream that it
 * continues.
 *
 * <p>The window of a stream starts small, doubles with each request, and is at most the region's
 * limit; a large one is at most a fraction of the pages that the stream has used. The limit halves,
 * down to zero, when a stream ends that leaves more pages unused than it has used. It doubles when
 * a stream was well used. A region whose limit is zero is tried again after some more faults in
 * order.
 *
 * <p>Prepared pages have no access: the first access faults, and shows that they are used. Then
 * that page and a part of the window after it are opened, so that not every page costs a fault.
 *
 * <p>Source: ours, after the read-ahead of files in Linux (mm/readahead.c).
 */
public final class ReadAhead {
    /** Largest number of streams per region; a new one replaces the least recently used. */
    static final int STREAMS_MAX = 8;

    /** Pages of a stream's first request. */
    static final int WINDOW_FIRST = 4;

    /** A window of more pages is at most one part in {@link #USED_PART} of the used pages. */
    static final int WINDOW_SURE = 32;

    /**
     * Bounds the pages that are requested in vain when a long stream ends, as a fraction of the
     * used pages.
     */
    static final int USED_PART = 8;

    /** One page in so many of the window is opened together with the one that is accessed. */
    static final int OPEN_PART = 4;

    /** A stream was well used if the used pages are so many times the unused ones. */
    static final int WELL_USED = 4;

    /** Number of faults in order after which a region without read-ahead is tried again. */
    static final int REFUSALS_MAX = 32;

    /**
     * The work besides resolving a fault.
     *
     * @param openEnd the pages after the fault up to before this one are opened, if they are
     *     present
     * @param askBegin the first page to request
     * @param askEnd the page after the last one to request
     */
    public record Step(int openEnd, int askBegin, int askEnd) {
        public static final Step NONE = new Step(0, 0, 0);
    }

    private static final class Stream {
        int last; // the page of the last fault
        int end; // after the last page that was requested
        int window; // 0 until the stream has been continued
        int faults = 1;
        int used; // requested pages that the stream has passed
        long touched; // time of the last fault, in faults of the region

        Stream(int page) {
            last = page;
            end = page + 1;
        }

        boolean isContinuedBy(int page) {
            return page > last && page <= end;
        }
    }

    private static final class Region {
        final int pages;
        final BitSet unopened = new BitSet(); // requested, and not opened for any thread
        final List<Stream> streams = new ArrayList<>();
        int limit;
        int refusals;
        long faults;

        Region(int pages, int limit) {
            this.pages = pages;
            this.limit = limit;
        }
    }

    private static final Region NONE = new Region(0, 0);
    private static final Stream NO_STREAM = new Stream(-1);

    private final Context context;
    private final Prefetches prefetches = new Prefetches();
    private final List<Region> regions = new ArrayList<>(); // by index, created when first named

    public ReadAhead(Context context) {
        this.context = context;
    }

    private ReadAheadRules rules() {
        return context.updates().readAhead();
    }

    /** Processes a fault on a page that was absent, or not accessed since its arrival. */
    public Step onFault(PageId page) {
        if (!rules().isOn()) {
            return Step.NONE;
        }
        Region region = region(page);
        region.unopened.clear(page.index());
        region.faults++;
        Stream continued = nearest(region, page.index());
        if (continued != NO_STREAM) {
            return next(region, continued, page.index());
        }
        if (region.streams.size() == STREAMS_MAX) {
            end(region, oldest(region));
        }
        Stream begun = new Stream(page.index());
        begun.touched = region.faults;
        region.streams.add(begun);
        return begun.faults >= rules().startAfter() ? start(region, begun) : Step.NONE;
    }

    /** Of the streams that a page continues, the one with the highest last page. */
    private static Stream nearest(Region region, int page) {
        Stream nearest = NO_STREAM;
        for (Stream stream : region.streams) {
            if (stream.isContinuedBy(page) && stream.last > nearest.last) {
                nearest = stream;
            }
        }
        return nearest;
    }

    private Step next(Region region, Stream stream, int page) {
        stream.used += stream.window == 0 ? 0 : page - stream.last;
        stream.last = page;
        stream.faults++;
        stream.touched = region.faults;
        stream.end = Math.max(stream.end, page + 1);
        if (stream.window > 0) {
            return advance(region, stream);
        }
        return stream.faults >= rules().startAfter() ? start(region, stream) : Step.NONE;
    }

    private Step start(Region region, Stream stream) {
        if (region.limit == 0) {
            region.refusals++;
            if (region.refusals < REFUSALS_MAX) {
                return Step.NONE;
            }
            region.refusals = 0;
            region.limit = Math.min(WINDOW_FIRST, rules().pagesMax());
        }
        stream.window = Math.min(WINDOW_FIRST, region.limit);
        return advance(region, stream);
    }

    /**
     * Requests the next pages when a part of the window has been passed, so that threads need not
     * wait for them.
     */
    private static Step advance(Region region, Stream stream) {
        int behind = stream.last + 1;
        int open = stream.window / OPEN_PART;
        int openEnd = Math.min(behind + open, region.pages);
        int askEnd = Math.min(behind + stream.window, region.pages);
        int askBegin = stream.end;
        boolean isWorthIt = askEnd - askBegin > open / 2 || askEnd == region.pages;
        if (askEnd <= askBegin || !isWorthIt) {
            return new Step(openEnd, askBegin, askBegin);
        }
        stream.end = askEnd;
        int sure = Math.max(WINDOW_SURE, stream.used / USED_PART);
        stream.window = Math.min(2 * stream.window, Math.max(1, Math.min(sure, region.limit)));
        return new Step(openEnd, askBegin, askEnd);
    }

    private static Stream oldest(Region region) {
        Stream oldest = region.streams.getFirst();
        for (Stream stream : region.streams) {
            oldest = stream.touched < oldest.touched ? stream : oldest;
        }
        return oldest;
    }

    private void end(Region region, Stream stream) {
        region.streams.remove(stream);
        int unused = region.unopened.get(stream.last + 1, stream.end).cardinality();
        if (unused > stream.used) {
            region.limit /= 2;
        } else if (stream.used >= WELL_USED * unused && stream.window > 0) {
            region.limit = Math.min(Math.max(1, 2 * region.limit), rules().pagesMax());
        }
    }

    /**
     * Opens the present pages after a fault, and counts them.
     *
     * @param open opens a page; returns false if that is not permitted
     */
    public void open(PageId fault, Step ahead, Predicate<PageId> open, Effects out) {
        for (int index = fault.index() + 1; index < ahead.openEnd(); index++) {
            PageId page = new PageId(fault.region(), index);
            if (open.test(page)) {
                out.count(NodeCounter.PAGES_OPENED);
                prefetches.used(page, true, out);
            }
        }
    }

    /** Records that a page is requested for which no thread waits. */
    public void asked(PageId page) {
        region(page).unopened.set(page.index());
    }

    /** True if the page was opened for no thread since it was requested. */
    public boolean isUnopened(PageId page) {
        return rules().isOn() && region(page).unopened.get(page.index());
    }

    /** Records that a page is opened. */
    public void opened(PageId page) {
        if (rules().isOn()) {
            region(page).unopened.clear(page.index());
        }
    }

    /** Records that a page is lost. */
    public void gone(PageId page, Effects out) {
        opened(page);
        prefetches.gone(page, out);
    }

    /**
     * The pages that the program has requested by prefetches, which are handled in the same way.
     */
    public Prefetches prefetches() {
        return prefetches;
    }

    private Region region(PageId page) {
        while (regions.size() <= page.region()) {
            regions.add(NONE);
        }
        if (regions.get(page.region()) == NONE) {
            int pages = context.region(page).pages();
            regions.set(page.region(), new Region(pages, rules().pagesMax()));
        }
        return regions.get(page.region());
    }
}
