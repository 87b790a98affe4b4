package io.muninn.node;

import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.protocol.Event;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.Message;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts of each page of one node. Agent and simulator share it, so both count alike: faults as the
 * kernel hears of them, the rest as effects are performed.
 *
 * <p><b>Shape.</b> A page costs nothing until something is counted of it.
 *
 * <p><b>Threads.</b> One, that which steps the kernel.
 *
 * <p>Source: Munin §3.4, the counters of a directory entry.
 */
public final class PageStatistics {
    private static final int COUNTS = PageCount.values().length;

    /** One region; it has no others when it is not added. */
    private static final class Region {
        final @Nullable long[][] pages; // null while nothing is counted
        final long[] messages = new long[Codec.CODES];
        final long[] bytes = new long[Codec.CODES];
        final BitSet twins = new BitSet();
        final BitSet flushing = new BitSet(); // whose own diffs are not acknowledged by all

        Region(RegionSpec spec) {
            pages = new long[spec.pages()][];
        }

        void add(int page, PageCount count, long amount) {
            long[] counts = pages[page];
            if (counts == null) {
                counts = new long[COUNTS];
                pages[page] = counts;
            }
            counts[count.code()] += amount;
        }
    }

    private final List<Region> regions = new ArrayList<>(); // by index
    private final @Nullable String[] kinds = new String[Codec.CODES]; // null while not sent

    /** An event is about to be stepped. */
    public void onEvent(Event event) {
        switch (event) {
            case Event.RegionAdded(RegionSpec region) -> regions.add(new Region(region));
            case Event.FaultRaised(_, PageId page, var kind, long _) ->
                    count(page, kind.isStore() ? PageCount.WRITE_FAULTS : PageCount.READ_FAULTS, 1);
            default -> {} // is counted by its effects, or of no page
        }
    }

    /**
     * Threads that were stopped at a page go on.
     *
     * @param loadNanos how long loads were stopped, summed over threads
     * @param storeNanos how long stores were
     */
    public void onStopped(PageId page, long loadNanos, long storeNanos) {
        count(page, PageCount.READ_FAULT_NANOS, loadNanos);
        count(page, PageCount.WRITE_FAULT_NANOS, storeNanos);
    }

    /** A message has left; one that is about no page is not counted. */
    void onSent(Message message, int frameBytes) {
        if (!(message instanceof ProtocolMessage about)) {
            return;
        }
        List<PageId> pages = about.pages();
        int code = message.codec().code();
        kinds[code] = message.codec().name();
        int share = frameBytes / pages.size();
        int rest = frameBytes - share * pages.size();
        int lastRegion = -1;
        for (PageId page : pages) {
            Region region = regions.get(page.region());
            region.messages[code] += page.region() == lastRegion ? 0 : 1;
            region.bytes[code] += share + rest;
            region.add(page.index(), PageCount.MESSAGES, 1);
            region.add(page.index(), PageCount.BYTES, share + rest);
            lastRegion = page.region();
            rest = 0; // the first page has it
        }
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
     */
    void onDiffSaved(PageId page, int granules) {
        if (granules > 0) {
            count(page, PageCount.DIFFS_MADE, 1);
            regions.get(page.region()).flushing.set(page.index());
        }
    }

    void onDiffDropped(PageId page) {
        regions.get(page.region()).flushing.clear(page.index());
    }

    /**
     * @param overlap granules of the diff that this node had changed too
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
        regions.get(page.region()).add(page.index(), count, amount);
    }

    /**
     * All that was counted so far, in order of region.
     *
     * @param everyPage pages with a count, too; else those only that are falsely shared or
     *     conflicting
     */
    public List<RegionCounts> counts(boolean everyPage) {
        List<RegionCounts> all = new ArrayList<>();
        for (int i = 0; i < regions.size(); i++) {
            all.add(counts(i, regions.get(i), everyPage));
        }
        return all;
    }

    private RegionCounts counts(int index, Region region, boolean everyPage) {
        long[] totals = new long[COUNTS];
        List<RegionCounts.OfPage> pages = new ArrayList<>();
        for (int page = 0; page < region.pages.length; page++) {
            long[] counts = region.pages[page];
            if (counts == null) {
                continue;
            }
            for (int i = 0; i < COUNTS; i++) {
                totals[i] += counts[i];
            }
            if (everyPage
                    || counts[PageCount.FALSELY_SHARED.code()] > 0
                    || counts[PageCount.CONFLICTING.code()] > 0) {
                pages.add(new RegionCounts.OfPage(page, counts));
            }
        }
        TreeMap<String, RegionCounts.Sent> byKind = new TreeMap<>();
        totals[PageCount.MESSAGES.code()] = 0;
        for (int code = 0; code < Codec.CODES; code++) {
            if (region.messages[code] > 0 && kinds[code] != null) {
                byKind.put(
                        kinds[code],
                        new RegionCounts.Sent(region.messages[code], region.bytes[code]));
                totals[PageCount.MESSAGES.code()] += region.messages[code];
            }
        }
        return new RegionCounts(index, totals, byKind, pages);
    }
}
