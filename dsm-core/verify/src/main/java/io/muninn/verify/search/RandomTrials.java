package io.muninn.verify.search;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.Protocol;
import io.muninn.launch.process.Progress;
import io.muninn.sim.Observer;
import io.muninn.spi.LazyWriters;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import io.muninn.verify.check.RareCells;
import io.muninn.verify.program.AutomaticUpdateRun;
import io.muninn.verify.program.ForbiddenStore;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Racing;
import io.muninn.verify.program.SeededRun;
import io.muninn.verify.program.WeakFrames;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Runs random programs under every checker, for one seed or many. */
final class RandomTrials {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MINUTE = 60 * NANOS_PER_SECOND;

    /** More seeds than any time permits. */
    static final long SEEDS_MAX = Long.MAX_VALUE / 2;

    /** One in this many programs has a forbidden store, which must end it. */
    private static final int FORBIDDEN_ONE_IN = 4;

    /** One in this many programs has races that must be reported. */
    private static final int RACING_ONE_IN = 20;

    private final Optional<Protocol> protocol;
    private final Optional<LazyWriters> lazyWriters;
    private final Optional<WeakFrames> weakFrames;
    private final SeededRun.Options options;
    private final int nodes;
    private final boolean calm;
    private final boolean checksRaces;
    private final PrintWriter out;
    private final Coverage coverage = new Coverage();
    private final Supplier<List<Observer>> checkers = () -> Checkers.all(coverage);
    private final AtomicLong programs = new AtomicLong(); // random ones
    private final AtomicLong ofCorpus = new AtomicLong();
    private final ConcurrentLinkedQueue<Integer> operations = new ConcurrentLinkedQueue<>();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    /**
     * @param protocol protocol of all regions; empty to mix all protocols
     * @param lazyWriters how many writers lazy pages may have; empty for both
     * @param weakFrames where the frames of weak pages are; empty for both
     * @param nodes number of nodes; 0 to draw it from the seed
     * @param calm true to run without disruptions
     * @param checksRaces true to run kernels that check for races, and to verify their reports
     */
    RandomTrials(
            Optional<Protocol> protocol,
            Optional<LazyWriters> lazyWriters,
            Optional<WeakFrames> weakFrames,
            int nodes,
            boolean calm,
            boolean checksRaces,
            PrintWriter out) {
        this.protocol = protocol;
        this.lazyWriters = lazyWriters;
        this.weakFrames = weakFrames;
        this.nodes = nodes;
        this.calm = calm;
        this.checksRaces = checksRaces;
        this.out = out;
        SeededRun.Options all =
                new SeededRun.Options(
                        protocol.map(List::of).orElse(List.of(Protocol.values())),
                        nodes,
                        !calm,
                        !calm,
                        checksRaces);
        SeededRun.Options some = lazyWriters.map(all::only).orElse(all);
        this.options = weakFrames.map(some::only).orElse(some);
    }

    /** Runs all trials of one seed and prints their results. */
    int runOne(long seed) {
        for (SeededRun trial : trials(seed)) {
            Optional<SeededRun.Failure> failure = trial.failure(checkers);
            if (failure.isPresent()) {
                return report(failure.get());
            }
            describe(seed, trial);
        }
        out.flush();
        return ExitStatus.OK;
    }

    private List<SeededRun> trials(long seed) {
        return SeededRun.all(seed, options);
    }

    private void describe(long seed, SeededRun trial) {
        ProgramRun.Result result = trial.run(checkers.get());
        out.printf(
                Locale.ROOT,
                "seed %#x: %d nodes of %d threads, %d operations on shared variables, %d steps in"
                        + " %.3f ms of virtual time%s: no violation%n",
                seed,
                trial.program().nodes(),
                trial.program().threads(),
                trial.program().sharedOperations(),
                result.steps(),
                result.nanos() / 1e6,
                result.completed() ? "" : ", a node died");
        out.printf(Locale.ROOT, "trace hash %016x%n", result.traceHash());
    }

    /**
     * Runs the seeds of rare cells, then seeds from 1 on, until one fails or the time is over,
     * which also ends the programs that run then. A failing program is shrunk and run again after
     * the time.
     */
    int runForTime(long limitNanos, int jobs) throws InterruptedException {
        boolean areUsual = options.equals(SeededRun.Options.ALL);
        return runMany(areUsual ? RareCells.seeds() : List.of(), 1, SEEDS_MAX, limitNanos, jobs);
    }

    /** Runs seeds until one fails or enough have run. */
    int runMany(long first, long count, long limitNanos, int jobs) throws InterruptedException {
        return runMany(List.of(), first, count, limitNanos, jobs);
    }

