package io.muninn.launch.report;

import com.google.gson.FormattingStyle;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.report.ReportTable;
import io.muninn.report.Units;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.processor.ProcessorReport;
import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The use of the processors of a simulated run: as text, and as part of the JSON report.
 *
 * @param nodes in order of node
 * @param total of all nodes
 * @param threads of the program on each node; those after them are the node's own
 */
public record ProcessorTable(List<ProcessorReport> nodes, ProcessorTimes total, int threads) {
    public static ProcessorTable of(AppResult result, int threads) {
        return new ProcessorTable(
                result.nodes().stream().map(AppResult.Node::processors).toList(),
                result.processorTimes(),
                threads);
    }

    /**
     * Two tables, each preceded by an empty line: the uses of the processors' time, and the stalls
     * of threads. A row for each node and one for all.
     *
     * @param withThreads adds a row for each thread
     */
    public String format(boolean withThreads) {
        List<List<String>> uses = new ArrayList<>();
        List<List<String>> stalls = new ArrayList<>();
        uses.add(ReportTable.row("time of processors", usesHeading()));
        stalls.add(ReportTable.row("stalls of threads", stallsHeading()));
        for (int i = 0; i < nodes.size(); i++) {
            ProcessorReport node = nodes.get(i);
            uses.add(uses("node " + i, Integer.toString(node.processors()), node.total()));
            stalls.add(stalls("node " + i, node.total()));
            for (int j = 0; withThreads && j < node.threads().size(); j++) {
                String name = j < threads ? "  thread " + j : "  own thread " + (j - threads);
                uses.add(uses(name, "", node.threads().get(j)));
                stalls.add(stalls(name, node.threads().get(j)));
            }
        }
        int processors = nodes.stream().mapToInt(ProcessorReport::processors).sum();
        uses.add(uses("all", Integer.toString(processors), total));
        stalls.add(stalls("all", total));
        StringBuilder text = new StringBuilder("\n");
        ReportTable.appendAligned(text, uses);
        text.append('\n');
        ReportTable.appendAligned(text, stalls);
        return text.toString();
    }

    /** The uses with a column: those of hardware only if it is modelled. */
    private List<ProcessorUse> columns() {
        return Stream.of(ProcessorUse.values())
                .filter(use -> !use.isOfHardware() || total.nanos(use) > 0)
                .toList();
    }

    private List<String> usesHeading() {
        List<String> cells = new ArrayList<>(List.of("processors"));
        columns().forEach(use -> cells.add(use.word()));
        cells.addAll(List.of("away", "switches"));
        return cells;
    }

    private List<String> uses(String name, String processors, ProcessorTimes times) {
        List<String> cells = new ArrayList<>(List.of(processors));
        columns().forEach(use -> cells.add(Units.nanos(times.nanos(use))));
        cells.add(Units.nanos(times.awayNanos()));
        cells.add(Long.toString(times.switches()));
        return ReportTable.row(name, cells);
    }

    private static List<String> stallsHeading() {
        List<String> cells = new ArrayList<>(List.of("average", "runs", "average"));
        for (ProcessorUse why : ProcessorUse.STALLS) {
            cells.addAll(List.of(why.word(), "average"));
        }
        return cells;
    }

    private static List<String> stalls(String name, ProcessorTimes times) {
        List<String> cells = new ArrayList<>();
        cells.add(Units.nanos(times.averageStallNanos()));
        cells.add(Long.toString(times.runs()));
        cells.add(Units.nanos(times.averageRunNanos()));
        for (ProcessorUse why : ProcessorUse.STALLS) {
            cells.add(Long.toString(times.stalls(why)));
            cells.add(Units.nanos(times.averageStallNanos(why)));
        }
        return ReportTable.row(name, cells);
    }

    /**
     * Adds the member {@code processors} to a report:
     *
     * <pre>
     * totals     an object: of each {@link ProcessorUse} U its time as UNanos, and of a stall its
     *            number, the time until the thread was ready, and the part of that in which others
     *            had not let it go on as UCount, ULatencyNanos and UWaitNanos; awayNanos,
     *            switches, runs; averageStallNanos, averageRunNanos
     * perNode    an array of the same objects, before them node, processors and elapsedNanos, and
     *            after them threads: an array of the same objects, one for each thread
     * </pre>
     */
    public String addTo(String report) {
        JsonArray perNode = new JsonArray();
        for (int i = 0; i < nodes.size(); i++) {
            ProcessorReport node = nodes.get(i);
            JsonObject object = new JsonObject();
            object.addProperty("node", i);
            object.addProperty("processors", node.processors());
            object.addProperty("elapsedNanos", node.elapsedNanos());
            addTimes(object, node.total());
            JsonArray perThread = new JsonArray();
            node.threads().forEach(times -> perThread.add(addTimes(new JsonObject(), times)));
            object.add("threads", perThread);
            perNode.add(object);
        }
        JsonObject processors = new JsonObject();
        processors.add("totals", addTimes(new JsonObject(), total));
        processors.add("perNode", perNode);
        JsonObject all = JsonParser.parseString(report).getAsJsonObject();
        all.add("processors", processors);
        GsonBuilder gson = new GsonBuilder().setFormattingStyle(FormattingStyle.PRETTY);
        return gson.serializeNulls().disableHtmlEscaping().create().toJson(all) + "\n";
    }

    private static JsonObject addTimes(JsonObject object, ProcessorTimes times) {
        for (ProcessorUse use : ProcessorUse.values()) {
            object.addProperty(use.key() + "Nanos", times.nanos(use));
        }
        for (ProcessorUse why : ProcessorUse.STALLS) {
            object.addProperty(why.key() + "Count", times.stalls(why));
            object.addProperty(why.key() + "LatencyNanos", times.latencyNanos(why));
            object.addProperty(why.key() + "WaitNanos", times.waitNanos(why));
        }
        object.addProperty("awayNanos", times.awayNanos());
        object.addProperty("switches", times.switches());
        object.addProperty("runs", times.runs());
        object.addProperty("averageStallNanos", times.averageStallNanos());
        object.addProperty("averageRunNanos", times.averageRunNanos());
        return object;
    }
}
