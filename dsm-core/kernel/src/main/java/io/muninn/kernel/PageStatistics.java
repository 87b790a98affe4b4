package io.muninn.kernel;

import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * Counts of each page of one node. Agent and simulator share it, so both count alike: faults when
 * the kernel steps them, the rest when effects are performed.
 *
 * <p><b>Shape.</b> Counts are kept by region, and for the pages that are falsely shared or
 * conflicting; for all pages on request, which takes about 150 bytes for each.
 *
 * <p><b>Threads.</b> One, that which steps the kernel.
 *
 * <p>Source: Munin §3.4, the counters of a directory entry.
 */
public final class PageStatistics {
    private static final int COUNTS = PageCount.values().length;

    /** One region. */
    private static final class Region {
        final long[] totals = new long[COUNTS];
        final TreeMap<Integer, long[]> pages = new TreeMap<>(); // pages with counts of their own
        long[] messages = new long[0]; // by position of the kind
        long[] bytes = new long[0];
        final BitSet twins = new BitSet();
        final BitSet flushing = new BitSet(); // whose own diffs are not acknowledged by all

        void makeRoom(int place) {
            if (place >= messages.length) {
                messages = Arrays.copyOf(messages, place + 1);
                bytes = Arrays.copyOf(bytes, place + 1);
            }
        }

        void addToPage(int page, PageCount count, long amount) {
            pages.computeIfAbsent(page, _ -> new long[COUNTS])[count.code()] += amount;
        }
    }

    private final List<Region> regions = new ArrayList<>(); // by index
    // by kind; positions of the kinds that were sent, from 1
    private final int[] places = new int[Codec.CODES];
    private final List<String> kinds = new ArrayList<>(); // kinds that were sent, by position
    private boolean keepsEveryPage;

    /** Keeps the counts of every page from now on, not only of falsely shared ones. */
    public void keepEveryPage() {
        keepsEveryPage = true;
    }

    /** Counts an event that is about to be stepped. */
    public void onEvent(Event event) {
        switch (event) {
            case Event.RegionAdded _ -> regions.add(new Region());
            case Event.FaultRaised(_, PageId page, var kind, _, long _) ->
                    count(page, kind.isStore() ? PageCount.WRITE_FAULTS : PageCount.READ_FAULTS, 1);
            case Event.TwinMade(_, PageId page, long _) -> {
                count(page, PageCount.WRITE_FAULTS, 1);
                onTwinMade(page);
            }
            case Event.PageEntered(_, PageId page, boolean _, long _) -> {
                count(page, PageCount.READ_FAULTS, 1);
                onInstalled(page);
            }
            default -> {} // counted by its effects, or concerns no page
        }
    }

    /**
     * Records that threads which were stopped at a page continue.
     *
     * @param loadNanos time for which loads were stopped, summed over threads
     * @param storeNanos time for which stores were stopped, summed over threads
     */
    public void onStopped(PageId page, long loadNanos, long storeNanos) {
        count(page, PageCount.READ_FAULT_NANOS, loadNanos);
        count(page, PageCount.WRITE_FAULT_NANOS, storeNanos);
    }

    /** Counts a message that was sent, unless it concerns no page. */
    void onSent(WireMessage message, int frameBytes) {
        if (!(message instanceof ProtocolMessage about)) {
            return;
        }
        int pages = about.pageCount();
        if (pages == 0) {
            return;
        }
        int place = place(message.codec());
        int share = frameBytes / pages;
        int rest = frameBytes - share * pages;
        int lastRegion = -1;
        for (int i = 0; i < pages; i++) {
            PageId page = about.page(i);
            Region region = regions.get(page.region());
            if (page.region() != lastRegion) {
                region.makeRoom(place);
                region.messages[place]++;
                region.totals[PageCount.MESSAGES.code()]++;
            }
            region.bytes[place] += share + rest;
            region.totals[PageCount.BYTES.code()] += share + rest;
            if (keepsEveryPage) {
                region.addToPage(page.index(), PageCount.MESSAGES, 1);
                region.addToPage(page.index(), PageCount.BYTES, share + rest);
            }
            lastRegion = page.region();
            rest = 0; // only the first page gets the remainder
        }
    }

    private int place(Codec<?> kind) {
        if (places[kind.code()] == 0) {
            kinds.add(kind.name());
            places[kind.code()] = kinds.size();
        }
        return places[kind.code()] - 1;
    }

    void onInstalled(PageId page) {
        count(page, PageCount.PAGES_FETCHED, 1);
    }

    void onTwinMade(PageId page) {
        count(page, PageCount.TWINS_MADE, 1);
        regions.get(page.region()).twins.set(page.index());
    }

    void onTwinDropped(PageId page) {
        regions.get(page.region()).twins.clear(page.index());
    }

    /**
     * @param granules changed granules
     * @param kept the twin is kept: a changed page is assumed to be stored to again
     */
    void onDiffSaved(PageId page, int granules, boolean kept) {
        Region region = regions.get(page.region());
        if (granules > 0) {
            count(page, PageCount.DIFFS_MADE, 1);
            region.flushing.set(page.index());
        }
        if (kept) {
            region.twins.set(page.index(), granules > 0);
        }
    }

    void onDiffDropped(PageId page) {
        regions.get(page.region()).flushing.clear(page.index());
    }

    /**
     * @param overlap granules of the diff that this node had also changed
     */
    void onDiffApplied(PageId page, int overlap) {
        count(page, PageCount.DIFFS_APPLIED, 1);
        Region region = regions.get(page.region());
        if (region.twins.get(page.index()) && overlap > 0) {
            count(page, PageCount.CONFLICTING, 1);
        } else if (region.twins.get(page.index()) || region.flushing.get(page.index())) {
            count(page, PageCount.FALSELY_SHARED, 1);
        }
    }

    private void count(PageId page, PageCount count, long amount) {
        Region region = regions.get(page.region());
        region.totals[count.code()] += amount;
        boolean isKept = count == PageCount.FALSELY_SHARED || count == PageCount.CONFLICTING;
        if (isKept || keepsEveryPage) {
            region.addToPage(page.index(), count, amount);
        }
    }

    /**
     * All counts so far, in order of region. Unless every page is kept, the pages have only false
     * sharing and conflicts.
     */
    public List<RegionCounts> counts() {
        List<RegionCounts> all = new ArrayList<>();
        for (int i = 0; i < regions.size(); i++) {
            all.add(counts(i, regions.get(i)));
        }
        return all;
    }

    private RegionCounts counts(int index, Region region) {
        List<RegionCounts.OfPage> pages = new ArrayList<>();
        region.pages.forEach((page, counts) -> pages.add(new RegionCounts.OfPage(page, counts)));
        TreeMap<String, RegionCounts.Sent> byKind = new TreeMap<>();
        for (int place = 0; place < region.messages.length; place++) {
            if (region.messages[place] > 0) {
                byKind.put(
                        kinds.get(place),
                        new RegionCounts.Sent(region.messages[place], region.bytes[place]));
            }
        }
        return new RegionCounts(index, region.totals, byKind, pages);
    }
}
