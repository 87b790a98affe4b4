package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.MachineModel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs programs on pretended machines, several runs at a time. Each is single-threaded and the same
 * every time, so neither their number nor their schedule changes a result.
 */
final class SimulatedRuns {
    /** Of one unit of work, when programs run at the size of a test. */
    private static final long QUICK_WORK_PICOS = 10_000_000;

    /** A machine on which a unit of work takes a nanosecond, and next to nothing else time. */
    private static final MachineModel COUNTING =
            new MachineModel(1_000_000, 0, 0, 0, 0, 0, 0, 0, 1000, 1);

    /** The same, on which an access takes a nanosecond, too. */
    private static final MachineModel COUNTING_ACCESSES =
            new MachineModel(1_000_000, 0, 0, 0, 0, 0, 0, 0, 1000, 1000);

    /** Of virtual time: several times what the paper's longest run took. */
    private static final long LIMIT_NANOS = TimeUnit.HOURS.toNanos(2);

    private static final double PICOS = 1e12;

    /**
     * How to run.
     *
     * @param isQuick at the sizes of tests
     * @param jobs runs at a time
     */
    record Manner(Publication publication, CostModel model, boolean isQuick, int jobs) {}

    /**
     * What a program charges on one node, whatever the machines.
     *
     * @param units of work
     * @param accesses to shared variables; 0 if these cost nothing
     */
    record Charges(long units, long accesses) {}

    /** A run's result, or why there is none. */
    private record Ended(RunKey key, Optional<SimulatedTimes> measured, String failure) {}

    private final Manner manner;
    private final Map<String, BuiltInProgram> installed;
    private final PrintWriter progress;

    /**
     * @param installed programs by name
     * @param progress gets a line for each run
     */
    SimulatedRuns(Manner manner, Map<String, BuiltInProgram> installed, PrintWriter progress) {
        this.manner = manner;
        this.installed = installed;
        this.progress = progress;
    }

    /**
     * Runs them.
     *
     * @param wanted by program, all of them installed
     * @param charges of each program by its name, see {@link #charges}
     */
    PaperResults run(
            Map<PaperProgram, List<PaperVersion>> wanted,
            List<Integer> nodes,
            Map<String, Charges> charges)
            throws InterruptedException {
        List<PaperProgram> programs = List.copyOf(wanted.keySet());
        try (ExecutorService pool = Executors.newFixedThreadPool(manner.jobs())) {
            try {
                List<Callable<Ended>> jobs = jobs(wanted, nodes, charges);
                SortedMap<RunKey, SimulatedTimes> runs = new TreeMap<>();
                SortedMap<RunKey, String> failures = new TreeMap<>();
                for (Ended ended : all(pool, jobs)) {
                    ended.measured()
                            .ifPresentOrElse(
                                    measured -> runs.put(ended.key(), measured),
                                    () -> failures.put(ended.key(), ended.failure()));
                }
                Map<String, Double> sequential = new TreeMap<>();
                for (PaperProgram program : programs) {
                    sequential.put(
                            program.name(),
                            sequential(program, Known.of(charges, program.name()), runs));
                }
                return new PaperResults(
                        programs, nodes, sequential, runs, List.copyOf(failures.values()));
            } finally {
                pool.shutdownNow();
            }
        }
    }

    /** Seconds of the sequential program: those of its run, or else of its work. */
    private double sequential(
            PaperProgram program, Charges charges, SortedMap<RunKey, SimulatedTimes> runs) {
        return manner.publication()
                .sequential()
                .map(version -> runs.get(new RunKey(program.name(), version, 1)))
                .map(SimulatedTimes::seconds)
                .orElseGet(() -> charges.units() * workPicos(program, charges) / PICOS);
    }

    private static <T> List<T> all(ExecutorService pool, List<Callable<T>> jobs)
            throws InterruptedException {
        List<T> results = new ArrayList<>();
        for (Future<T> future : pool.invokeAll(jobs)) {
            try {
                results.add(future.get());
            } catch (ExecutionException failed) {
                throw new IllegalStateException(failed.getCause());
            }
        }
        return results;
    }

    /** What each program charges, by its name. */
    Map<String, Charges> charges(List<PaperProgram> programs) throws InterruptedException {
        List<Callable<Charges>> jobs = new ArrayList<>();
        for (PaperProgram program : programs) {
            jobs.add(() -> charges(program));
        }
        List<Charges> counts;
        try (ExecutorService pool = Executors.newFixedThreadPool(manner.jobs())) {
            counts = all(pool, jobs);
        }
        Map<String, Charges> charges = new LinkedHashMap<>();
        for (int i = 0; i < programs.size(); i++) {
            charges.put(programs.get(i).name(), counts.get(i));
        }
        return charges;
    }

