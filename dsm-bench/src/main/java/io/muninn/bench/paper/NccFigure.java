package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of the study of machines without coherent caches: groups of bars, and the same as a
 * table.
 *
 * @param name without a suffix, as in {@code figure-2}
 * @param title what it shows
 * @param unit of the bars
 * @param columns labels of the bars of each group
 * @param groups heights by the label of the group, in order; NaN for what was not run
 */
record NccFigure(
        String name,
        String title,
        String unit,
        List<String> columns,
        Map<String, List<Double>> groups) {
    NccFigure(String name, String title, String unit, List<String> columns) {
        this(name, title, unit, List.copyOf(columns), new LinkedHashMap<>());
    }

    /** Adds a group. */
    void add(String label, List<Double> heights) {
        groups.put(label, List.copyOf(heights));
    }

    /** The figure as a section of a page. */
    String markdown() {
        StringBuilder text = new StringBuilder("## " + title + "\n\n");
        text.append("![").append(title).append("](").append(name).append(".svg)\n\n");
        text.append("| ").append(unit).append(" | ").append(String.join(" | ", columns));
        text.append(" |\n| --- |").append(" ---: |".repeat(columns.size())).append('\n');
        groups.forEach((label, heights) -> {
            text.append("| ").append(label).append(" |");
            heights.forEach(each -> text.append(' ').append(number(each)).append(" |"));
            text.append('\n');
        });
        return text.append('\n').toString();
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** Writes the plot. */
    void write(Path folder) throws IOException {
        CategoryChart chart = ChartFiles.bars(title, "program", unit);
        List<String> labels = List.copyOf(groups.keySet());
        for (int column = 0; column < columns.size(); column++) {
            List<Double> heights = new ArrayList<>();
            for (List<Double> each : groups.values()) {
                heights.add(Double.isNaN(each.get(column)) ? 0 : each.get(column));
            }
            chart.addSeries(columns.get(column), labels, heights);
        }
        ChartFiles.write(chart, folder, name);
    }
}
