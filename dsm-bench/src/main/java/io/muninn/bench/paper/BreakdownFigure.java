package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import io.muninn.sim.processor.ProcessorTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of what the time of each processor went to in the runs of one program: a bar for each
 * processor of each version.
 *
 * @param number as the paper numbers it
 * @param title for readers
 * @param program whose runs, by name
 * @param versions in order
 */
record BreakdownFigure(int number, String title, String program, List<PaperVersion> versions)
        implements Figure {
    private static final double NANOS_PER_MILLI = 1e6;

    BreakdownFigure {
        versions = List.copyOf(versions);
    }

    /** Also writes what it shows as {@code figure-N.csv}. */
    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        List<String> bars = new ArrayList<>();
        List<ProcessorTimes> times = new ArrayList<>();
        for (PaperVersion version : versions) {
            Optional<SimulatedTimes> run = results.at(program, version, results.most());
            List<ProcessorTimes> threads =
                    run.map(each -> each.clustering().threads()).orElse(List.of());
            for (int i = 0; i < threads.size(); i++) {
                bars.add(version.label() + " " + i);
                times.add(threads.get(i));
            }
        }
        if (bars.isEmpty()) {
            return false;
        }
        CategoryChart chart =
                ChartFiles.stackedBars(
                        "Figure " + number + ": " + title, "milliseconds", bars.size());
        StringBuilder csv = new StringBuilder("processor,part,milliseconds\n");
        for (ProcessorPart part : ProcessorPart.values()) {
            List<Double> lengths =
                    times.stream().map(each -> part.nanos(each) / NANOS_PER_MILLI).toList();
            chart.addSeries(part.label(), bars, lengths);
            for (int i = 0; i < bars.size(); i++) {
                csv.append(
                        String.format(
                                Locale.ROOT,
                                "%s,%s,%.3f\n",
                                bars.get(i),
                                part.label(),
                                lengths.get(i)));
            }
        }
        ChartFiles.write(chart, folder, fileName());
        Files.writeString(folder.resolve(fileName() + ".csv"), csv);
        return true;
    }
}
