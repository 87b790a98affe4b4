package io.muninn.metrics;

import com.google.gson.FormattingStyle;
import com.google.gson.stream.JsonWriter;
import io.muninn.protocol.Counter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A run's counts as one JSON object in UTF-8.
 *
 * <pre>
 * program, version, protocol, engine, detail   strings
 * nodes, threads                               numbers
 * readySeconds                                 a number, or null when nobody launched the nodes
 * seconds                                      a number, fractions included
 * verified                                     true, false, or null when nothing was checked
 * totals                                       an object: each {@link Counter#key()}, and byKind
 * perNode                                      an array of the same objects, before them node and
 *                                              its engine, engineWay, engineWhy
 * byKind                                       by message kind an object of messages and bytes
 * blocked, regions                             see {@link RegionJson}
 * </pre>
 */
public final class ReportJson {
    private ReportJson() {}

    /** The object as text. */
    public static String format(RunReport report) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setFormattingStyle(FormattingStyle.PRETTY);
            json.setSerializeNulls(true);
            writeRun(json, report);
        } catch (IOException impossible) {
            throw new IllegalStateException("a string cannot be written", impossible);
        }
        return text.append('\n').toString();
    }

    /**
     * Writes the object to a file: whoever reads the file sees what was there before, or all of it.
     * What is there and no ordinary file, such as a pipe, is written to as it is.
     *
     * @throws IOException if that is not possible; what was there before is still there
     */
    public static void write(RunReport report, Path file) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            Files.writeString(target, format(report));
            return;
        }
        Path folder = Optional.ofNullable(target.getParent()).orElse(target);
        Path fresh = Files.createTempFile(folder, "." + target.getFileName(), ".new");
        try {
            try (Writer out = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
                out.write(format(report));
            }
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(
                    fresh,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static void writeRun(JsonWriter json, RunReport report) throws IOException {
        json.beginObject();
        json.name("program").value(report.program());
        json.name("version").value(report.version());
        json.name("protocol").value(report.protocol());
        json.name("nodes").value(report.nodes());
        json.name("threads").value(report.threads());
        json.name("engine").value(report.engine());
        if (report.readySeconds().isPresent()) {
            json.name("readySeconds").value(report.readySeconds().getAsDouble());
        } else {
            json.name("readySeconds").nullValue();
        }
        json.name("seconds").value(report.seconds());
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
            writeCounts(json, node::value, new TreeMap<>(node.byKind()));
            json.endObject();
        }
        json.endArray();
        RegionJson.write(json, report);
        json.endObject();
    }

    private static void writeCounts(
            JsonWriter json, ToLongFunction<Counter> value, Map<String, NodeReport.Traffic> byKind)
            throws IOException {
        for (Counter counter : Counter.values()) {
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
