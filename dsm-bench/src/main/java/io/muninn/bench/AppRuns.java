package io.muninn.bench;

import com.google.gson.JsonObject;
import io.muninn.apps.Turns;
import io.muninn.bench.series.Measured;
import io.muninn.bench.series.TurnGiver;
import io.muninn.launch.process.LiveRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares whole programs on two nodes, in shared memory and with message passing. Each version
 * runs one warm-up repetition, then the measured repetitions, in the same processes. The two
 * versions run alternately, one repetition at a time.
 */
final class AppRuns {
    static final String MULT = "mult-2000";
    static final String DIFF = "diff-4096";

    static final String MULT_TABLE = "mult-table-1";
    static final String DIFF_TABLE = "diff-table-1";

    private static final int NODES = 2;
    private static final int REPEAT = 6;
    private static final int QUICK_REPEAT = 2;

    /** Timeout for the start of a run and for each turn. */
    private static final int PATIENCE_MILLIS = 300_000;

    private static final String SHARED = "dsm";
    private static final String MESSAGES = "mp";
    private static final Pattern REPETITION =
            Pattern.compile("repetition \\d+ of \\d+: (\\d+\\.\\d+) s");

    /** The programs compared with message passing read their input once, sequentially. */
    private static final List<String> READ_AHEAD = List.of("--read-ahead", "auto");

    /**
     * A program to compare.
     *
     * @param quick run with few samples, too
     */
    private record App(String name, String words, boolean quick) {}

    /**
     * A version of a program and the options of its run.
     *
     * @param options of {@code dsm run}, after those of the whole run
     */
    private record Way(String version, List<String> options) {}

    private static final List<App> ALL =
            List.of(
                    new App(MULT, "mult --size 2000", false),
                    new App(DIFF, "diff --rows 4096 --columns 4096 --sweeps 50", false),
                    new App(MULT_TABLE, "mult", true),
                    new App(DIFF_TABLE, "diff", true));

    private final BenchContext context;

    AppRuns(BenchContext context) {
        this.context = context;
    }

    void run() throws IOException, InterruptedException {
        for (App app : ALL) {
            if (app.quick() || !context.isQuick()) {
                try {
                    compare(app);
                } catch (BenchmarkFailedException failed) {
                    context.results().fail(app.name() + ": " + failed.getMessage());
                }
            }
        }
    }

    private void compare(App app) throws IOException, InterruptedException {
        context.say(Placement.UNPINNED, app.words() + ", " + SHARED + " and " + MESSAGES);
        List<ProgramTimes> runs =
                byTurns(app, List.of(new Way(SHARED, READ_AHEAD), new Way(MESSAGES, List.of())));
        runs.forEach(context.results()::add);
        context.results()
                .add(
                        new Row(
                                runs.getFirst().measured(),
                                false,
                                app.words() + " --version " + MESSAGES,
                                OptionalDouble.of(runs.getLast().measured().medianNanos()),
                                Limits.of(app.name(), Placement.UNPINNED)));
    }

    /**
     * Measures a program in shared memory once for each list of options.
     *
     * @param options of {@code dsm run}, after those of the whole run
     * @return one result for each list; empty if the program is too large for a quick run
     */
    List<Measured> shared(String name, List<List<String>> options)
            throws IOException, InterruptedException {
        for (App app : ALL) {
            if (app.name().equals(name) && (app.quick() || !context.isQuick())) {
                List<Way> ways = options.stream().map(each -> new Way(SHARED, each)).toList();
                return byTurns(app, ways).stream().map(ProgramTimes::measured).toList();
            }
        }
        return List.of();
    }

    /**
     * Runs all versions of a program concurrently; only the one whose turn it is makes progress.
     */
    private List<ProgramTimes> byTurns(App app, List<Way> ways)
            throws IOException, InterruptedException {
        int repeat = context.isQuick() ? QUICK_REPEAT : REPEAT;
        try (ExecutorService runners = Executors.newFixedThreadPool(ways.size());
                ServerSocket door =
                        new ServerSocket(0, ways.size(), InetAddress.getLoopbackAddress())) {
            List<Future<LiveRun>> runs = new ArrayList<>();
            for (Way way : ways) {
                runs.add(runners.submit(() -> run(app, way, repeat, door)));
            }
            Optional<IOException> broken = Optional.empty();
            try (TurnGiver giver = new TurnGiver(door, PATIENCE_MILLIS)) {
                giver.admit(ways.size());
                giver.give(repeat);
            } catch (IOException cause) {
                broken = Optional.of(cause); // the output of the runs is more informative
            }
            List<ProgramTimes> all = new ArrayList<>();
            for (int i = 0; i < ways.size(); i++) {
                all.add(measured(app, ways.get(i), repeat, result(runs.get(i))));
            }
            if (broken.isPresent()) {
                throw broken.get();
            }
            return all;
        }
    }

    private static LiveRun result(Future<LiveRun> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }

    /**
     * @param door server socket of the turn giver; closed at the end, so that the turn giver does
     *     not wait for a run that did not connect
     */
    private LiveRun run(App app, Way way, int repeat, ServerSocket door)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(app.words().split(" ")));
        words.addAll(List.of("--repeat", Integer.toString(repeat), "--version", way.version()));
        try {
            return LiveRun.of(
                    List.of("env", Turns.PORT + "=" + door.getLocalPort()),
                    NODES,
                    LiveRuns.options(context, way.options()),
                    words);
        } finally {
            door.close();
        }
    }

    private ProgramTimes measured(App app, Way way, int repeat, LiveRun run) {
        if (!run.isGood() || run.report().isEmpty()) {
            throw new BenchmarkFailedException("the run failed:\n" + run.output());
        }
        JsonObject report = run.report().get();
        context.results().engine(report.get("engine").getAsString());
        return ProgramTimes.of(
                way.version(),
                measured(app.name(), repetitions(run.output())),
                report.getAsJsonObject("totals"),
                repeat * NODES);
    }

    /** Nanoseconds of every repetition that a program has printed. */
    static List<Double> repetitions(String output) {
        List<Double> nanos = new ArrayList<>();
        Matcher matcher = REPETITION.matcher(output);
        while (matcher.find()) {
            nanos.add(Double.parseDouble(matcher.group(1)) * TimeUnit.SECONDS.toNanos(1));
        }
        return nanos;
    }

    /**
     * The median of all repetitions except the first, which is warm-up. With few repetitions the
     * slowest is reported as the 99th percentile.
     */
    static Measured measured(String name, List<Double> repetitions) {
        if (repetitions.size() < 2) {
            throw new BenchmarkFailedException(name + " printed no repetitions");
        }
        List<Double> sorted = repetitions.subList(1, repetitions.size()).stream().sorted().toList();
        return new Measured(
                name, sorted.get(sorted.size() / 2), sorted.getLast(), sorted.size(), 0, 0);
    }
}
