package io.muninn.launch;

import io.muninn.api.Dsm;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.NodeId;
import io.muninn.sim.MachineModel;
import io.muninn.sim.ProcessorRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dsm sim}: runs the kernels under virtual time. */
@Command(
        name = "sim",
        description = "Runs the kernels of a cluster in this process, under virtual time.",
        customSynopsis = {
            "dsm sim [--seeds N | --seed S] [--minutes M] [options]          random programs",
            "       dsm sim --mutate N [--seed S] [--minutes M] [--jobs N]   mutants of the kernel",
            "       dsm sim --program litmus [--seeds N] [--protocol P]      litmus tests",
            "       dsm sim [-n NODES] [options] PROGRAM [program options]   a program"
        },
        footer = {
            "",
            "Random programs are checked after every step, under delays and disruptions that their"
                    + " seed draws; so",
            "are litmus tests. A program runs unchanged on as many pretended nodes, and is counted"
                    + " as by 'dsm run'.",
            "",
            "With --mutate the kernel's byte code is changed in N places, one at a time, and random"
                    + " programs and litmus",
            "tests are run against each change until a check fails. Equal seeds give equal"
                    + " changes.",
            "",
            "Exit status: 0 every promise held, a result is verified, or mutants were"
                    + " run; 1 not so;",
            "2 wrong usage."
        },
        mixinStandardHelpOptions = true)
final class SimCommand implements Callable<Integer> {
    private static final String RANDOM = "random";
    private static final String LITMUS = "litmus";
    private static final int NODES = 4;
    private static final long LITMUS_RUNS = 100;
    private static final Duration USUAL_TIME = Duration.ofMinutes(1);
    private static final Duration MUTANTS_TIME = Duration.ofMinutes(10);
    private static final int MUTANTS_MAX = 100_000;
    private static final String MUTATE = "--mutate";

    @Spec private CommandSpec spec;

