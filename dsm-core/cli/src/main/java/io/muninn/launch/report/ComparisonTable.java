package io.muninn.launch.report;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.muninn.api.Protocol;
import io.muninn.launch.process.LiveRun;
import io.muninn.report.Units;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The versions of one program side by side: a table and bars as text, or JSON. */
public final class ComparisonTable {
    private static final int BAR_COLUMNS = 50;
    private static final int LABEL_COLUMNS = 30;
    private static final String ROW = "%-30s %9s %8s %9s %7s %7s %9s %9s %9s %9s %9s\n";

    /** A time that is not shorter by a tenth is no gain, but chance. */
    private static final double GAIN_MIN = 0.9;

    private static final String FAILED = "failed";
    private static final Object[] ABOVE = {
        "", "", "messages", "bytes", "read", "write", "waits at", "for", "at", "for", "for"
    };
    private static final Object[] BELOW = {
        "version",
        "time",
        "sent",
        "sent",
        "faults",
        "faults",
        "pages",
        "locks",
        "barriers",
        "messages",
        "calls"
    };

    /**
     * One version.
     *
     * @param runs at least one, in order
     */
    private record Line(Variant contestant, List<LiveRun> runs) {
        boolean isGood() {
            return runs.stream().allMatch(LiveRun::isGood);
        }

        /** The run of median time; of an even number, the shorter of the middle two. */
        LiveRun median() {
            List<LiveRun> sorted =
                    runs.stream().sorted(Comparator.comparingDouble(LiveRun::seconds)).toList();
            return sorted.get((sorted.size() - 1) / 2);
        }
    }

    private final String heading;
    private final int nodes;
    private final List<Line> lines = new ArrayList<>();

    /**
     * @param heading description of the runs, for readers
     * @param nodes of all versions that do not run alone
     */
    public ComparisonTable(String heading, int nodes) {
        this.heading = heading;
        this.nodes = nodes;
    }

    public void add(Variant contestant, List<LiveRun> runs) {
        lines.add(new Line(contestant, List.copyOf(runs)));
    }

    public boolean isGood() {
        return lines.stream().allMatch(Line::isGood);
    }

    /**
     * Returns the table, then a bar of seconds for each version. Waits are summed over all threads;
     * waits for signals are included in those for locks.
     */
    public String text() {
        StringBuilder text = new StringBuilder(heading).append("\n\n");
        text.append(String.format(Locale.ROOT, ROW, ABOVE))
                .append(String.format(Locale.ROOT, ROW, BELOW));
        lines.forEach(line -> text.append(row(line)));
        text.append('\n');
        double longest =
                lines.stream()
                        .filter(Line::isGood)
                        .mapToDouble(line -> line.median().seconds())
                        .max()
                        .orElse(0);
        lines.forEach(line -> text.append(bar(line, longest)));
        text.append(hint());
        return text.toString();
    }

    /** Says that one node is faster than several, if it is. */
    private String hint() {
        Optional<Line> alone = fastest(true);
        Optional<Line> together = fastest(false);
        if (nodes == 1 || alone.isEmpty() || together.isEmpty()) {
            return "";
        }
        LiveRun one = alone.get().median();
        LiveRun several = together.get().median();
        return one.seconds() * GAIN_MIN > several.seconds()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "\nThe problem is too small for %d nodes: '%s' takes %s, and the fastest"
                                + " version on %d nodes, '%s', %s. Enlarge it, or use one node.\n",
                        nodes,
                        alone.get().contestant().label(),
                        seconds(one),
                        nodes,
                        together.get().contestant().label(),
                        seconds(several));
    }

    private Optional<Line> fastest(boolean isAlone) {
        return lines.stream()
                .filter(line -> line.isGood() && line.contestant().isAlone() == isAlone)
                .min(Comparator.comparingDouble(line -> line.median().seconds()));
    }

    private static String row(Line line) {
        String label = line.contestant().label();
        if (!line.isGood()) {
            return String.format(
                    Locale.ROOT, ROW, label, FAILED, "", "", "", "", "", "", "", "", "");
        }
        LiveRun run = line.median();
        return String.format(
                Locale.ROOT,
                ROW,
                label,
                seconds(run),
                run.total(NodeCounter.MESSAGES),
                Units.bytes(run.total(NodeCounter.BYTES)),
                run.total(NodeCounter.READ_FAULTS),
                run.total(NodeCounter.WRITE_FAULTS),
                Units.nanos(run.total(NodeCounter.FAULT_NANOS)),
                Units.nanos(
                        run.total(NodeCounter.LOCK_NANOS) + run.total(NodeCounter.CONDITION_NANOS)),
                Units.nanos(run.total(NodeCounter.BARRIER_NANOS)),
                Units.nanos(run.total(NodeCounter.RECEIVE_NANOS)),
                Units.nanos(run.total(NodeCounter.CALL_NANOS)));
    }

    private static String bar(Line line, double longest) {
        String label =
                String.format(Locale.ROOT, "%-" + LABEL_COLUMNS + "s ", line.contestant().label());
        if (!line.isGood()) {
            return label + FAILED + "\n";
        }
        double share = longest == 0 ? 0 : line.median().seconds() / longest;
        int columns = Math.max(1, (int) Math.round(share * BAR_COLUMNS));
        return label + "█".repeat(columns) + " " + seconds(line.median()) + "\n";
    }

    private static String seconds(LiveRun run) {
        return Units.nanos(Math.round(run.seconds() * 1e9));
    }

    /**
     * One object.
     *
     * <pre>
     * heading     a string
     * versions    an array of objects:
     *   label, version    strings
     *   protocol          a string, "annotated" without an override
     *   good              true if every run's result is right
     *   seconds           an array of numbers, one for each run
     *   median            the report of the run of median time, as {@code dsm run --json} writes
     *                     it; null if it has none
     * </pre>
     */
    public String json() {
        JsonArray versions = new JsonArray();
        for (Line line : lines) {
            JsonObject version = new JsonObject();
            version.addProperty("label", line.contestant().label());
            version.addProperty("version", line.contestant().version());
            version.addProperty(
                    "protocol",
                    line.contestant().protocol().map(Protocol::word).orElse("annotated"));
            version.addProperty("good", line.isGood());
            JsonArray seconds = new JsonArray();
            line.runs().forEach(run -> seconds.add(run.seconds()));
            version.add("seconds", seconds);
            if (line.median().report().isPresent()) {
                version.add("median", line.median().report().get());
            } else {
                version.add("median", JsonNull.INSTANCE);
            }
            versions.add(version);
        }
        JsonObject all = new JsonObject();
        all.addProperty("heading", heading);
        all.add("versions", versions);
        Gson gson =
                new GsonBuilder()
                        .setFormattingStyle(FormattingStyle.PRETTY)
                        .serializeNulls()
                        .create();
        return gson.toJson(all) + "\n";
    }
}