    private int runMany(List<Long> before, long first, long count, long limitNanos, int jobs)
            throws InterruptedException {
        TimeLimit limit = new TimeLimit(limitNanos);
        SeedSearch search = new SeedSearch(seed -> runQuietly(seed, limit), jobs);
        Progress progress = new Progress(System.err, Progress.isTerminal());
        Optional<SeedSearch.Found> found =
                search.run(
                        before,
                        first,
                        count,
                        limit,
                        done -> progress.show(rate(done, limit.elapsedNanos())));
        progress.erase();
        long tookNanos = limit.elapsedNanos();
        if (found.isPresent()) {
            return report(found.get());
        }
        summarize(search.done(), tookNanos);
        return ExitStatus.OK;
    }

    private void runQuietly(long seed, TimeLimit limit) {
        for (SeededRun trial : SeededRun.ofCorpus(seed, options)) {
            steps.addAndGet(trial.run(observers(limit)).steps());
            ofCorpus.incrementAndGet();
        }
        for (SeededRun trial : SeededRun.ofKinds(seed, options)) {
            ProgramRun.Result result = trial.run(observers(limit));
            programs.incrementAndGet();
            operations.add(trial.program().sharedOperations());
            steps.addAndGet(result.steps());
            lost.addAndGet(result.completed() ? 0 : 1);
        }
        if (seed % FORBIDDEN_ONE_IN == 0 && options.protocols().contains(ForbiddenStore.PROTOCOL)) {
            ForbiddenStore.run(seed / FORBIDDEN_ONE_IN, observers(limit));
            programs.incrementAndGet();
        }
        if (seed % RACING_ONE_IN == 0 && options.protocols().contains(Racing.PROTOCOL)) {
            Racing.run(seed / RACING_ONE_IN, observers(limit));
            programs.incrementAndGet();
        }
        if (options.protocols().contains(AutomaticUpdateRun.PROTOCOL)) {
            AutomaticUpdateRun.run(seed, observers(limit));
            programs.incrementAndGet();
        }
    }

    /** All checkers, and a limit. */
    private List<Observer> observers(TimeLimit limit) {
        List<Observer> observers = new ArrayList<>(checkers.get());
        observers.add(limit);
        return observers;
    }

    private int report(SeedSearch.Found found) {
        for (SeededRun trial : trials(found.seed())) {
            Optional<SeededRun.Failure> failure = trial.failure(checkers);
            if (failure.isPresent()) {
                return report(failure.get());
            }
        }
        out.printf(Locale.ROOT, "seed %#x: %s%n", found.seed(), found.failure());
        printReplay(found.seed(), " --seeds 1"); // of a program that is no trial
        return ExitStatus.FAILED;
    }

    private int report(SeededRun.Failure failure) {
        out.println(failure.text().strip());
        printReplay(failure.seed(), "");
        return ExitStatus.FAILED;
    }

    private void printReplay(long seed, String count) {
        out.printf(
                Locale.ROOT,
                "replay with: ./dsm sim%s --seed %#x%s%n",
                replayOptions(),
                seed,
                count);
        out.flush();
    }

    private String replayOptions() {
        return protocol.map(only -> " --protocol " + only.word()).orElse("")
                + lazyWriters.map(only -> " --lazy-writers " + only.word()).orElse("")
                + weakFrames.map(only -> " --weak-frames " + only.word()).orElse("")
                + (nodes == 0 ? "" : " --nodes " + nodes)
                + (calm ? " --calm" : "")
                + (checksRaces ? " --check-races" : "");
    }

    private String rate(long seeds, long nanos) {
        long ran = programs.get();
        long aMinute = Math.round(ran * NANOS_PER_MINUTE / nanos);
        return ran
                + " random programs and "
                + ofCorpus.get()
                + " of the corpus, of "
                + seeds
                + " seeds, "
                + aMinute
                + " random ones a minute";
    }

    private void summarize(long done, long nanos) {
        int[] sorted = operations.stream().mapToInt(Integer::intValue).sorted().toArray();
        int median = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        out.printf(
                Locale.ROOT,
                "%s, in %.1f s: no violation%n",
                rate(done, nanos),
                nanos / NANOS_PER_SECOND);
        out.printf(
                Locale.ROOT,
                "%d operations on shared variables, median %d a program; %d steps of kernels;"
                        + " %d runs lost a node%n",
                Arrays.stream(sorted).asLongStream().sum(),
                median,
                steps.get(),
                lost.get());
        List<String> missing = coverage.neverHit();
        out.printf(
                Locale.ROOT,
                "%d of %d handled cells of the state × event tables were met%s%n",
                coverage.handled() - missing.size(),
                coverage.handled(),
                missing.isEmpty() ? "" : "; not met:");
        missing.forEach(cell -> out.println("  " + cell));
        out.flush();
    }
}
