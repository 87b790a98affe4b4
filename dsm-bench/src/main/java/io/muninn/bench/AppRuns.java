package io.muninn.bench;

import com.google.gson.JsonObject;
import io.muninn.bench.series.Measured;
import io.muninn.launch.Benchmarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whole programs on two nodes in shared memory against the same with messages: one repetition to
 * warm up, then as many as count, in the same processes.
 */
final class AppRuns {
    static final String MULT = "mult-2000";
    static final String DIFF = "diff-4096";

    static final String MULT_TABLE = "mult-table-1";
    static final String DIFF_TABLE = "diff-table-1";

    private static final int NODES = 2;
    private static final int REPEAT = 6;
    private static final int QUICK_REPEAT = 2;
    private static final String SHARED = "dsm";
    private static final String MESSAGES = "mp";
    private static final Pattern REPETITION =
            Pattern.compile("repetition \\d+ of \\d+: (\\d+\\.\\d+) s");

    /** What is held against messages streams through its input once. */
    private static final List<String> READ_AHEAD = List.of("--read-ahead", "auto");

    /**
     * A program to compare.
     *
     * @param quick run with few samples, too
     */
    private record App(String name, String words, boolean quick) {}

    private static final List<App> ALL =
            List.of(
                    new App(MULT, "mult --size 2000", false),
                    new App(DIFF, "diff --rows 4096 --columns 4096 --sweeps 50", false),
                    new App(MULT_TABLE, "mult", true),
                    new App(DIFF_TABLE, "diff", true));

    private final Context context;

    AppRuns(Context context) {
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
        AppRun shared = measure(app, SHARED, READ_AHEAD);
        AppRun messages = measure(app, MESSAGES, List.of());
        context.results().add(shared);
        context.results().add(messages);
        context.results()
                .add(
                        new Row(
                                shared.measured(),
                                false,
                                app.words() + " --version " + MESSAGES,
                                OptionalDouble.of(messages.measured().medianNanos()),
                                Limits.of(app.name(), Placement.UNPINNED)));
    }

    /**
     * A program in shared memory.
     *
     * @param options of {@code dsm run}, after those of the whole run
     * @return empty if it is too large for a quick run
     */
    Optional<Measured> shared(String name, List<String> options)
            throws IOException, InterruptedException {
        for (App app : ALL) {
            if (app.name().equals(name) && (app.quick() || !context.isQuick())) {
                return Optional.of(measure(app, SHARED, options).measured());
            }
        }
        return Optional.empty();
    }

    private AppRun measure(App app, String version, List<String> options)
            throws IOException, InterruptedException {
        int repeat = context.isQuick() ? QUICK_REPEAT : REPEAT;
        List<String> words = new ArrayList<>(Arrays.asList(app.words().split(" ")));
        words.addAll(List.of("--repeat", Integer.toString(repeat), "--version", version));
        Benchmarks.Run run =
                context.processes()
                        .run(
                                Placement.UNPINNED.prefix(),
                                NODES,
                                LiveRuns.options(context, options),
                                words);
        if (!run.isGood() || run.report().isEmpty()) {
            throw new BenchmarkFailedException("the run failed:\n" + run.output());
        }
        JsonObject report = run.report().get();
        context.results().engine(report.get("engine").getAsString());
        return AppRun.of(
                version,
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
     * The median of all but the first, which is warm-up; of so few the slowest is the 99th
     * percentile.
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
