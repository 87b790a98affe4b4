package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import io.muninn.bench.paper.ScalingPoint.Program;
import io.muninn.coherence.ProtocolKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;

/** The page and the plots of a program in the study of many nodes. */
final class ScalingTables {
    private static final double KIB = 1024;

    /** A quantity by number of nodes: a table and a plot for each program. */
    private enum Quantity {
        MESSAGES("messages", "messages of a node in a sweep", 1, ScalingCost::messages),
        BYTES("bytes", "KiB that a node sends in a sweep", KIB, ScalingCost::bytes),
        TIME("time", "virtual time of a sweep, ms", 1e6, ScalingCost::nanos),
        METADATA(
                "metadata",
                "metadata in messages of a sweep, bytes by node and page",
                1,
                ScalingCost::metadataOfPage),
        KEPT("kept", "most notices and diffs kept by a node, KiB", KIB, ScalingCost::keptBytes);

        private final String word;
        private final String title;
        private final double unit;
        private final ToDoubleFunction<ScalingCost> of;

        Quantity(String word, String title, double unit, ToDoubleFunction<ScalingCost> of) {
            this.word = word;
            this.title = title;
            this.unit = unit;
            this.of = of;
        }

        double of(ScalingCost cost) {
            return of.applyAsDouble(cost) / unit;
        }
    }

    private final Program program;
    private final ScalingRuns runs;
    private final List<Integer> nodes;

    /**
     * @param runs of the program
     */
    ScalingTables(Program program, ScalingRuns runs) {
        this.program = program;
        this.runs = runs;
        this.nodes =
                runs.costs().keySet().stream()
                        .map(ScalingPoint::nodes)
                        .distinct()
                        .sorted()
                        .toList();
    }

    String page() {
        String word = program.word();
        StringBuilder page = new StringBuilder("# Many nodes: " + word + "\n\n");
        page.append("Written by `./dsm paper scaling`; not to be edited.\n");
        page.append("Every node has 8 pages of the grid. Messages by kind: [").append(word);
        page.append(".csv](").append(word).append(".csv).\n\n");
        for (Quantity quantity : Quantity.values()) {
            append(quantity, page);
        }
        return page.toString().stripTrailing() + "\n";
    }

    private void append(Quantity quantity, StringBuilder page) {
        String title = program.word() + ": " + quantity.title;
        page.append("## ").append(title).append("\n\n");
        page.append("![").append(title).append("](").append(file(quantity));
        page.append(".svg)\n\n| nodes |");
        nodes.forEach(each -> page.append(' ').append(each).append(" |"));
        page.append("\n| --- |").append(" ---: |".repeat(nodes.size())).append('\n');
        for (ProtocolKind kind : ScalingRuns.kinds()) {
            page.append("| ").append(kind.word()).append(" |");
            for (int each : nodes) {
                ScalingCost cost = runs.costs().get(new ScalingPoint(program, kind, each));
                page.append(' ').append(cost == null ? "–" : number(quantity.of(cost)));
                page.append(" |");
            }
            page.append('\n');
        }
        page.append('\n');
    }

    private String file(Quantity quantity) {
        return program.word() + "-" + quantity.word;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    /** Writes a plot for each table, with logarithmic axes. */
    void plot(Path folder) throws IOException {
        for (Quantity quantity : Quantity.values()) {
            XYChart chart =
                    ChartFiles.chart(
                            program.word() + ": " + quantity.title, "nodes", quantity.word);
            chart.getStyler().setXAxisLogarithmic(true);
            chart.getStyler().setYAxisLogarithmic(true);
            boolean isDrawn = false;
            for (ProtocolKind kind : ScalingRuns.kinds()) {
                isDrawn |= add(chart, quantity, kind);
            }
            if (isDrawn) {
                ChartFiles.write(chart, folder, file(quantity));
            }
        }
    }

    private boolean add(XYChart chart, Quantity quantity, ProtocolKind kind) {
        List<Integer> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (Map.Entry<ScalingPoint, ScalingCost> each : runs.costs().entrySet()) {
            ScalingPoint point = each.getKey();
            double value = quantity.of(each.getValue());
            if (point.kind() == kind && value > 0) {
                x.add(point.nodes());
                y.add(value);
            }
        }
        if (!x.isEmpty()) {
            chart.addSeries(kind.word(), x, y);
        }
        return !x.isEmpty();
    }
}
