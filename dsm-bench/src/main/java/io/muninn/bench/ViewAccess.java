package io.muninn.bench;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs {@link ViewAccessBenchmark} and prints, for each loop, the time through a view, the time
 * without one, and their ratio. A time is the median of all iterations of all forks: the mean is at
 * the mercy of whatever else the machine does.
 *
 * <pre>
 * ViewAccess [LOOP]              a table, after all that JMH has to say
 * ViewAccess --lines [--quick]   a line each, for programs, and shorter iterations
 * </pre>
 */
public final class ViewAccess {
    static final String LINES = "--lines";
    static final String QUICK = "--quick";

    /** JMH asks for it, and the JVM would say so at length. */
    static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    private static final String VIEW = "OfView";
    private static final String BARE = "OfSegment";
    private static final String BENCHMARK = ViewAccessBenchmark.class.getSimpleName();

    /** The loop that shows whether it works. */
    private static final String FEW_LOOPS = "stencil";

    private ViewAccess() {}

    public static void main(String[] args) throws RunnerException {
        if (args.length > 0 && args[0].equals(LINES)) {
            printLines(args.length > 1 && args[1].equals(QUICK));
        } else {
            printTable(args.length == 0 ? "" : args[0]);
        }
    }

    private static void printTable(String loops) throws RunnerException {
        Map<String, Double> nanos = new TreeMap<>();
        for (RunResult result : run(options(loops))) {
            nanos.put(label(result), statistics(result).getPercentile(50));
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

    private static void printLines(boolean quick) throws RunnerException {
        int millis = quick ? 100 : 200;
        ChainedOptionsBuilder options =
                options(quick ? FEW_LOOPS : "")
                        .verbosity(VerboseMode.SILENT)
                        .forks(quick ? 1 : 2)
                        .warmupIterations(quick ? 2 : 4)
                        .warmupTime(new TimeValue(millis, TimeUnit.MILLISECONDS))
                        .measurementIterations(quick ? 3 : 5)
                        .measurementTime(new TimeValue(millis, TimeUnit.MILLISECONDS));
        for (RunResult result : run(options)) {
            Statistics statistics = statistics(result);
            System.out.println(
                    AccessRuns.PREFIX
                            + label(result).replaceFirst("Of(\\w+)$", "-$1").toLowerCase()
                            + " "
                            + statistics.getPercentile(50)
                            + " "
                            + statistics.getPercentile(99)
                            + " "
                            + statistics.getN());
        }
    }

    private static ChainedOptionsBuilder options(String loops) {
        return new OptionsBuilder().include(BENCHMARK + "\\." + loops);
    }

    /** In JVMs with the flags of the benchmark alone, whatever this one has. */
    private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
        System.setProperty("jmh.ignoreLock", "true"); // its file would be left behind
        return new Runner(options.jvmArgs("-XX:-UsePerfData", UNSAFE).build()).run();
    }

    private static String label(RunResult result) {
        return result.getPrimaryResult().getLabel();
    }

    private static Statistics statistics(RunResult result) {
        return result.getPrimaryResult().getStatistics();
    }
}
