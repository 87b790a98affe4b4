package io.muninn.bench;

import io.muninn.bench.live.Bench;
import io.muninn.bench.series.Measured;
import io.muninn.launch.process.LiveRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Runs live clusters of several sizes, which measure groups of operations. */
final class LiveRuns {
    static final List<Integer> NODES = List.of(1, 2, 4, 8);

    /** Maximum number of nodes of a quick run, because many JVMs take long to start. */
    private static final int QUICK_NODES_MAX = 4;

    private static final int SAMPLES = 3000;
    private static final int QUICK_SAMPLES = 100;

    /**
     * Longest warm-up of an operation. On one processor the JIT compilers of four agents take
     * seconds.
     */
    private static final int WARM_UP_MILLIS = 45_000;

    /** Longest warm-up of an operation between the processes of a node. */
    private static final int SIBLINGS_WARM_UP_MILLIS = 15_000;

    private static final int QUICK_WARM_UP_MILLIS = 200;

    /** Long, because all processes of eight nodes may share one processor with other programs. */
    private static final String HEARTBEAT_SECONDS = "60";

    private static final String ENGINE = "--engine";

    private final BenchContext context;

    LiveRuns(BenchContext context) {
        this.context = context;
    }

    /** The requested groups that are measured on {@code nodes} nodes. */
    List<Group> groups(int nodes) {
        if (context.isQuick() && (nodes == 1 || nodes > QUICK_NODES_MAX)) {
            return List.of();
        }
        return Arrays.stream(Group.values())
                .filter(context::isAsked)
                .filter(group -> group.isOn(nodes))
                .toList();
    }

    /**
     * The groups of each run on {@code nodes} nodes. Each group has its own run, because lock and
     * barrier messages carry more cargo once a group has allocated lazy variables. A quick run
     * measures all groups in one run, to save starts.
     */
    List<List<Group>> runs(int nodes) {
        List<Group> all = groups(nodes);
        return context.isQuick() ? List.of(all) : all.stream().map(List::of).toList();
    }

    /**
     * Measures these groups on a cluster, with the options of the whole run. Omits the operation
     * that {@link PairedRuns} measures.
     */
    List<Measured> run(Placement placement, int nodes, List<Group> groups)
            throws IOException, InterruptedException {
        List<String> words = words(groups);
        if (PairedRuns.isFor(placement)) {
            words.addAll(List.of("--except", PairedRuns.OPERATION));
        }
        return run(placement.prefix(), nodes, List.of(), words);
    }

    /**
     * Measures some operations of a group.
     *
     * @param prefix of the command: where it runs
     * @param options of {@code dsm run}, after those of the whole run
     */
    List<Measured> run(
            List<String> prefix,
            int nodes,
            Group group,
            List<String> operations,
            List<String> options)
            throws IOException, InterruptedException {
        List<String> words = words(List.of(group));
        words.addAll(List.of("--operations", String.join(",", operations)));
        return run(prefix, nodes, options, words);
    }

    /**
     * Some operations of {@link Group#PROCESSES}.
     *
     * @param prefix of the command: where it runs
     */
    List<Measured> run(List<String> prefix, int nodes, int processes, List<String> operations)
            throws IOException, InterruptedException {
        List<String> each = List.of("--processes", Integer.toString(processes));
        int warmUp = Math.min(warmUpMillis(context), SIBLINGS_WARM_UP_MILLIS);
        List<String> words = words(List.of(Group.PROCESSES), warmUp);
        words.addAll(each);
        words.addAll(List.of("--operations", String.join(",", operations)));
        return run(prefix, nodes, each, words);
    }

    private List<Measured> run(
            List<String> prefix, int nodes, List<String> options, List<String> words)
            throws IOException, InterruptedException {
        Path file = context.scratch().newFile(".lines");
        words.addAll(List.of("--results", file.toString()));
        try {
            LiveRun run = LiveRun.of(prefix, nodes, options(context, options), words);
            if (!run.isGood()) {
                throw new BenchmarkFailedException("the run failed:\n" + run.output());
            }
            run.report()
                    .ifPresent(
                            report -> context.results().engine(report.get("engine").getAsString()));
            return MeasuredLines.read(Files.readAllLines(file), context::say);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /**
     * The options of every live run: the requested engine, and a long heartbeat timeout.
     *
     * @param more further options, which take precedence
     */
    static List<String> options(BenchContext context, List<String> more) {
        List<String> options = new ArrayList<>(List.of("--heartbeat", HEARTBEAT_SECONDS));
        if (!more.contains(ENGINE)) {
            options.addAll(List.of(ENGINE, context.request().engine()));
        }
        options.addAll(more);
        return options;
    }

    /** Longest warm-up of an operation and of its floors. */
    static int warmUpMillis(BenchContext context) {
        return context.isQuick() ? QUICK_WARM_UP_MILLIS : WARM_UP_MILLIS;
    }

    private List<String> words(List<Group> groups) {
        return words(groups, warmUpMillis(context));
    }

    /** The words of the program that measures these groups, without the file of its results. */
    List<String> words(List<Group> groups, int warmUpMillis) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                Bench.NAME,
                                "--samples",
                                Integer.toString(context.isQuick() ? QUICK_SAMPLES : SAMPLES),
                                "--warm-up-millis",
                                Integer.toString(warmUpMillis),
                                "--sections",
                                groups.stream().map(Group::word).collect(Collectors.joining(","))));
        if (context.isQuick()) {
            words.add("--few-sizes");
        }
        return words;
    }
}
