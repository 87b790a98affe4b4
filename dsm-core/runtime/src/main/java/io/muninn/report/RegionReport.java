package io.muninn.report;

import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.kernel.PageCount;
import io.muninn.kernel.RegionCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of all nodes for one region.
 *
 * @param region its place and its variables
 * @param byNode the counts of each node
 * @param stores lines of the program that store to its pages, by page, as far as they were recorded
 */
record RegionReport(
        RegionSpec region,
        TreeMap<Integer, RegionCounts> byNode,
        Map<Integer, List<StoredAt>> stores) {
    /**
     * A line of the program that stores to a page.
     *
     * @param times number of its stores that were seen
     */
    record StoredAt(int node, String line, long times) {}

    /**
     * The elements of a variable on one page; their number is that of the granules.
     *
     * @param first index of the first
     * @param last index of the last
     */
    record Elements(String variable, long first, long last) {
        @Override
        public String toString() {
            return variable + "[" + first + ".." + last + "]";
        }
    }

    /** Every region of a run, in order. */
    static List<RegionReport> of(RunReport report) {
        List<RegionReport> all = new ArrayList<>();
        for (RegionSpec region : report.regions()) {
            all.add(new RegionReport(region, new TreeMap<>(), new TreeMap<>()));
        }
        for (NodeReport node : report.perNode()) {
            for (RegionCounts counts : node.regions()) {
                if (counts.region() < all.size()) {
                    all.get(counts.region()).byNode().put(node.node(), counts);
                }
            }
            node.timeLine().ifPresent(line -> addStores(all, node.node(), line));
        }
        return all;
    }

    private static void addStores(List<RegionReport> all, int node, TimeLine line) {
        for (TimeLine.Stores each : line.stores()) {
            if (each.region() < all.size()) {
                all.get(each.region())
                        .stores()
                        .computeIfAbsent(each.page(), _ -> new ArrayList<>())
                        .add(new StoredAt(node, line.names().get(each.line()), each.times()));
            }
        }
    }

    long total(PageCount count) {
        return byNode.values().stream().mapToLong(counts -> counts.total(count)).sum();
    }

    Map<String, RegionCounts.Sent> byKind() {
        Map<String, RegionCounts.Sent> sum = new TreeMap<>();
        byNode.values()
                .forEach(counts ->
                        counts.byKind()
                                .forEach((kind, sent) ->
                                        sum.merge(kind, sent, RegionCounts.Sent::plus)));
        return sum;
    }

    /** The counts of each reported page, by page and node. */
    TreeMap<Integer, TreeMap<Integer, RegionCounts.OfPage>> pages() {
        TreeMap<Integer, TreeMap<Integer, RegionCounts.OfPage>> pages = new TreeMap<>();
        byNode.forEach((node, counts) -> {
            for (RegionCounts.OfPage page : counts.pages()) {
                pages.computeIfAbsent(page.page(), _ -> new TreeMap<>()).put(node, page);
            }
        });
        return pages;
    }

    /**
     * The pages to which several nodes stored between two synchronizations, to different granules,
     * with the nodes that detected it.
     */
    TreeMap<Integer, List<Integer>> suspectedPages() {
        TreeMap<Integer, List<Integer>> suspected = new TreeMap<>();
        pages().forEach((page, nodes) ->
                nodes.forEach((node, counts) -> {
                    if (counts.value(PageCount.FALSELY_SHARED) > 0) {
                        suspected.computeIfAbsent(page, _ -> new ArrayList<>()).add(node);
                    }
                }));
        return suspected;
    }

    /** The elements on a page, in order. */
    List<Elements> elements(int page) {
        long begin = (long) page * region.pageBytes();
        long end = begin + region.pageBytes();
        List<Elements> all = new ArrayList<>();
        for (VariableSpec variable : region.variables()) {
            long from = Math.max(begin, variable.offset()) - variable.offset();
            long to = Math.min(end, variable.offset() + variable.bytes()) - variable.offset();
            if (from < to) {
                long granule = region.granuleBytes();
                all.add(new Elements(variable.name(), from / granule, (to - 1) / granule));
            }
        }
        return all;
    }
}
