package io.muninn.bench;

import io.muninn.apps.Turns;
import io.muninn.bench.series.TurnGiver;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs {@link ViewAccessBenchmark} and prints for each loop its time over a view, over bare memory
 * and over a heap array, and the ratio of view to array.
 *
 * <p>The access methods of a loop take turns, because a machine may become slower by half from one
 * second to the next. Each method has its own JVM. The JVMs run concurrently, and all but one wait.
 * In every round each method runs for one iteration; the order is reversed from round to round. The
 * whole is repeated in new JVMs, because compiled code differs from JVM to JVM. A time is the
 * median of all iterations in all JVMs: other load on the machine affects it less than the mean.
 *
 * <pre>
 * ViewAccess [LOOP]              a table
 * ViewAccess --lines [--quick]   one line for each benchmark, to be parsed; shorter turns
 * </pre>
 */
public final class ViewAccess {
    static final String LINES = "--lines";
    static final String QUICK = "--quick";

    /** Suppresses the JVM's warnings about JMH's use of {@code Unsafe}. */
    static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    private static final String WAY = "Of";
    private static final String VIEW = WAY + "View";
    private static final String BARE = WAY + "Segment";
    private static final String ARRAY = WAY + "Array";
    private static final String BENCHMARK = ViewAccessBenchmark.class.getSimpleName();

    /** The only loop of a quick run. */
    private static final String FEW_LOOPS = "stencil";

    /** Timeout for the start of a JVM and for each turn. */
    private static final int PATIENCE_MILLIS = 60_000;

    private static final int WARM_UP_MILLIS = 100;

    private static final Effort FOR_TABLE = new Effort(3, 15, 10, 200);

    /**
     * Times of the same loop differ by a tenth from JVM to JVM. When a loop was compared with
     * itself, in twelve JVMs each, the ratio of medians was 0.955 to 1.053 with any five JVMs, and
     * 0.99 to 1.01 with all twelve.
     */
    private static final Effort FOR_LINES = new Effort(12, 6, 16, 25);

    private static final Effort FOR_FEW = new Effort(1, 6, 4, 25);

    /**
     * The amount of measurement.
     *
     * @param forks sequential JVMs of each access method
     * @param warmUps discarded rounds of {@link #WARM_UP_MILLIS} in each JVM. On one processor
     *     JMH's own loop is compiled only after up to half a second of turns
     * @param rounds measured rounds in each JVM
     */
    private record Effort(int forks, int warmUps, int rounds, int turnMillis) {}

    private ViewAccess() {}

    public static void main(String[] args)
            throws IOException, InterruptedException, ExecutionException {
        System.setProperty("jmh.ignoreLock", "true"); // it would leave its lock file behind
        if (args.length > 0 && args[0].equals(LINES)) {
            printLines(args.length > 1 && args[1].equals(QUICK));
        } else {
            printTable(args.length == 0 ? "" : args[0]);
        }
    }

    private static void printTable(String loops)
            throws IOException, InterruptedException, ExecutionException {
        SortedMap<String, List<String>> all = waysByLoop(loops);
        System.out.printf(
                Locale.ROOT,
                "%-16s %10s %12s %12s %7s%n",
                "loop",
                "view, ns",
                "segment, ns",
                "array, ns",
                "ratio");
        for (Map.Entry<String, List<String>> loop : all.entrySet()) {
            Map<String, Statistics> nanos = byTurns(loop.getValue(), FOR_TABLE);
            double view = median(nanos, loop.getKey() + VIEW);
            double bare = median(nanos, loop.getKey() + BARE);
            double array = median(nanos, loop.getKey() + ARRAY);
            System.out.printf(
                    Locale.ROOT,
                    "%-16s %10.1f %12.1f %12.1f %7.3f%n",
                    loop.getKey(),
                    view,
                    bare,
                    array,
                    view / array);
        }
    }

    private static double median(Map<String, Statistics> nanos, String name) {
        Statistics statistics = nanos.get(name);
        return statistics == null ? Double.NaN : statistics.getPercentile(50);
    }

    private static void printLines(boolean quick)
            throws IOException, InterruptedException, ExecutionException {
        for (List<String> ways : waysByLoop(quick ? FEW_LOOPS : "").values()) {
            byTurns(ways, quick ? FOR_FEW : FOR_LINES)
                    .forEach((name, nanos) -> System.out.println(line(name, nanos)));
        }
    }