    @Option(
            names = "--program",
            paramLabel = "NAME",
            description =
                    "random, litmus, or a built-in program, as without this option (default:"
                            + " random)")
    private @Nullable String program; // null if not given

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "NODES",
            description = "pretended nodes (default: 4; of random programs 3 to 6)")
    private @Nullable Integer nodes; // null if not given

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "application threads per node of a program (default: 1)")
    private @Nullable Integer threads; // null if not given

    @Option(
            names = "--protocol",
            paramLabel = "P",
            converter = Converters.ProtocolName.class,
            description =
                    "of a program: overrides every annotation; else: tests this protocol alone")
    private @Nullable Protocol protocol; // null for all, or as annotated

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description =
                    "random programs: so many, from seed 1 on or from --seed; litmus: so many of"
                            + " each at least")
    private @Nullable Long seeds; // null if not given

    @Option(
            names = "--seed",
            paramLabel = "S",
            converter = Converters.Seed.class,
            description = "random programs: this seed alone, and what it did; or the first")
    private @Nullable Long seed; // null if not given

    @Option(
            names = "--mutate",
            paramLabel = "N",
            description =
                    "draws N small changes of the kernel, and says which of them random programs"
                            + " and litmus tests find")
    private @Nullable Integer mutants; // null if not given

    @Option(
            names = "--minutes",
            paramLabel = "M",
            converter = Converters.Minutes.class,
            description =
                    "random programs: for so long (default: 1, without --seeds or --seed); mutants:"
                            + " for so long all together (default: 10)")
    private @Nullable Duration minutes; // null if not given

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "seeds run at a time (default: as many as there are processors)")
    private @Nullable Integer jobs; // null if not given

    @Option(
            names = "--calm",
            description = "random programs: no clogged links, pauses, late timers and deaths")
    private boolean calm;

    @Option(
            names = "--byte-diffs",
            description = "of a program: compares pages with their twins byte by byte")
    private boolean byteDiffs;

    @Option(
            names = "--check-races",
            description =
                    "looks for elements of write-shared variables that several nodes store to at"
                            + " the same time; of a program: ends with status 1 if there are any")
    private boolean checksRaces;

    @Option(
            names = "--network",
            paramLabel = "NET",
            converter = Converters.NetworkName.class,
            description =
                    "machines and network of a program: loopback, rack, ethernet-1991 (default:"
                            + " loopback)")
    private @Nullable MachineModel network; // null if not given

    @Mixin private ProcessorOptions processors = new ProcessorOptions();

    @Option(
            names = "--hold-micros",
            paramLabel = "N",
            description = "of a program, as for 'dsm run'")
    private @Nullable Long holdMicros; // null if not given

    @Mixin private UpdateOptions updates = new UpdateOptions();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "writes the counts of a program's run to FILE; - is standard output, and all"
                            + " else goes to standard error then")
    private @Nullable Path json; // null without a report

    @Option(names = "--stats", description = "of a program, as for 'dsm run'")
    private @Nullable Boolean stats; // null if not given

    @Option(names = "--pages", description = "of a program, as for 'dsm run'")
    private @Nullable Boolean everyPage; // null if not given

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        try {
            if (mutants != null) {
                return mutate(mutants);
            }
            return switch (programName()) {
                case RANDOM -> random();
                case LITMUS -> litmus();
                default -> application();
            };
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private String programName() {
        if (program != null) {
            words.addFirst(program);
        }
        return words.isEmpty() ? RANDOM : words.getFirst();
    }

    private int mutate(int count) throws InterruptedException {
        NodeOptions.requireRange(MUTATE, count, 1, MUTANTS_MAX);
        if (!programName().equals(RANDOM)) {
            throw new IllegalArgumentException(MUTATE + " means nothing for " + words.getFirst());
        }
        refuseWords();
        refuse("--nodes", nodes, MUTATE);
        refuse("--threads", threads, MUTATE);
        refuse("--protocol", protocol, MUTATE);
        refuse("--seeds", seeds, MUTATE);
        refuse("--calm", calm ? true : null, MUTATE);
        refuse("--byte-diffs", byteDiffs ? true : null, MUTATE);
        refuse("--check-races", checksRaces ? true : null, MUTATE);
        refuse("--network", network, MUTATE);
        refuse("--hold-micros", holdMicros, MUTATE);
        processors.refuse(MUTATE);
        refuse(updates.given(), MUTATE);
        refuse("--json", json, MUTATE);
        refuse("--stats", stats, MUTATE);
        refuse("--pages", everyPage, MUTATE);
        return new MutantTrials(spec.commandLine().getOut())
                .run(
                        Optional.ofNullable(seed).orElse(1L),
                        count,
                        Optional.ofNullable(minutes).orElse(MUTANTS_TIME).toNanos(),
                        jobs());
    }

    private int random() throws InterruptedException {
        refuseWords();
        refuse("--network", network, RANDOM);
        refuse("--threads", threads, RANDOM);
        refuse("--hold-micros", holdMicros, RANDOM);
        processors.refuse(RANDOM);
        refuse(updates.givenButWriters(), RANDOM);
        refuse("--json", json, RANDOM);
        refuse("--stats", stats, RANDOM);
        refuse("--pages", everyPage, RANDOM);
        RandomTrials trials =
                new RandomTrials(
                        Optional.ofNullable(protocol),
                        updates.lazyWriters(),
                        nodes(0),
                        calm,
                        checksRaces,
                        spec.commandLine().getOut());
        if (seed != null && seeds == null && minutes == null) {
            return trials.runOne(seed);
        }
        if (seeds != null && seeds < 1) {
            throw new IllegalArgumentException("--seeds " + seeds + ": at least 1");
        }
        Duration limit = Optional.ofNullable(minutes).orElse(USUAL_TIME);
        if (seed == null && seeds == null) {
            return trials.runForTime(limit.toNanos(), jobs());
        }
        return trials.runMany(
                Optional.ofNullable(seed).orElse(1L),
                Optional.ofNullable(seeds).orElse(RandomTrials.SEEDS_MAX),
                seeds != null && minutes == null ? Long.MAX_VALUE : limit.toNanos(),
                jobs());
    }

    private int litmus() {
        refuseWords();
        refuse("--nodes", nodes, LITMUS);
        refuse("--network", network, LITMUS);
        refuse("--threads", threads, LITMUS);
        refuse("--hold-micros", holdMicros, LITMUS);
        processors.refuse(LITMUS);
        refuse(updates.givenButWriters(), LITMUS);
        refuse("--json", json, LITMUS);
        refuse("--stats", stats, LITMUS);
        refuse("--pages", everyPage, LITMUS);
        refuse("--seed", seed, LITMUS);
        refuse("--minutes", minutes, LITMUS);
        refuse("--jobs", jobs, LITMUS);
        if (protocol != null && protocol.isSealed()) {
            throw new IllegalArgumentException(
                    "no litmus test is for " + protocol.word() + ": nobody may store");
        }
        long runsMin = Optional.ofNullable(seeds).orElse(LITMUS_RUNS);
        NodeOptions.requireRange("--seeds", runsMin, 1, 1_000_000);
        return new LitmusTrials(this::isTested, spec.commandLine().getOut()).run((int) runsMin);
    }

    private boolean isTested(ProtocolKind kind) {
        boolean isOfWriters =
                updates.lazyWriters().isEmpty()
                        || ProtocolKind.of(kind.protocol(), updates.rules()) == kind;
        return isOfWriters && (protocol == null || protocol == kind.protocol());
    }

    private int application() {
        refuse("--seeds", seeds, words.getFirst());
        refuse("--seed", seed, words.getFirst());
        refuse("--minutes", minutes, words.getFirst());
        refuse("--jobs", jobs, words.getFirst());
        if (threads != null) {
            NodeOptions.requireRange("--threads", threads, 1, Dsm.THREADS_MAX);
        }
        if (holdMicros != null) {
            NodeOptions.requireRange("--hold-micros", holdMicros, 0, TimeUnit.SECONDS.toMicros(1));
        }
        ProcessorRules rules = processors.rules();
        if (everyPage != null && json == null) {
            throw new IllegalArgumentException("--pages means nothing without --json");
        }
        SimulatedRun run =
                new SimulatedRun(
                        Programs.installed(),
                        words,
                        nodes(NODES),
                        Optional.ofNullable(threads).orElse(1));
        if (byteDiffs) {
            run.byteDiffs();
        }
        if (checksRaces) {
            run.checkRaces();
        }
        Optional.ofNullable(protocol).ifPresent(run::protocol);
        MachineModel model = Optional.ofNullable(network).orElse(MachineModel.LOOPBACK);
        run.machines(model, processors.delays(model), rules);
        Optional.ofNullable(holdMicros).ifPresent(run::holdMicros);
        updates.check();
        run.updates(updates.rules(), updates.twins());
        Optional.ofNullable(json).ifPresent(run::json);
        if (stats != null) {
            run.stats();
        }
        if (everyPage != null) {
            run.everyPage();
        }
        return run.run(spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    private int nodes(int otherwise) {
        if (nodes == null) {
            return otherwise;
        }
        NodeOptions.requireRange("-n", nodes, 1, NodeId.NODES_MAX);
        return nodes;
    }

    private int jobs() {
        if (jobs == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        NodeOptions.requireRange("--jobs", jobs, 1, 1024);
        return jobs;
    }

    private void refuseWords() {
        if (words.size() > 1) {
            throw new IllegalArgumentException(
                    "'" + words.get(1) + "' is not understood after '" + words.getFirst() + "'");
        }
    }

    private static void refuse(Optional<String> given, String what) {
        given.ifPresent(option -> refuse(option, option, what));
    }

    static void refuse(String option, @Nullable Object value, String what) {
        if (value != null) {
            throw new IllegalArgumentException(option + " means nothing for " + what);
        }
    }
}
