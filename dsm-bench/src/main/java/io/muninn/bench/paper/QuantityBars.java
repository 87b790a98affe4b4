package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of one quantity of all programs: a group of bars for each, with a bar for each version.
 *
 * @param number as the paper numbers it
 * @param title what it shows
 * @param unit of the quantity
 * @param versions bars of each group
 * @param quantity of a run
 */
record QuantityBars(
        int number,
        String title,
        String unit,
        List<PaperVersion> versions,
        ToDoubleFunction<SimulatedTimes> quantity)
        implements Figure {
    QuantityBars {
        versions = List.copyOf(versions);
    }

    /** Shows the programs of which every version was run. */
    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        List<PaperProgram> complete =
                results.programs().stream()
                        .filter(program ->
                                versions.stream()
                                        .allMatch(each -> of(results, program, each).isPresent()))
                        .toList();
        if (complete.isEmpty()) {
            return false;
        }
        CategoryChart chart = ChartFiles.bars("Figure " + number + ": " + title, "program", unit);
        List<String> titles = complete.stream().map(PaperProgram::title).toList();
        for (PaperVersion version : versions) {
            List<Double> heights =
                    complete.stream()
                            .map(program -> of(results, program, version).orElseThrow())
                            .toList();
            chart.addSeries(version.label(), titles, heights);
        }
        ChartFiles.write(chart, folder, fileName());
        return true;
    }

    private OptionalDouble of(PaperResults results, PaperProgram program, PaperVersion version) {
        return results.at(program.name(), version, results.most()).stream()
                .mapToDouble(quantity)
                .findFirst();
    }
}
