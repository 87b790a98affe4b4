package io.muninn.report;

import com.google.gson.FormattingStyle;
import com.google.gson.stream.JsonWriter;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The result and the counts of a run, as one JSON object in UTF-8. For a failed run it has the
 * known counts, which are those of the nodes in {@code perNode}.
 *
 * <pre>
 * program, version, protocol, engine, detail   strings
 * nodes, threads                               numbers
 * readySeconds                                 a number, or null without a launcher
 * seconds                                      a number, fractions included
 * status                                       a number, the exit status
 * cause                                        a string, the reason of a status other than 0; else
 *                                              null
 * node                                         a number, the node of the cause; null if it is
 *                                              several nodes, or not known
 * verified                                     true, false, or null when nothing was checked
 * totals                                       an object: each {@link NodeCounter#key()}, and
 *                                              byKind
 * perNode                                      an array of the same objects, before them node and
 *                                              its engine, engineWay, engineWhy, agentPid (a
 *                                              number, 0 if simulated), and applicationPids (an
 *                                              array of numbers)
 * byKind                                       by message kind an object of messages and bytes
 * blocked, regions                             see {@link RegionJson}
 * </pre>
 */
public final class ReportJson {
    private ReportJson() {}

    /** Returns the object as text. */
    public static String format(RunReport report) {
        return text(report, FormattingStyle.PRETTY) + "\n";
    }

    /** Returns the object on one line, and without the counts of single pages. */
    static String compact(RunReport report) {
        return text(report.withoutPages(), FormattingStyle.COMPACT);
    }

    private static String text(RunReport report, FormattingStyle style) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setFormattingStyle(style);
            json.setSerializeNulls(true);
            writeRun(json, report);
        } catch (IOException impossible) {
            throw new IllegalStateException("a string cannot be written", impossible);
        }
        return text.toString();
    }

    private static void writeRun(JsonWriter json, RunReport report) throws IOException {
        json.beginObject();
        json.name("program").value(report.program());
        json.name("version").value(report.version());
        json.name("protocol").value(report.protocol());
        json.name("nodes").value(report.nodes());
        json.name("processes").value(report.threads().processes());
        json.name("threads").value(report.threads().perProcess());
        json.name("engine").value(report.engine());
        if (report.readySeconds().isPresent()) {
            json.name("readySeconds").value(report.readySeconds().getAsDouble());
        } else {
            json.name("readySeconds").nullValue();
        }
        json.name("seconds").value(report.seconds());
        json.name("status").value(report.failure().map(RunFailure::status).orElse(0));
        json.name("cause").value(report.failure().map(RunFailure::cause).orElse(null));
        OptionalInt culprit = report.failure().map(RunFailure::node).orElse(OptionalInt.empty());
        json.name("node").value(culprit.isPresent() ? culprit.getAsInt() : null);
        json.name("verified").value(report.verified().orElse(null));
        json.name("detail").value(report.detail());
        json.name("totals").beginObject();
        writeCounts(json, report::total, report.totalByKind());
        json.endObject();
        json.name("perNode").beginArray();
        for (NodeReport node : report.perNode()) {
            json.beginObject();
            json.name("node").value(node.node());
            json.name("engine").value(node.engine().word());
            json.name("engineWay").value(node.engine().way());
            json.name("engineWhy").value(node.engine().why());
            json.name("agentPid").value(node.pids().agent());
            json.name("applicationPids").beginArray();
            for (long pid : node.pids().applications()) {
                json.value(pid);
            }
            json.endArray();
            writeCounts(json, node::value, new TreeMap<>(node.byKind()));
            json.endObject();
        }
        json.endArray();
        RegionJson.write(json, report);
        json.endObject();
    }

    private static void writeCounts(
            JsonWriter json,
            ToLongFunction<NodeCounter> value,
            Map<String, NodeReport.Traffic> byKind)
            throws IOException {
        for (NodeCounter counter : NodeCounter.values()) {
            json.name(counter.key()).value(value.applyAsLong(counter));
        }
        json.name("byKind").beginObject();
        for (Map.Entry<String, NodeReport.Traffic> kind : byKind.entrySet()) {
            json.name(kind.getKey()).beginObject();
            json.name("messages").value(kind.getValue().messages());
            json.name("bytes").value(kind.getValue().bytes());
            json.endObject();
        }
        json.endObject();
    }
}