    private Charges charges(PaperProgram program) {
        Publication publication = manner.publication();
        long units = Math.max(1, publication.units(counted(program, COUNTING)));
        if (!publication.countsAccesses()) {
            return new Charges(units, 0);
        }
        long both = publication.units(counted(program, COUNTING_ACCESSES));
        return new Charges(units, Math.max(0, both - units));
    }

    private AppResult counted(PaperProgram program, MachineModel machine) {
        return prepare(program, manner.publication().counted(), 1).model(machine).run();
    }

    /** What a unit of a program's work costs, if it charges so much. */
    private long workPicos(PaperProgram program, Charges charges) {
        MachineModel machine = manner.model().machine();
        if (!manner.model().isByProgram()) {
            return machine.workPicos();
        }
        if (manner.isQuick()) {
            return QUICK_WORK_PICOS;
        }
        double picos = program.sequentialSeconds() * PICOS;
        double accesses = (double) charges.accesses() * machine.accessPicos();
        return Math.max(1, Math.round((picos - accesses) / charges.units()));
    }

    /** Those on many nodes first: they take longest. */
    private List<Callable<Ended>> jobs(
            Map<PaperProgram, List<PaperVersion>> wanted,
            List<Integer> nodes,
            Map<String, Charges> charges) {
        int most = Collections.max(nodes);
        List<RunKey> keys = new ArrayList<>();
        for (int each : nodes.stream().sorted(Comparator.reverseOrder()).toList()) {
            wanted.forEach((program, versions) ->
                    versions.stream()
                            .filter(version ->
                                    manner.publication()
                                            .isRun(
                                                    manner.model().name(),
                                                    program,
                                                    version,
                                                    each == most))
                            .forEach(version ->
                                    keys.add(new RunKey(program.name(), version, each))));
        }
        Map<String, PaperProgram> programs =
                wanted.keySet().stream()
                        .collect(Collectors.toMap(PaperProgram::name, Function.identity()));
        Countdown countdown = new Countdown(progress, manner.model().name(), keys.size());
        List<Callable<Ended>> jobs = new ArrayList<>();
        for (RunKey key : keys) {
            PaperProgram program = Known.of(programs, key.program());
            long picos = workPicos(program, Known.of(charges, key.program()));
            jobs.add(() -> {
                Ended ended = simulate(program, key, picos);
                countdown.ended(key, ended.failure());
                return ended;
            });
        }
        return jobs;
    }

    private Ended simulate(PaperProgram program, RunKey key, long workPicos) {
        Meter meter =
                new Meter(
                        manner.model(),
                        key.version().isOfLoops() ? program.loops() : Optional.empty(),
                        manner.publication().countsResults());
        List<Observer> observers = new ArrayList<>(List.of(meter));
        key.version().advice().ifPresent(advice -> observers.add(new Advising(advice)));
        AppRun run =
                prepare(program, key.version(), key.nodes())
                        .observers(observers)
                        .limitNanos(LIMIT_NANOS);
        try {
            AppResult result =
                    key.version()
                            .layout(
                                    manner.model()
                                            .prepare(run, key.version().sendsStores(), workPicos),
                                    manner.model().unitPages())
                            .processors(key.version().processors(manner.model().processors()))
                            .run();
            return result.isGood()
                    ? new Ended(key, Optional.of(meter.measured(result.seconds())), "")
                    : failed(key, whyNot(result));
        } catch (Violation | IllegalArgumentException cause) {
            return failed(key, String.valueOf(cause.getMessage()));
        }
    }

    private static String whyNot(AppResult result) {
        return result.failure()
                .map(AppResult.Failure::text)
                .orElseGet(() -> "wrong result: " + result.verdict().detail());
    }

    private static Ended failed(RunKey key, String why) {
        return new Ended(key, Optional.empty(), key + ": " + why);
    }

    private AppRun prepare(PaperProgram program, PaperVersion version, int nodes) {
        BuiltInProgram builtIn = Known.of(installed, program.program());
        List<String> size = manner.isQuick() ? program.quickOptions() : program.options();
        List<String> words =
                new ArrayList<>(
                        version.isOfLoops()
                                ? program.loops().map(loops -> loops.options(size)).orElse(size)
                                : size);
        words.addAll(version.options(builtIn));
        AppRun run = version.run(() -> builtIn.create(words), nodes);
        version.protocol().ifPresent(run::protocol);
        run.updates(version.updates(manner.model().updates()));
        run.twins(manner.publication().twins());
        if (manner.publication().placesPages()) {
            run.placesPages();
        }
        return run;
    }

    /** Says what has ended, from whichever thread. */
    private static final class Countdown {
        private final PrintWriter progress;
        private final String model;
        private final int count;
        private int ended;

        Countdown(PrintWriter progress, String model, int count) {
            this.progress = progress;
            this.model = model;
            this.count = count;
        }

        synchronized void ended(RunKey key, String failure) {
            ended++;
            String how = failure.isEmpty() ? key.toString() : "FAILED " + failure;
            progress.println(model + " " + ended + "/" + count + " " + how);
            progress.flush();
        }
    }
}
