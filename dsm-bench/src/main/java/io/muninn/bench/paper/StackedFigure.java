package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of stacked bars, in a group for each program.
 *
 * @param number as the paper numbers it
 * @param title for readers
 * @param unit of the lengths
 * @param parts of a bar by name, the lowest first; a table may lack some of these columns
 * @param tables from results: the bars of each group by label, with a row for each program
 */
record StackedFigure(
        int number,
        String title,
        String unit,
        List<String> parts,
        Function<PaperResults, SequencedMap<String, Comparison>> tables)
        implements Figure {
    StackedFigure {
        parts = List.copyOf(parts);
    }

    /** Leaves out bars without a length. */
    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        SequencedMap<String, Comparison> all = tables.apply(results);
        List<String> bars = new ArrayList<>();
        Map<String, List<Double>> lengths = new LinkedHashMap<>();
        parts.forEach(part -> lengths.put(part, new ArrayList<>()));
        int gaps = 0;
        for (PaperProgram program : results.programs()) {
            String row = program.title();
            int before = bars.size();
            all.forEach((label, table) -> {
                List<OptionalDouble> found =
                        parts.stream().map(part -> table.ours(row, part)).toList();
                if (found.stream().anyMatch(OptionalDouble::isPresent)) {
                    addBar(bars, lengths, (row + " " + label).strip(), found);
                }
            });
            if (bars.size() > before + 1) {
                gaps++;
                addBar(bars, lengths, " ".repeat(gaps), List.of()); // every label is another
            }
        }
        if (bars.isEmpty()) {
            return false;
        }
        CategoryChart chart =
                ChartFiles.stackedBars("Figure " + number + ": " + title, unit, bars.size());
        lengths.forEach((part, ofBars) -> chart.addSeries(part, bars, ofBars));
        ChartFiles.write(chart, folder, fileName());
        return true;
    }

    private void addBar(
            List<String> bars,
            Map<String, List<Double>> lengths,
            String label,
            List<OptionalDouble> found) {
        bars.add(label);
        for (int i = 0; i < parts.size(); i++) {
            double length = found.isEmpty() ? 0 : found.get(i).orElse(0);
            Known.of(lengths, parts.get(i)).add(length);
        }
    }
}
