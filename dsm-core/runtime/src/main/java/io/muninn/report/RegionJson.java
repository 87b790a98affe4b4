package io.muninn.report;

import com.google.gson.stream.JsonWriter;
import io.muninn.kernel.PageCount;
import io.muninn.kernel.RegionCounts;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The costs of a run by cause, region and page, as members of the object of {@link ReportJson}.
 *
 * <pre>
 * blocked      an object of totals and perNode: how long threads were stopped, by cause; each with
 *              loadNanos, storeNanos and every other {@link NodeCounter#isTime time} but faultNanos
 * regions      an array of objects:
 *   region, protocol        strings
 *   pages, pageBytes        numbers
 * granuleBytes            a number: the size of an element of a range below
 *   each {@link PageCount#key()}  a number, over all nodes
 *   byKind                  by message kind an object of messages and bytes
 *   perNode                 an array of objects: node, and the counts
 *   suspectedPages          an array of objects: pages that are falsely shared; page, elements,
 *                           nodes (those that saw it), falselyShared, conflicting, storedAt
 *   perPage                 with {@code --pages}: an array of objects: page, elements, the counts
 *                           over all nodes, and perNode
 * elements     an array of objects of variable, first and last
 * storedAt     an array of objects of node, line and times: lines of the program that store to the
 *              page, and how often that was seen; empty without {@code --report}
 * </pre>
 */
final class RegionJson {
    private RegionJson() {}

    static void write(JsonWriter json, RunReport report) throws IOException {
        json.name("blocked").beginObject();
        json.name("totals").beginObject();
        writeBlocked(json, Blocked.of(report.perNode()));
        json.endObject();
        json.name("perNode").beginArray();
        for (NodeReport node : report.perNode()) {
            json.beginObject();
            json.name("node").value(node.node());
            writeBlocked(json, Blocked.of(List.of(node)));
            json.endObject();
        }
        json.endArray();
        json.endObject();
        json.name("regions").beginArray();
        for (RegionReport region : RegionReport.of(report)) {
            write(json, region, report.hasEveryPage());
        }
        json.endArray();
    }

    private static void writeBlocked(JsonWriter json, Blocked blocked) throws IOException {
        json.name("loadNanos").value(blocked.loadNanos());
        json.name("storeNanos").value(blocked.storeNanos());
        for (NodeCounter counter : Blocked.OTHER_CAUSES) {
            json.name(counter.key()).value(blocked.value(counter));
        }
    }

    private static void write(JsonWriter json, RegionReport report, boolean everyPage)
            throws IOException {
        json.beginObject();
        json.name("region").value(report.region().name());
        json.name("protocol").value(report.region().protocol().word());
        json.name("pages").value(report.region().pages());
        json.name("pageBytes").value(report.region().pageBytes());
        json.name("granuleBytes").value(report.region().granuleBytes());
        writeCounts(json, report::total);
        json.name("byKind").beginObject();
        for (Map.Entry<String, RegionCounts.Sent> kind : report.byKind().entrySet()) {
            json.name(kind.getKey()).beginObject();
            json.name("messages").value(kind.getValue().messages());
            json.name("bytes").value(kind.getValue().bytes());
            json.endObject();
        }
        json.endObject();
        json.name("perNode").beginArray();
        for (Map.Entry<Integer, RegionCounts> node : report.byNode().entrySet()) {
            json.beginObject();
            json.name("node").value(node.getKey());
            writeCounts(json, node.getValue()::total);
            json.endObject();
        }
        json.endArray();
        writeSuspected(json, report);
        if (everyPage) {
            writePages(json, report);
        }
        json.endObject();
    }

    private static void writeSuspected(JsonWriter json, RegionReport report) throws IOException {
        var pages = report.pages();
        json.name("suspectedPages").beginArray();
        for (Map.Entry<Integer, List<Integer>> suspected : report.suspectedPages().entrySet()) {
            TreeMap<Integer, RegionCounts.OfPage> counts =
                    pages.getOrDefault(suspected.getKey(), new TreeMap<>());
            json.beginObject();
            json.name("page").value(suspected.getKey());
            writeElements(json, report, suspected.getKey());
            json.name("nodes").beginArray();
            for (int node : suspected.getValue()) {
                json.value(node);
            }
            json.endArray();
            for (PageCount count : List.of(PageCount.FALSELY_SHARED, PageCount.CONFLICTING)) {
                json.name(count.key()).value(sum(counts, count));
            }
            writeStores(json, report.stores().getOrDefault(suspected.getKey(), List.of()));
            json.endObject();
        }
        json.endArray();
    }

    private static void writeStores(JsonWriter json, List<RegionReport.StoredAt> stores)
            throws IOException {
        json.name("storedAt").beginArray();
        for (RegionReport.StoredAt each : stores) {
            json.beginObject();
            json.name("node").value(each.node());
            json.name("line").value(each.line());
            json.name("times").value(each.times());
            json.endObject();
        }
        json.endArray();
    }

    private static void writePages(JsonWriter json, RegionReport report) throws IOException {
        json.name("perPage").beginArray();
        for (var page : report.pages().entrySet()) {
            json.beginObject();
            json.name("page").value(page.getKey());
            writeElements(json, report, page.getKey());
            writeCounts(json, count -> sum(page.getValue(), count));
            json.name("perNode").beginArray();
            for (Map.Entry<Integer, RegionCounts.OfPage> node : page.getValue().entrySet()) {
                json.beginObject();
                json.name("node").value(node.getKey());
                writeCounts(json, node.getValue()::value);
                json.endObject();
            }
            json.endArray();
            json.endObject();
        }
        json.endArray();
    }

    private static void writeElements(JsonWriter json, RegionReport report, int page)
            throws IOException {
        json.name("elements").beginArray();
        for (RegionReport.Elements elements : report.elements(page)) {
            json.beginObject();
            json.name("variable").value(elements.variable());
            json.name("first").value(elements.first());
            json.name("last").value(elements.last());
            json.endObject();
        }
        json.endArray();
    }

    private static void writeCounts(JsonWriter json, ToLongFunction<PageCount> value)
            throws IOException {
        for (PageCount count : PageCount.values()) {
            json.name(count.key()).value(value.applyAsLong(count));
        }
    }

    private static long sum(Map<Integer, RegionCounts.OfPage> byNode, PageCount count) {
        return byNode.values().stream().mapToLong(page -> page.value(count)).sum();
    }
}
