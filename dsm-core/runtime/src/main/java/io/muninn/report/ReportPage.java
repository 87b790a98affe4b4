package io.muninn.report;

import com.google.gson.stream.JsonWriter;
import io.muninn.kernel.PageCount;
import io.muninn.kernel.RegionCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The report of a run as one page for a browser, which needs no server and no other file. It
 * contains the object of {@link ReportJson}, without single pages, and draws from it and from the
 * recorded waits:
 *
 * <pre>
 * run          the object of {@link ReportJson}
 * kinds        the words of {@link WaitKind}
 * names        what waits are about
 * endMicros    the end of the last wait of all
 * threads      an array of objects: node, thread, nanos and counts by kind, slotMicros, slots (by
 *              kind an array of microseconds waited), endMicros (of its last wait)
 * waits        the longest waits, an array of arrays: position of the thread, kind, region (-1 for
 *              a call), page or position of the name, begin and length in microseconds
 * dropped      number of waits that are only in the sums
 * storesDropped number of stores whose lines were not kept
 * path         steps (arrays: position of the thread, {@link CriticalPath.Kind}, position of the
 *              name, begin, length, pages, others in microseconds), nanos, isComplete, and sums
 * heat         an array of objects: region, pages, pagesPerCell, and by measure the cells of each
 *              node, {@code [cell, amount, ...]}
 * </pre>
 */
public final class ReportPage {
    private static final int WAITS_MAX = 24_000;
    private static final int STEPS_MAX = 8_000;
    private static final int CELLS_MAX = 512;
    private static final String DATA = "@DATA@";
    private static final String STYLE = "@STYLE@";
    private static final String SCRIPT = "@SCRIPT@";
    private static final String TITLE = "@TITLE@";

    /** What the heat of pages shows. */
    private static final List<PageCount> MEASURES =
            List.of(
                    PageCount.READ_FAULTS,
                    PageCount.WRITE_FAULTS,
                    PageCount.READ_FAULT_NANOS,
                    PageCount.WRITE_FAULT_NANOS,
                    PageCount.PAGES_FETCHED,
                    PageCount.DIFFS_APPLIED,
                    PageCount.FALSELY_SHARED,
                    PageCount.BYTES);

    private record Place(int node, int thread) {}

    private record Lane(int node, TimeLine line, TimeLine.Lane of) {}

    private final RunReport report;
    private final Map<Integer, TimeLine> lines = new TreeMap<>();
    private final Map<Place, Integer> positions = new HashMap<>(); // of threads in lanes
    private final List<Lane> lanes = new ArrayList<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();

    private ReportPage(RunReport report) {
        this.report = report;
        for (NodeReport node : report.perNode()) {
            node.timeLine()
                    .ifPresent(line -> {
                        lines.put(node.node(), line);
                        for (TimeLine.Lane lane : line.lanes()) {
                            positions.put(new Place(node.node(), lane.thread()), lanes.size());
                            lanes.add(new Lane(node.node(), line, lane));
                        }
                    });
        }
    }

    /** Returns the page as HTML, in UTF-8. */
    public static String format(RunReport report) {
        String data = new ReportPage(report).data().replace("<", "\\u003c"); // ends no element
        String title = report.program() + " on " + report.nodes() + " nodes";
        return resource("report.html")
                .replace(TITLE, escaped(title))
                .replace(STYLE, resource("report.css"))
                .replace(SCRIPT, resource("report.js"))
                .replace(DATA, data);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String resource(String name) {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("this build has no file " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException cannot) {
            throw new UncheckedIOException("cannot read " + name, cannot);
        }
    }

    private String data() {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setSerializeNulls(true);
            json.beginObject();
            json.name("run").jsonValue(ReportJson.compact(report));
            json.name("kinds").beginArray();
            for (WaitKind kind : WaitKind.values()) {
                json.value(kind.word());
            }
            json.endArray();
            json.name("endMicros")
                    .value(
                            micros(
                                    lanes.stream()
                                            .mapToLong(lane -> lane.of().endNanos())
                                            .max()
                                            .orElse(0)));
            json.name("dropped").value(lines.values().stream().mapToLong(TimeLine::dropped).sum());
            json.name("storesDropped")
                    .value(lines.values().stream().mapToLong(TimeLine::storesDropped).sum());
            writeLanes(json);
            writeWaits(json);
            writePath(json);
            writeHeat(json);
            json.name("names").beginArray(); // known by now
            for (String name : names.keySet()) {
                json.value(name);
            }
            json.endArray();
            json.endObject();
        } catch (IOException impossible) {
            throw new IllegalStateException("a string cannot be written", impossible);
        }
        return text.toString();
    }

