package io.muninn.bench;

import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link ViewAccessBenchmark} and prints, for each loop, the time through a view, the time
 * without one, and their ratio. A time is the median of all iterations of all forks: the mean is at
 * the mercy of whatever else the machine does.
 */
public final class ViewAccess {
    private static final String VIEW = "OfView";
    private static final String BARE = "OfSegment";

    private ViewAccess() {}

    public static void main(String[] args) throws RunnerException {
        String name = ViewAccessBenchmark.class.getSimpleName();
        String loops = args.length == 0 ? "" : args[0];
        Map<String, Double> nanos = new TreeMap<>();
        for (RunResult result :
                new Runner(new OptionsBuilder().include(name + "\\." + loops).build()).run()) {
            nanos.put(
                    result.getPrimaryResult().getLabel(),
                    result.getPrimaryResult().getStatistics().getPercentile(50));
        }
        System.out.printf("%n%-16s %10s %12s %7s%n", "loop", "view, ns", "segment, ns", "ratio");
        nanos.forEach((label, view) -> {
            if (label.endsWith(VIEW)) {
                String loop = label.substring(0, label.length() - VIEW.length());
                double bare = nanos.getOrDefault(loop + BARE, Double.NaN);
                System.out.printf("%-16s %10.1f %12.1f %7.3f%n", loop, view, bare, view / bare);
            }
        });
    }
}
