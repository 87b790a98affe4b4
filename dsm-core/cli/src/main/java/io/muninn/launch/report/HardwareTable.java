package io.muninn.launch.report;

import com.google.gson.FormattingStyle;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.report.ReportTable;
import io.muninn.report.Units;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.machine.CacheCounts;
import io.muninn.sim.machine.NodeCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The use of caches, buses and network interfaces of a simulated run: as text, and as part of the
 * JSON report. Empty in a run without a model of them.
 *
 * @param nodes in order of node
 */
public record HardwareTable(List<NodeCounts> nodes) {
    public static HardwareTable of(AppResult result) {
        return new HardwareTable(
                result.nodes().stream()
                        .map(AppResult.Node::hardware)
                        .flatMap(Optional::stream)
                        .toList());
    }

    /** A table preceded by an empty line, with a row for each node. */
    public String format() {
        if (nodes.isEmpty()) {
            return "";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                ReportTable.row(
                        "caches and buses",
                        List.of(
                                "loads",
                                "stores",
                                "l2 hits",
                                "misses",
                                "memory bus",
                                "waited",
                                "i/o bus",
                                "waited",
                                "interface",
                                "waited",
                                "updates",
                                "bytes")));
        for (int i = 0; i < nodes.size(); i++) {
            rows.add(ReportTable.row("node " + i, cells(nodes.get(i))));
        }
        StringBuilder text = new StringBuilder("\n");
        ReportTable.appendAligned(text, rows);
        return text.toString();
    }

    private static CacheCounts caches(NodeCounts node) {
        return node.caches().stream().reduce(CacheCounts.NONE, CacheCounts::plus);
    }

    private static List<NodeCounts.Use> uses(NodeCounts node) {
        return List.of(node.memoryBus(), node.ioBus(), node.networkInterface());
    }

    private static List<String> cells(NodeCounts node) {
        CacheCounts caches = caches(node);
        List<String> cells = new ArrayList<>();
        cells.add(Long.toString(caches.loads()));
        cells.add(Long.toString(caches.stores()));
        cells.add(Long.toString(caches.secondHits()));
        cells.add(Long.toString(caches.misses()));
        for (NodeCounts.Use use : uses(node)) {
            cells.add(Units.nanos(use.busyNanos()));
            cells.add(Units.nanos(use.waitedNanos()));
        }
        cells.add(Long.toString(node.updates()));
        cells.add(Units.bytes(node.updateBytes()));
        return cells;
    }

    /**
     * Adds the member {@code hardware} to a report: an array with an object for each node. Its
     * members: node; loads, stores, l2Hits and misses of all caches; memoryBusNanos,
     * memoryBusWaitNanos, and so on for ioBus and networkInterface; updates and updateBytes.
     */
    public String addTo(String report) {
        if (nodes.isEmpty()) {
            return report;
        }
        JsonArray perNode = new JsonArray();
        for (int i = 0; i < nodes.size(); i++) {
            JsonObject object = new JsonObject();
            object.addProperty("node", i);
            CacheCounts caches = caches(nodes.get(i));
            object.addProperty("loads", caches.loads());
            object.addProperty("stores", caches.stores());
            object.addProperty("l2Hits", caches.secondHits());
            object.addProperty("misses", caches.misses());
            add(object, "memoryBus", nodes.get(i).memoryBus());
            add(object, "ioBus", nodes.get(i).ioBus());
            add(object, "networkInterface", nodes.get(i).networkInterface());
            object.addProperty("updates", nodes.get(i).updates());
            object.addProperty("updateBytes", nodes.get(i).updateBytes());
            perNode.add(object);
        }
        JsonObject all = JsonParser.parseString(report).getAsJsonObject();
        all.add("hardware", perNode);
        GsonBuilder gson = new GsonBuilder().setFormattingStyle(FormattingStyle.PRETTY);
        return gson.serializeNulls().disableHtmlEscaping().create().toJson(all) + "\n";
    }

    private static void add(JsonObject object, String name, NodeCounts.Use use) {
        object.addProperty(name + "Nanos", use.busyNanos());
        object.addProperty(name + "WaitNanos", use.waitedNanos());
    }
}
