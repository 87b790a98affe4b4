package io.muninn.bench;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.Styler;

/**
 * Function shipping and data shipping on one number of nodes: two lines over the size of a task,
 * and their crossing.
 *
 * @param ship nanoseconds per task taken and put back by calls, by bytes of a task
 * @param data the same with a queue in shared memory
 */
record ShippingLines(
        int nodes,
        boolean pinned,
        SortedMap<Integer, Double> ship,
        SortedMap<Integer, Double> data) {
    private static final String SHIP = "ship";
    private static final String DATA = "data";
    private static final double NANOS_PER_MICRO = 1e3;

    /** The measured lines of each placement and number of nodes. */
    static List<ShippingLines> of(List<Row> rows) {
        List<ShippingLines> all = new ArrayList<>();
        for (boolean pinned : new boolean[] {true, false}) {
            for (int nodes : LiveRuns.NODES) {
                SortedMap<Integer, Double> ship = line(rows, SHIP, nodes, pinned);
                SortedMap<Integer, Double> data = line(rows, DATA, nodes, pinned);
                if (!ship.isEmpty() && ship.keySet().equals(data.keySet())) {
                    all.add(new ShippingLines(nodes, pinned, ship, data));
                }
            }
        }
        return all;
    }

    private static SortedMap<Integer, Double> line(
            List<Row> rows, String kind, int nodes, boolean pinned) {
        SortedMap<Integer, Double> line = new TreeMap<>();
        for (Row row : rows) {
            String[] parts = row.name().split("-");
            if (parts[0].equals(kind)
                    && row.pinned() == pinned
                    && Integer.parseInt(parts[2]) == nodes) {
                line.put(Integer.parseInt(parts[1]), row.medianNanos());
            }
        }
        return line;
    }

    /**
     * The task size in bytes at which both take the same time. Interpolates between two
     * neighbouring sizes, linearly in the logarithms, as the plot does. Returns the first crossing
     * if there are several.
     */
    OptionalDouble crossing() {
        Integer smaller = null;
        for (Integer larger : ship.keySet()) {
            if (smaller != null && gap(smaller) * gap(larger) < 0) {
                double share = gap(smaller) / (gap(smaller) - gap(larger));
                double step = Math.log((double) larger / smaller);
                return OptionalDouble.of(smaller * Math.exp(share * step));
            }
            smaller = larger;
        }
        return OptionalDouble.empty();
    }

    /** Logarithm of the ratio of both times: negative if function shipping is cheaper. */
    private double gap(int bytes) {
        return Math.log(nanos(ship, bytes) / nanos(data, bytes));
    }

    private static double nanos(SortedMap<Integer, Double> line, int bytes) {
        return Objects.requireNonNull(line.get(bytes), () -> "no task of " + bytes + " bytes");
    }

    /** A sentence that says which is cheaper below and above the crossing. */
    String answer() {
        boolean shipsSmall = gap(ship.firstKey()) < 0;
        String first = shipsSmall ? "ship the function" : "ship the data";
        String second = shipsSmall ? "ship the data" : "ship the function";
        OptionalDouble crossing = crossing();
        if (crossing.isEmpty()) {
            return first + ", whatever the size";
        }
        return first
                + " below "
                + Format.number(crossing.getAsDouble())
                + " bytes, "
                + second
                + " above";
    }

    String where() {
        return nodes
                + (nodes == 1 ? " node, " : " nodes, ")
                + (pinned ? Placement.ONE_CPU : Placement.UNPINNED).words();
    }

    String fileName() {
        return "shipping-" + nodes + (pinned ? "-one-cpu" : "-unpinned");
    }

    /** Writes the plot, as SVG. */
    void write(Path folder) throws IOException {
        XYChart chart =
                ChartFiles.chart(
                        "A task taken and put back: " + where(),
                        "bytes of a task",
                        "microseconds per task");
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        add(chart, "function shipping", ship);
        add(chart, "data shipping", data);
        ChartFiles.write(chart, folder, fileName());
    }

    private static void add(XYChart chart, String label, SortedMap<Integer, Double> line) {
        chart.addSeries(
                label,
                List.copyOf(line.keySet()),
                line.values().stream().map(nanos -> nanos / NANOS_PER_MICRO).toList());
    }
}
