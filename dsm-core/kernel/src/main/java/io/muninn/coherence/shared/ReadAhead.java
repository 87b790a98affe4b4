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
 * Says which pages to make ready before threads touch them: those behind the last fault of a
 * stream, which is a sequence of faults that goes through a region page by page. Faults carry no
 * thread; a region has several streams at a time, and a fault belongs to the one that it continues.
 *
 * <p>The window of a stream begins small, doubles with each request, and is at most the region's
 * limit; a large one is at most a part of what the stream has used. The limit halves when a stream
 * ends of which more is left than was used, down to nothing, and doubles when it was well used. A
 * region whose limit is nothing gets a new chance after some more faults in order.
 *
 * <p>Pages that are made ready have no access: the first touch faults, and shows that they are
 * used. Then access is given to that page and to a part of the window behind it, so that not every
 * page costs a fault.
 *
 * <p>Source: ours, after the read-ahead of files in Linux (mm/readahead.c).
 */
public final class ReadAhead {
    /** Streams of a region; the one that has stood longest makes room for a new one. */
    static final int STREAMS_MAX = 8;

    /** Pages of a stream's first request. */
    static final int WINDOW_FIRST = 4;

    /** A window of more pages is at most one part in {@link #USED_PART} of what was used. */
    static final int WINDOW_SURE = 32;

    /** So little of what a long stream has used is asked for in vain when it ends. */
    static final int USED_PART = 8;

    /** One page in so many of the window is opened together with the one that is touched. */
    static final int OPEN_PART = 4;

    /** A stream was well used if so many times more of it were used than were not. */
    static final int WELL_USED = 4;

    /** Faults in order after which a region without read-ahead gets a new chance. */
    static final int REFUSALS_MAX = 32;

    /**
     * What is to be done beside resolving a fault.
     *
     * @param openEnd the pages behind the fault up to before this one are opened, if they are here
     * @param askBegin the first page to ask for
     * @param askEnd the page behind the last one
     */
    public record Step(int openEnd, int askBegin, int askEnd) {
        public static final Step NONE = new Step(0, 0, 0);
    }

    private static final class Stream {
        int last; // the page of the last fault
        int end; // behind the last page that was asked for
        int window; // 0 until the stream has shown itself to be one
        int faults = 1;
        int used; // pages that were asked for and left behind
        long touched; // when, in faults of the region

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
        final BitSet unopened = new BitSet(); // asked for, and no thread has been let in
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
    private final List<Region> regions = new ArrayList<>(); // by index, made when named

    public ReadAhead(Context context) {
        this.context = context;
    }

    private ReadAheadRules rules() {
        return context.updates().readAhead();
    }

    /** A thread has stopped at a page that was not here, or not touched since it came. */
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

    /** Of the streams that a page continues, where one runs into another, the one that did last. */
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

    /** Asks when a part of the window is left behind, so that nobody has to wait for the next. */
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
     * Lets threads to those pages behind a fault that are here, and counts them.
     *
     * @param open lets threads to a page; false if it may not
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

    /** A page is asked for that no thread waits for. */
    public void asked(PageId page) {
        region(page).unopened.set(page.index());
    }

    /** True if no thread was let to the page since it was asked for. */
    public boolean isUnopened(PageId page) {
        return rules().isOn() && region(page).unopened.get(page.index());
    }

    /** Threads are let to a page. */
    public void opened(PageId page) {
        if (rules().isOn()) {
            region(page).unopened.clear(page.index());
        }
    }

    /** A page has gone. */
    public void gone(PageId page, Effects out) {
        opened(page);
        prefetches.gone(page, out);
    }

    /** The pages that the program has asked for by itself, which are asked for in the same way. */
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
