package io.muninn.kernel;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of one node for one region.
 *
 * @param region its index in the layout
 * @param totals over all pages, by {@link PageCount#code}; a message counts once
 * @param byKind messages sent about the region, by the message's kind
 * @param pages pages with counts of their own, in order
 */
public record RegionCounts(
        int region, long[] totals, Map<String, Sent> byKind, List<OfPage> pages) {
    /**
     * Messages of one kind.
     *
     * @param bytes with frames; of a message about several regions, the share of this one
     */
    public record Sent(long messages, long bytes) {
        public Sent plus(Sent other) {
            return new Sent(messages + other.messages, bytes + other.bytes);
        }
    }

    /**
     * The counts of one node for one page.
     *
     * @param page its index in the region
     * @param counts by {@link PageCount#code}
     */
    public record OfPage(int page, long[] counts) {
        public OfPage {
            counts = counts.clone();
        }

        public long value(PageCount count) {
            return counts[count.code()];
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OfPage(int itsPage, long[] itsCounts)
                    && page == itsPage
                    && Arrays.equals(counts, itsCounts);
        }

        @Override
        public int hashCode() {
            return 31 * page + Arrays.hashCode(counts);
        }
    }

    public RegionCounts {
        totals = totals.clone();
        byKind = Collections.unmodifiableMap(new TreeMap<>(byKind));
        pages = List.copyOf(pages);
    }

    public long total(PageCount count) {
        return totals[count.code()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegionCounts its
                && region == its.region
                && Arrays.equals(totals, its.totals)
                && byKind.equals(its.byKind)
                && pages.equals(its.pages);
    }

    @Override
    public int hashCode() {
        return 31 * region + Arrays.hashCode(totals);
    }
}