    private void writeLanes(JsonWriter json) throws IOException {
        json.name("threads").beginArray();
        for (Lane lane : lanes) {
            json.beginObject();
            json.name("node").value(lane.node());
            json.name("thread").value(lane.of().thread());
            json.name("endMicros").value(micros(lane.of().endNanos()));
            json.name("slotMicros").value(lane.line().slotNanos() / 1e3);
            json.name("nanos");
            writeArray(json, lane.of().nanos());
            json.name("counts");
            writeArray(json, lane.of().counts());
            json.name("slots").beginArray();
            for (long[] ofKind : lane.of().slots()) {
                json.jsonValue(inMicros(ofKind));
            }
            json.endArray();
            json.endObject();
        }
        json.endArray();
    }

    private static String inMicros(long[] nanos) {
        StringBuilder text = new StringBuilder("[");
        for (long each : nanos) {
            text.append(text.length() > 1 ? "," : "").append(micros(each));
        }
        return text.append(']').toString();
    }

    private static void writeArray(JsonWriter json, long[] numbers) throws IOException {
        json.beginArray();
        for (long number : numbers) {
            json.value(number);
        }
        json.endArray();
    }

    /**
     * Writes the longest waits of all nodes, in any order. Appends numbers to a text: the agent
     * does this once, and the library's code for each of a hundred thousand values would not be
     * compiled.
     */
    private void writeWaits(JsonWriter json) throws IOException {
        long[] lengths = lengths();
        int left = lengths.length - WAITS_MAX;
        long leastNanos = left > 0 ? lengths[left] : -1; // of those as long, not all are written
        long ties = WAITS_MAX - Arrays.stream(lengths).filter(each -> each > leastNanos).count();
        StringBuilder text = new StringBuilder("[");
        for (Map.Entry<Integer, TimeLine> node : lines.entrySet()) {
            TimeLine line = node.getValue();
            for (List<TimeLine.Kept> waits : List.of(line.longest(), line.synchronizations())) {
                for (TimeLine.Kept wait : waits) {
                    if (wait.nanos() > leastNanos || wait.nanos() == leastNanos && ties-- > 0) {
                        append(text, lane(node.getKey(), wait.thread()), line, wait);
                    }
                }
            }
        }
        json.name("waits").jsonValue(text.append(']').toString());
    }

    /** The lengths of all waits, in order. */
    private long[] lengths() {
        return lines.values().stream()
                .flatMap(line -> Stream.of(line.longest(), line.synchronizations()))
                .flatMap(List::stream)
                .mapToLong(TimeLine.Kept::nanos)
                .sorted()
                .toArray();
    }

    private void append(StringBuilder text, int lane, TimeLine line, TimeLine.Kept wait) {
        int about = wait.region() >= 0 ? wait.about() : name(line.names().get(wait.about()));
        text.append(text.length() > 1 ? ",[" : "[")
                .append(lane)
                .append(',')
                .append(wait.kind().ordinal())
                .append(',')
                .append(wait.region())
                .append(',')
                .append(about)
                .append(',')
                .append(micros(wait.beginNanos()))
                .append(',')
                .append(micros(wait.nanos()))
                .append(']');
    }

