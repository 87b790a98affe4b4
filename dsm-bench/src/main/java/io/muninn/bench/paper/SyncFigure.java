package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;

/**
 * A figure of what a synchronization costs, by processors: a curve for each number of pages that
 * are concerned.
 *
 * @param number as the paper numbers it
 * @param part of that figure
 * @param title for readers
 * @param pages what these numbers count
 * @param curves numbers of pages
 * @param cost of a synchronization
 */
record SyncFigure(
        int number, String part, String title, String pages, List<Integer> curves, Cost cost)
        implements Figure {
    private static final List<Integer> PROCESSORS = List.of(2, 4, 8, 16);

    /** Microseconds, measured anew. */
    interface Cost {
        double micros(int processors, int pages);
    }

    SyncFigure {
        curves = List.copyOf(curves);
    }

    @Override
    public String fileName() {
        return "figure-" + number + "-" + part;
    }

    /** Also writes what it shows as a file of comma-separated values. */
    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        XYChart chart =
                ChartFiles.chart("Figure " + number + ": " + title, "processors", "microseconds");
        StringBuilder csv = new StringBuilder("processors,pages,microseconds\n");
        for (int curve : curves) {
            List<Double> micros = new ArrayList<>();
            for (int processors : PROCESSORS) {
                double measured = cost.micros(processors, curve);
                micros.add(measured);
                csv.append(String.format(Locale.ROOT, "%d,%d,%.1f\n", processors, curve, measured));
            }
            chart.addSeries(curve + " " + pages, PROCESSORS, micros);
        }
        ChartFiles.write(chart, folder, fileName());
        Files.writeString(folder.resolve(fileName() + ".csv"), csv);
        return true;
    }
}
