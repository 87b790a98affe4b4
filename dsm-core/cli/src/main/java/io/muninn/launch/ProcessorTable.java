package io.muninn.launch;

import com.google.gson.FormattingStyle;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.report.ReportTable;
import io.muninn.report.Units;
import io.muninn.sim.ProcessorReport;
import io.muninn.sim.ProcessorTimes;
import io.muninn.sim.ProcessorUse;
import io.muninn.sim.app.AppResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What the processors of a simulated run were used for: as text, and as part of the JSON report.
 *
 * @param nodes in order of node
 * @param threads of the program on each node; those after them are the node's own
 */
record ProcessorTable(List<ProcessorReport> nodes, int threads) {
    static ProcessorTable of(AppResult result, int threads) {
        return new ProcessorTable(
                result.nodes().stream().map(AppResult.Node::processors).toList(), threads);
    }

    private ProcessorTimes total() {
        return nodes.stream()
                .map(ProcessorReport::total)
                .reduce(ProcessorTimes.NONE, ProcessorTimes::plus);
    }

    /**
     * The table, preceded by an empty line: a row for each node and one for all.
     *
     * @param withThreads adds a row for each thread
     */
    String format(boolean withThreads) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading());
        for (int i = 0; i < nodes.size(); i++) {
            ProcessorReport node = nodes.get(i);
            rows.add(row("node " + i, Integer.toString(node.processors()), node.total()));
            for (int j = 0; withThreads && j < node.threads().size(); j++) {
                String name = j < threads ? "  thread " + j : "  own thread " + (j - threads);
                rows.add(row(name, "", node.threads().get(j)));
            }
        }
        int processors = nodes.stream().mapToInt(ProcessorReport::processors).sum();
        rows.add(row("all", Integer.toString(processors), total()));
        StringBuilder text = new StringBuilder("\n");
        ReportTable.appendAligned(text, rows);
        return text.toString();
    }

    private static List<String> heading() {
        List<String> cells = new ArrayList<>();
        cells.add("processors");
        for (ProcessorUse use : ProcessorUse.values()) {
            cells.add(use.word());
        }
        cells.addAll(List.of("switches", "stalls", "average", "runs", "average"));
        return ReportTable.row("time of processors", cells);
    }

    private static List<String> row(String name, String processors, ProcessorTimes times) {
        List<String> cells = new ArrayList<>();
        cells.add(processors);
        for (ProcessorUse use : ProcessorUse.values()) {
            cells.add(Units.nanos(times.nanos(use)));
        }
        cells.add(Long.toString(times.switches()));
        cells.add(Long.toString(times.stalls()));
        cells.add(Units.nanos(times.averageStallNanos()));
        cells.add(Long.toString(times.runs()));
        cells.add(Units.nanos(times.averageRunNanos()));
        return ReportTable.row(name, cells);
    }

    /**
     * Adds the member {@code processors} to a report:
     *
     * <pre>
     * totals     an object: of each {@link ProcessorUse} its key, in nanoseconds; switches, runs,
     *            stalls; stalledNanos, averageStallNanos, averageRunNanos
     * perNode    an array of the same objects, before them node, processors and elapsedNanos, and
     *            after them threads: an array of the same objects, one for each thread
     * </pre>
     */
    String addTo(String report) {
        JsonArray perNode = new JsonArray();
        for (int i = 0; i < nodes.size(); i++) {
            ProcessorReport node = nodes.get(i);
            JsonObject object = new JsonObject();
            object.addProperty("node", i);
            object.addProperty("processors", node.processors());
            object.addProperty("elapsedNanos", node.elapsedNanos());
            addTimes(object, node.total());
            JsonArray perThread = new JsonArray();
            node.threads()
                    .forEach(times -> {
                        JsonObject thread = new JsonObject();
                        addTimes(thread, times);
                        perThread.add(thread);
                    });
            object.add("threads", perThread);
            perNode.add(object);
        }
        JsonObject totals = new JsonObject();
        addTimes(totals, total());
        JsonObject processors = new JsonObject();
        processors.add("totals", totals);
        processors.add("perNode", perNode);
        JsonObject all = JsonParser.parseString(report).getAsJsonObject();
        all.add("processors", processors);
        GsonBuilder gson = new GsonBuilder().setFormattingStyle(FormattingStyle.PRETTY);
        return gson.serializeNulls().disableHtmlEscaping().create().toJson(all) + "\n";
    }

    private static void addTimes(JsonObject object, ProcessorTimes times) {
        for (ProcessorUse use : ProcessorUse.values()) {
            object.addProperty(use.key(), times.nanos(use));
        }
        object.addProperty("switches", times.switches());
        object.addProperty("runs", times.runs());
        object.addProperty("stalls", times.stalls());
        object.addProperty("stalledNanos", times.stalledNanos());
        object.addProperty("averageStallNanos", times.averageStallNanos());
        object.addProperty("averageRunNanos", times.averageRunNanos());
    }
}