    /** The position of a thread; every thread that has waited has one. */
    private int lane(int node, int thread) {
        Integer position = positions.get(new Place(node, thread));
        if (position == null) {
            throw new IllegalArgumentException(
                    "the report of node " + node + " has no times of its thread " + thread);
        }
        return position;
    }

    private int name(String name) {
        return names.computeIfAbsent(name, _ -> names.size());
    }

    private void writePath(JsonWriter json) throws IOException {
        CriticalPath path = CriticalPath.of(lines);
        json.name("path").beginObject();
        json.name("nanos").value(path.nanos());
        json.name("isComplete").value(path.isComplete());
        json.name("sums").beginObject();
        json.name("compute")
                .value(path.steps().stream().mapToLong(CriticalPath.Step::computeNanos).sum());
        json.name("pages")
                .value(path.steps().stream().mapToLong(CriticalPath.Step::pageNanos).sum());
        json.name("others")
                .value(path.steps().stream().mapToLong(CriticalPath.Step::otherNanos).sum());
        for (CriticalPath.Kind kind : CriticalPath.Kind.values()) {
            if (kind != CriticalPath.Kind.COMPUTE) {
                json.name(kind.word())
                        .value(
                                path.steps().stream()
                                        .filter(step -> step.kind() == kind)
                                        .mapToLong(CriticalPath.Step::nanos)
                                        .sum());
            }
        }
        json.endObject();
        List<CriticalPath.Step> longest = new ArrayList<>(path.steps());
        longest.sort(Comparator.comparingLong(CriticalPath.Step::nanos).reversed());
        json.name("stepsLeftOut").value(Math.max(0, longest.size() - STEPS_MAX));
        json.name("steps").beginArray();
        for (CriticalPath.Step step : longest.subList(0, Math.min(STEPS_MAX, longest.size()))) {
            json.beginArray();
            json.value(lane(step.node(), step.thread())).value(step.kind().word());
            json.value(name(step.about()));
            json.value(micros(step.beginNanos())).value(micros(step.nanos()));
            json.value(micros(step.pageNanos())).value(micros(step.otherNanos()));
            json.endArray();
        }
        json.endArray();
        json.endObject();
    }

    private void writeHeat(JsonWriter json) throws IOException {
        json.name("measures").beginArray();
        for (PageCount measure : MEASURES) {
            json.value(measure.key());
        }
        json.endArray();
        json.name("heat").beginArray();
        for (RegionReport region : RegionReport.of(report)) {
            int pages = region.region().pages();
            int perCell = Math.max(1, Math.ceilDiv(pages, CELLS_MAX));
            json.beginObject();
            json.name("region").value(region.region().name());
            json.name("pages").value(pages);
            json.name("pagesPerCell").value(perCell);
            json.name("byNode").beginArray();
            for (Map.Entry<Integer, RegionCounts> node : region.byNode().entrySet()) {
                json.beginObject();
                json.name("node").value(node.getKey());
                for (PageCount measure : MEASURES) {
                    writeCells(json, node.getValue(), measure, perCell);
                }
                json.endObject();
            }
            json.endArray();
            json.endObject();
        }
        json.endArray();
    }

    private static void writeCells(
            JsonWriter json, RegionCounts counts, PageCount measure, int perCell)
            throws IOException {
        TreeMap<Integer, Long> cells = new TreeMap<>();
        for (RegionCounts.OfPage page : counts.pages()) {
            if (page.value(measure) > 0) {
                cells.merge(page.page() / perCell, page.value(measure), Long::sum);
            }
        }
        json.name(measure.key()).beginArray();
        for (Map.Entry<Integer, Long> cell : cells.entrySet()) {
            json.value(cell.getKey()).value(cell.getValue());
        }
        json.endArray();
    }

    private static long micros(long nanos) {
        return (nanos + 500) / 1000;
    }
}
