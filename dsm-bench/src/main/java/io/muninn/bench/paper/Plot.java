package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a figure of speedups as SVG; needs no display. */
final class Plot {
    private static final int PAPER_NODES = 16;
    private static final float LINE_WIDTH = 2;

    private final SpeedupFigure figure;
    private final PaperResults results;
    private final PaperValues values;

    Plot(SpeedupFigure figure, PaperResults results, PaperValues values) {
        this.figure = figure;
        this.results = results;
        this.values = values;
    }

    /** True if there is anything to draw: two lines at least, of which to compare. */
    boolean isPossible() {
        return figure.versions().stream().filter(this::hasRun).count() > 1;
    }

    private boolean hasRun(PaperVersion version) {
        return results.at(figure.program(), version, results.most()).isPresent();
    }

    /** Writes {@code figure-N.svg}. */
    void write(Path folder) throws IOException {
        ChartFiles.write(chart(), folder, figure.fileName());
    }

    private XYChart chart() {
        XYChart chart =
                ChartFiles.chart(
                        "Figure " + figure.number() + ": " + figure.title(),
                        "processors",
                        "speedup");
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setXAxisMin(0.0);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax((double) results.most());
        chart.getStyler().setXAxisMax((double) results.most());
        figure.versions().stream().filter(this::hasRun).forEach(version -> addLine(chart, version));
        addPaper(chart);
        addLinear(chart);
        return chart;
    }

    private void addLine(XYChart chart, PaperVersion version) {
        List<Integer> counts = new ArrayList<>();
        List<Double> speedups = new ArrayList<>();
        for (int count : results.nodes()) {
            OptionalDouble speedup = results.speedup(figure.program(), version, count);
            if (speedup.isPresent()) {
                counts.add(count);
                speedups.add(speedup.getAsDouble());
            }
        }
        chart.addSeries(version.label(), counts, speedups).setLineWidth(LINE_WIDTH);
    }

    /** What the paper's Table 2 has of these versions. */
    private void addPaper(XYChart chart) {
        List<Integer> counts = new ArrayList<>();
        List<Double> speedups = new ArrayList<>();
        for (PaperVersion version : figure.versions()) {
            OptionalDouble paper = values.of("table-2", figure.program(), version);
            if (paper.isPresent() && results.most() == PAPER_NODES) {
                counts.add(PAPER_NODES);
                speedups.add(paper.getAsDouble());
            }
        }
        if (!counts.isEmpty()) {
            XYSeries series = chart.addSeries("the paper's Table 2", counts, speedups);
            series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
            series.setMarker(SeriesMarkers.CROSS);
            series.setMarkerColor(Color.BLACK);
        }
    }

    private void addLinear(XYChart chart) {
        List<Integer> ends = List.of(0, results.most());
        XYSeries series = chart.addSeries("linear", ends, ends);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(Color.LIGHT_GRAY);
        series.setLineStyle(new BasicStroke(1));
    }
}
