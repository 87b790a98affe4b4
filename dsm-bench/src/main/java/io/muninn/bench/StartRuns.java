package io.muninn.bench;

import io.muninn.bench.series.Measured;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.process.LiveRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time until all nodes of a run have joined. The floor is the time in which the same
 * number of JVMs, started concurrently, print their version. The two are measured alternately, so
 * that both see the same machine speed.
 */
final class StartRuns {
    static final String STARTED = "start-4-nodes";
    static final String FLOOR = "jvms-5";

    private static final int NODES = 4;

    /** One agent and an application for each node, without the launcher. */
    private static final int JVMS = 1 + NODES;

    private static final int TURNS = 9;
    private static final int QUICK_TURNS = 1;

    private final BenchContext context;

    StartRuns(BenchContext context) {
        this.context = context;
    }

    void run() throws IOException, InterruptedException {
        context.say(Placement.UNPINNED, NODES + " nodes started, and " + JVMS + " JVMs");
        List<Double> nodes = new ArrayList<>();
        List<Double> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < turns(); i++) {
                nodes.add(readyNanos(List.of()));
                jvms.add(versionsNanos());
            }
        } catch (BenchmarkFailedException failed) {
            context.results().fail(STARTED + ": " + failed.getMessage());
            return;
        }
        Measured floor = measured(FLOOR, jvms);
        context.results()
                .add(
                        new Row(
                                measured(STARTED, nodes),
                                false,
                                FLOOR,
                                OptionalDouble.of(floor.medianNanos()),
                                Limits.of(STARTED, Placement.UNPINNED)));
        context.results()
                .add(new Row(floor, false, "", OptionalDouble.empty(), OptionalDouble.empty()));
    }

    /** Measures the start of nodes without the floor, with options of {@code dsm run}. */
    Measured started(List<String> options) throws IOException, InterruptedException {
        List<Double> nodes = new ArrayList<>();
        for (int i = 0; i < turns(); i++) {
            nodes.add(readyNanos(options));
        }
        return measured(STARTED, nodes);
    }

    private int turns() {
        return context.isQuick() ? QUICK_TURNS : TURNS;
    }

    /**
     * Time from the start of the launcher until all nodes have joined, as the run's report gives
     * it, to a hundredth of a second.
     */
    private double readyNanos(List<String> options) throws IOException, InterruptedException {
        LiveRun run =
                LiveRun.of(
                        Placement.UNPINNED.prefix(),
                        NODES,
                        LiveRuns.options(context, options),
                        List.of("hello"));
        if (!run.isGood() || run.report().isEmpty()) {
            throw new BenchmarkFailedException("the run failed:\n" + run.output());
        }
        return run.report().get().get("readySeconds").getAsDouble() * TimeUnit.SECONDS.toNanos(1);
    }

    /** Time from the start of the first JVM to the end of the last. */
    private double versionsNanos() throws IOException, InterruptedException {
        String java = JvmFlags.ours("", List.of()).getFirst();
        List<Child> children = new ArrayList<>();
        long startNanos = System.nanoTime();
        try {
            for (int i = 0; i < JVMS; i++) {
                children.add(
                        Child.start(List.of(), List.of(java, "-XX:-UsePerfData", "--version")));
            }
            for (Child child : children) {
                child.rest();
            }
            return System.nanoTime() - startNanos;
        } finally {
            children.forEach(Child::close);
        }
    }

    /** With few samples the slowest is reported as the 99th percentile. */
    static Measured measured(String name, List<Double> nanos) {
        List<Double> sorted = nanos.stream().sorted().toList();
        return new Measured(
                name, sorted.get(sorted.size() / 2), sorted.getLast(), sorted.size(), 0, 0);
    }
}
