package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.ncc.NccResult;
import io.muninn.sim.ncc.NccRun;
import io.muninn.sim.ncc.Spent;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The runs of the study of machines without coherent caches, and what came of them.
 *
 * @param results of the runs that are right, in order
 * @param failures one text for the user for each run that is not
 */
record NccRuns(Map<NccPoint, NccResult> results, List<String> failures) {
    NccRuns {
        results = Collections.unmodifiableMap(new LinkedHashMap<>(results));
        failures = List.copyOf(failures);
    }

    /**
     * Runs all points, several at a time. Their schedule changes no result.
     *
     * @param installed programs by name
     * @param progress receives a line for each run
     */
    static NccRuns of(
            SequencedCollection<NccPoint> points,
            Map<String, BuiltInProgram> installed,
            boolean isQuick,
            int jobs,
            PrintWriter progress)
            throws InterruptedException {
        Map<NccPoint, NccResult> results = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(jobs)) {
            Map<NccPoint, Future<NccResult>> planned = new LinkedHashMap<>();
            for (NccPoint point : points) {
                Callable<NccResult> run = () -> run(point, installed, isQuick, progress);
                planned.computeIfAbsent(point, _ -> pool.submit(run));
            }
            for (Map.Entry<NccPoint, Future<NccResult>> each : planned.entrySet()) {
                try {
                    NccResult result = each.getValue().get();
                    if (result.verdict().right()) {
                        results.put(each.getKey(), result);
                    } else {
                        failures.add(each.getKey().text() + ": " + result.verdict().detail());
                    }
                } catch (ExecutionException failed) {
                    failures.add(each.getKey().text() + ": " + failed.getCause());
                }
            }
        }
        return new NccRuns(results, failures);
    }

    private static NccResult run(
            NccPoint point,
            Map<String, BuiltInProgram> installed,
            boolean isQuick,
            PrintWriter progress) {
        BuiltInProgram program = installed.get(point.program().program());
        if (program == null) {
            throw new IllegalStateException("program " + point.program().program() + " is missing");
        }
        List<String> options = point.program().options(point.level(), isQuick);
        NccResult result =
                NccRun.of(() -> program.create(options), point.nodes())
                        .protocol(point.protocol())
                        .policy(point.policy())
                        .model(point.model())
                        .run();
        progress.println(point.text() + ": " + result.cycles() + " cycles");
        return result;
    }

    /** These runs, and further ones behind them. */
    NccRuns plus(NccRuns others) {
        Map<NccPoint, NccResult> all = new LinkedHashMap<>(results);
        all.putAll(others.results);
        List<String> allFailures = new ArrayList<>(failures);
        allFailures.addAll(others.failures);
        return new NccRuns(all, allFailures);
    }

    /** The same results, as those of points with caches of another size. */
    NccRuns withCache(int bytes) {
        Map<NccPoint, NccResult> as = new LinkedHashMap<>();
        results.forEach((point, result) -> as.put(point.withCache(bytes), result));
        return new NccRuns(as, failures);
    }

    /** The ratio of the cycles of two runs; NaN if one is missing. */
    double ratio(NccPoint point, NccPoint unit) {
        NccResult of = results.get(point);
        NccResult by = results.get(unit);
        return of == null || by == null ? Double.NaN : (double) of.cycles() / by.cycles();
    }

    /** All runs as a CSV file. */
    String csv() {
        StringBuilder text =
                new StringBuilder(
                        "program,level,protocol,policy,processors,ways,notices,cycles,misses,"
                                + "faults");
        for (Spent each : Spent.values()) {
            text.append(',').append(each.name().toLowerCase(Locale.ROOT));
        }
        text.append('\n');
        results.forEach((point, result) -> {
            text.append(point.csv());
            text.append(',').append(result.cycles());
            text.append(',').append(result.misses());
            text.append(',').append(result.faults());
            for (Spent each : Spent.values()) {
                text.append(',').append(result.spent(each));
            }
            text.append('\n');
        });
        return text.toString();
    }
}