    private static String line(String name, Statistics nanos) {
        return AccessRuns.PREFIX
                + name.replaceFirst(WAY + "(\\w+)$", "-$1").toLowerCase(Locale.ROOT)
                + " "
                + nanos.getPercentile(50)
                + " "
                + nanos.getPercentile(99)
                + " "
                + nanos.getN();
    }

    /**
     * The benchmarks of each loop.
     *
     * @param loops prefix of their names
     * @throws IllegalArgumentException if there is none
     */
    private static SortedMap<String, List<String>> waysByLoop(String loops) {
        SortedMap<String, List<String>> ways =
                Arrays.stream(ViewAccessBenchmark.class.getMethods())
                        .filter(method -> method.isAnnotationPresent(Benchmark.class))
                        .map(Method::getName)
                        .filter(name -> name.startsWith(loops))
                        .sorted()
                        .collect(
                                Collectors.groupingBy(
                                        name -> name.substring(0, name.lastIndexOf(WAY)),
                                        TreeMap::new,
                                        Collectors.toList()));
        if (ways.isEmpty()) {
            throw new IllegalArgumentException("there is no loop '" + loops + "'");
        }
        return ways;
    }

    /** The iterations of all forks, in nanoseconds, by the names of benchmarks. */
    private static SortedMap<String, Statistics> byTurns(List<String> ways, Effort effort)
            throws IOException, InterruptedException, ExecutionException {
        SortedMap<String, List<BenchmarkResult>> forks = new TreeMap<>();
        for (int i = 0; i < effort.forks(); i++) {
            for (RunResult result : oneForkEach(ways, effort)) {
                forks.computeIfAbsent(result.getPrimaryResult().getLabel(), _ -> new ArrayList<>())
                        .addAll(result.getBenchmarkResults());
            }
        }
        SortedMap<String, Statistics> all = new TreeMap<>();
        forks.forEach((name, results) -> all.put(name, statistics(results)));
        return all;
    }

    private static Statistics statistics(List<BenchmarkResult> forks) {
        return new RunResult(forks.getFirst().getParams(), forks)
                .getPrimaryResult()
                .getStatistics();
    }

    private static List<RunResult> oneForkEach(List<String> ways, Effort effort)
            throws IOException, InterruptedException, ExecutionException {
        try (ExecutorService runners = Executors.newFixedThreadPool(ways.size());
                ServerSocket door =
                        new ServerSocket(0, ways.size(), InetAddress.getLoopbackAddress())) {
            List<Future<RunResult>> results = new ArrayList<>();
            for (String name : ways) {
                Options options = options(name, effort, door.getLocalPort());
                results.add(runners.submit(() -> new Runner(options).runSingle()));
            }
            try (TurnGiver giver = new TurnGiver(door, PATIENCE_MILLIS)) {
                giver.admit(ways.size());
                giver.give(effort.warmUps() + effort.rounds());
            } catch (IOException gone) {
                results.stream()
                        .filter(result -> result.state() == Future.State.FAILED)
                        .forEach(result -> gone.addSuppressed(result.exceptionNow()));
                throw gone;
            }
            List<RunResult> all = new ArrayList<>();
            for (Future<RunResult> result : results) {
                all.add(result.get());
            }
            return all;
        }
    }

    /** Options of a JVM that has the benchmark's flags only, not those of this JVM. */
    private static Options options(String name, Effort effort, int port) {
        return new OptionsBuilder()
                .include("\\b" + BENCHMARK + "\\." + name + "$")
                .addProfiler(Turn.class.getName(), Integer.toString(port))
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .forks(1)
                .warmupIterations(effort.warmUps())
                .warmupTime(TimeValue.milliseconds(WARM_UP_MILLIS))
                .measurementIterations(effort.rounds())
                .measurementTime(TimeValue.milliseconds(effort.turnMillis()))
                .jvmArgs("-XX:-UsePerfData", UNSAFE)
                .build();
    }

    /** Delays each iteration until its turn. JMH creates one in each fork. */
    public static final class Turn implements InternalProfiler {
        private final int port;

        /** Null until the first iteration. */
        private @Nullable Turns turns;

        /**
         * @param port TCP port of the turn giver on this machine
         */
        public Turn(String port) {
            this.port = Integer.parseInt(port);
        }

        @Override
        public String getDescription() {
            return "turns";
        }

        @Override
        public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
            connected().await();
        }

        @Override
        public Collection<? extends Result<?>> afterIteration(
                BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
            connected().pass();
            return List.of();
        }

        private Turns connected() {
            Turns known = turns;
            if (known == null) {
                known = new Turns(port);
                turns = known;
            }
            return known;
        }
    }
}
