package io.muninn.bench.output;

import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/** Creates charts and writes them as SVG, without a display. */
public final class ChartFiles {
    private static final String FORMAT = "svg";

    /** Decimals of coordinates after the first, which are removed. */
    private static final Pattern DECIMALS = Pattern.compile("(\\.\\d)\\d+");

    /** Superfluous characters in the data of paths. */
    private static final Pattern SUPERFLUOUS =
            Pattern.compile(" (?=[CLMQZ][-.\\d \"])|\\.0(?=[ ,])");

    private static final int WIDTH = 640;
    private static final int WIDE = 960;
    private static final int HEIGHT = 480;
    private static final int BAR = 16; // as wide as a line of its label is high
    private static final int LEGEND = 280;
    private static final int QUARTER = 90; // degrees

    static {
        System.setProperty("java.awt.headless", "true");
    }

    private ChartFiles() {}

    /** An empty line chart on white. */
    public static XYChart chart(String title, String xTitle, String yTitle) {
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(title)
                        .xAxisTitle(xTitle)
                        .yAxisTitle(yTitle)
                        .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    /** An empty bar chart on white. */
    public static CategoryChart bars(String title, String xTitle, String yTitle) {
        CategoryChart chart = bars(title, yTitle, WIDE);
        chart.setXAxisTitle(xTitle);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
        return chart;
    }

    /**
     * An empty stacked bar chart on white.
     *
     * @param bars how many there will be, each with a label
     */
    public static CategoryChart stackedBars(String title, String yTitle, int bars) {
        CategoryChart chart = bars(title, yTitle, Math.max(2 * WIDTH, LEGEND + BAR * bars));
        chart.getStyler().setStacked(true);
        chart.getStyler().setXAxisLabelRotation(QUARTER);
        chart.getStyler().setXAxisLabelAlignmentVertical(AxesChartStyler.TextAlignment.Right);
        chart.getStyler().setXAxisMaxLabelCount(Math.max(2, bars)); // else some are left out
        chart.getStyler().setPlotGridVerticalLinesVisible(false);
        return chart;
    }

    private static CategoryChart bars(String title, String yTitle, int width) {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(width)
                        .height(HEIGHT)
                        .title(title)
                        .yAxisTitle(yTitle)
                        .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    /** Writes {@code name.svg}. */
    public static void write(IChart chart, Path folder, String name) throws IOException {
        byte[] image = ChartEncoder.getBytes(chart, FORMAT);
        Files.writeString(folder.resolve(name + "." + FORMAT), shortened(image));
    }

    private static String shortened(byte[] svg) {
        String text = new String(svg, StandardCharsets.UTF_8);
        String rounded = DECIMALS.matcher(text).replaceAll("$1");
        return SUPERFLUOUS.matcher(rounded).replaceAll("");
    }
}
