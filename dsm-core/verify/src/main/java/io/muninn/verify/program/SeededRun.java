package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.Disruptions;
import io.muninn.sim.Observer;
import io.muninn.sim.RunEndedException;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One seed, and all that it decides: a random program, how long things take, and what trouble there
 * is. The only place where a seed is turned into a run.
 *
 * <p><b>Two phases.</b> Disruptions end at a drawn time. From then on everything has to finish
 * within a bound, {@link TimeBounds}: in the longest time that a fault can take with every other
 * node in its way, at least one operation of some thread is done; so in as many such times as the
 * program has operations all of them are.
 *
 * <p><b>Streams.</b> A new protocol leaves the programs of old seeds as they are: it belongs to a
 * stream of trials of its own, whose programs mix it with the protocols of all streams before. The
 * first stream has the protocols that there were when streams began. A variant of a protocol is in
 * its place in a stream like that of the protocol.
 */
public final class SeededRun {
    /** Of the protocols of the first stream; each later code has a stream of its own. */
    private static final int FIRST_STREAM_CODE_MAX = 5;

    private static final int KINDS = 7;

    /** Programs with shipped objects, and sweeps, are drawn apart from the others: by a rest. */
    private static final int APART_ONE_IN = 8;

    private static final int CALLING_REST = 5;
    private static final int SWEEPING_REST = 3;

    /** Of eight runs. */
    private static final int DEATHS_OF_LIMITS = 3;

    /** They are long. */
    private static final int POSTINGS_ONE_IN = 8;

    /** Costs of processors take up to such a part of the hold time. */
    private static final int COST_OF_HOLD = 4;

    /** Where woken threads keep pages until they have a processor, switches take up to so many. */
    private static final int SWITCHES_OF_HOLD = 4;

    private static final int SHRINK_TRIES_MAX = 1_000;

    /** Of a liveness failure every try lasts to the limit. */
    private static final int SHRINK_LONG_TRIES_MAX = 100;

    /** Schedules that a shrunk program is tried with: that of the failure, and others like it. */
    private static final int SHRINK_SCHEDULES = 4;

    private static final String LIVENESS = "liveness";

    /**
     * What a seed does not decide.
     *
     * @param protocols that regions may have
     * @param nodes 0 for any number from 3 to 6
     * @param disruptions whether there is trouble
     * @param deaths whether a node may die of it
     * @param checksRaces whether kernels report overlapping stores of several nodes
     * @param lazyWriters how many writers lazy pages may have; in this order
     */
    public record Options(
            List<Protocol> protocols,
            int nodes,
            boolean disruptions,
            boolean deaths,
            boolean checksRaces,
            List<LazyWriters> lazyWriters) {
        /** Every protocol and all trouble. */
        public static final Options ALL =
                new Options(List.of(Protocol.values()), 0, true, true, false);

        public Options {
            protocols = List.copyOf(protocols);
            lazyWriters = List.copyOf(lazyWriters);
        }

        /** With lazy pages of all kinds. */
        public Options(
                List<Protocol> protocols,
                int nodes,
                boolean disruptions,
                boolean deaths,
                boolean checksRaces) {
            this(protocols, nodes, disruptions, deaths, checksRaces, List.of(LazyWriters.values()));
        }

        /** The same with lazy pages of one kind only. */
        public Options only(LazyWriters writers) {
            return new Options(
                    protocols, nodes, disruptions, deaths, checksRaces, List.of(writers));
        }

        /** The same with regions of one protocol only. */
        public Options only(Protocol protocol) {
            return with(List.of(protocol));
        }

        /** The same with the protocols of the first stream only. */
        public Options ofFirstStream() {
            return upTo(streams().first());
        }

        private Options upTo(int stream) {
            return with(protocols.stream().filter(each -> stream(each) <= stream).toList());
        }

        private Options with(List<Protocol> others) {
            return new Options(others, nodes, disruptions, deaths, checksRaces, lazyWriters);
        }

        private TreeSet<Integer> streams() {
            return protocols.stream()
                    .map(SeededRun::stream)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /**
     * A seed that found a violation.
     *
     * @param text for a person: the violation, the seed, and the shrunk program
     */
    public record Failure(Violation violation, long seed, Program shrunk, String text) {}

    /** The runs of a seed, each drawn apart from the others. */
    private enum Kind {
        OF_ALL,
        OF_WAITS,
        OF_LIMITS,
        OF_POLLING,
        OF_PROCESSORS,
        OF_REDUCTIONS,
        OF_JOURNEYS,
        OF_MESSAGES;

        /** Where its random numbers begin. */
        long start(long seed) {
            return switch (this) {
                case OF_ALL -> spread(seed);
                case OF_WAITS -> spread(spread(~spread(seed)));
                case OF_LIMITS -> spread(~spread(~spread(seed)));
                case OF_POLLING -> spread(~spread(~spread(~spread(seed))));
                case OF_PROCESSORS -> spread(~spread(~spread(~spread(~spread(seed)))));
                case OF_REDUCTIONS -> spread(spread(~spread(~spread(~spread(seed)))));
                case OF_JOURNEYS -> spread(spread(spread(~spread(~spread(seed)))));
                case OF_MESSAGES -> spread(spread(spread(spread(~spread(seed)))));
            };
        }
    }

    private final long seed;
    private final Options options;
    private final int stream;
    private final Kind kind;
    private final long charactersSeed;
    private final long sequencesSeed;
    private final long disruptionsSeed;
    private final Program program;

    /** In the first stream of its options. */
    private SeededRun(long seed, Options options, Kind kind) {
        this(seed, options, options.streams().first(), options.lazyWriters().getFirst(), kind);
    }

    private SeededRun(long seed, Options options, int stream, LazyWriters writers, Kind kind) {
        this.seed = seed;
        this.options = options.upTo(stream);
        this.stream = stream;
        this.kind = kind;
        long own = own(seed, stream, writers);
        Random random = new Random(kind.start(own));
        charactersSeed = random.nextLong();
        sequencesSeed = random.nextLong();
        disruptionsSeed = random.nextLong();
        long programSeed = random.nextLong();
        int nodes =
                options.nodes() > 0
                        ? options.nodes()
                        : RandomProgram.NODES_MIN
                                + random.nextInt(
                                        RandomProgram.NODES_MAX - RandomProgram.NODES_MIN + 1);
        long holdNanos = holdNanos(random, delays(nodes, 0));
        Program drawn =
                switch (kind) {
                    case OF_ALL -> program(random, programSeed, nodes, holdNanos);
                    case OF_WAITS -> programOfWaits(random, programSeed, nodes, holdNanos);
                    case OF_LIMITS -> programOfLimits(random, programSeed, nodes, holdNanos);
                    case OF_POLLING ->
                            Polling.of(
                                    random.nextLong(),
                                    program(random, programSeed, nodes, holdNanos));
                    case OF_PROCESSORS ->
                            programOfProcessors(random, programSeed, nodes, holdNanos, writers);
                    case OF_REDUCTIONS ->
                            Reducing.of(programSeed, reducing(), Math.max(2, nodes), holdNanos);
                    case OF_JOURNEYS -> programOfJourneys(random, programSeed, nodes, holdNanos);
                    case OF_MESSAGES -> programOfMessages(random, programSeed, nodes, holdNanos);
                };
        UpdateRules updates =
                RandomRules.updates(random)
                        .withReadAhead(RandomRules.readAhead(own))
                        .withSteadyAccess(RandomRules.steadyAccess(own))
                        .withLazyBytes(RandomRules.lazyBytes(own, stream == 0))
                        .withLazyWriters(writers);
        program =
                drawn.withTwins(RandomRules.twins(random))
                        .withUpdates(
                                kind == Kind.OF_MESSAGES
                                        ? updates.withLimits(RandomRules.limits(random))
                                        : updates);
    }

    private static long own(long seed, int stream, LazyWriters writers) {
        if (stream == 0) {
            return seed;
        }
        boolean isOfVariant = hasVariant(stream) && writers != UpdateRules.DEFAULT.lazyWriters();
        return spread(spread(seed) + (isOfVariant ? -stream : stream));
    }

    private static boolean hasVariant(int stream) {
        return Arrays.stream(ProtocolKind.values())
                .anyMatch(kind -> kind.isVariant() && stream(kind.protocol()) == stream);
    }

    /**
     * Mostly protocols mixed; sometimes one of them, or a program that brings about what chance
     * rarely does, if the protocols that it is about may be used.
     */
    private Program program(Random random, long programSeed, int nodes, long holdNanos) {
        List<Protocol> protocols = options.protocols();
        boolean mayStore = mayStore() && nodes > 1;
        long rest = Math.floorMod(programSeed, APART_ONE_IN);
        if (mayStore && rest == CALLING_REST) {
            return CallingThreads.of(programSeed, protocols, nodes, holdNanos);
        }
        Protocol written = about(Protocol.WRITE_SHARED);
        if (mayBeAbout(written, nodes) && rest == SWEEPING_REST) {
            return Sweeps.of(programSeed, written, nodes, holdNanos);
        }
        int kind = random.nextInt(KINDS);
        if (kind == 0 && mayBeAbout(written, nodes)) {
            return Chatter.of(programSeed, written, nodes, holdNanos, false);
        } else if (kind == 1 && mayStore) {
            return WaitingThreads.of(programSeed, protocols, nodes, holdNanos);
        } else if (kind == 2) {
            protocols = protocols.stream().filter(each -> stream(each) == stream).toList();
            protocols = List.of(protocols.get(random.nextInt(protocols.size())));
        } else if (kind == 3 && mayBeAbout(about(Protocol.PIPELINED), nodes)) {
            return Relay.of(programSeed, about(Protocol.PIPELINED), nodes, holdNanos);
        } else if (kind == 4 && mayBeAbout(written, nodes)) {
            return Chatter.of(programSeed, written, nodes, holdNanos, true);
        } else if (kind == 5
                && mayBeAbout(BreakingBarriers.PROTOCOL, nodes)
                && random.nextBoolean()) {
            return BreakingBarriers.of(programSeed, nodes, holdNanos);
        } else if (kind == 6 && mayBeAbout(Exchanges.PROTOCOL, nodes)) {
            return Exchanges.of(programSeed, nodes, holdNanos);
        } else if (kind == 6 && stream > 0 && mayBeAbout(written, nodes)) {
            return streams(programSeed, nodes, holdNanos);
        }
        return RandomProgram.of(programSeed, new RandomProgram.Shape(protocols, nodes, holdNanos));
    }

    /** The protocol of its stream; whatever may be stored to if that may not be used. */
    private Protocol reducing() {
        Protocol written = about(Protocol.WRITE_SHARED);
        return options.protocols().contains(written) || !mayStore()
                ? written
                : options.protocols().stream()
                        .filter(each -> !each.isSealed())
                        .findFirst()
                        .orElse(written);
    }

    private Program streams(long programSeed, int nodes, long holdNanos) {
        Protocol written = about(Protocol.WRITE_SHARED);
        boolean hasConstants = stream == 0 || options.protocols().contains(Protocol.READ_ONLY);
        Protocol constants = hasConstants ? Protocol.READ_ONLY : written;
        return Streams.of(programSeed, constants, written, nodes, holdNanos);
    }

    private boolean mayStore() {
        return !options.protocols().stream().allMatch(Protocol::isSealed);
    }

    /** What a program of the first stream is about; in a later stream its own protocol. */
    private Protocol about(Protocol first) {
        return stream == 0 ? first : Protocol.fromCode(stream + FIRST_STREAM_CODE_MAX);
    }

    /** True if programs about a protocol may be drawn: in the stream of the protocol only. */
    private boolean mayBeAbout(Protocol protocol, int nodes) {
        return options.protocols().contains(protocol) && stream(protocol) == stream && nodes > 1;
    }

    /** What is about waiting: for letters and credit, at barriers that break, for a lock. */
    private Program programOfWaits(Random random, long programSeed, int nodes, long holdNanos) {
        List<Protocol> protocols =
                mayStore() ? options.protocols() : List.of(ReusedBarriers.PROTOCOL);
        return switch (random.nextInt(5)) {
            case 0, 1 -> Correspondence.of(programSeed, protocols, nodes, holdNanos);
            case 2, 3 ->
                    ReusedBarriers.of(
                            programSeed, about(ReusedBarriers.PROTOCOL), nodes, holdNanos);
            default -> Handovers.of(programSeed, protocols, nodes, holdNanos);
        };
    }

    /**
     * What rarely happens elsewhere: limits of 0, more calls than may be posted, long streams, the
     * ends of programs; and any program on a node that dies.
     */
    private Program programOfLimits(Random random, long programSeed, int nodes, long holdNanos) {
        boolean isAny = !options.protocols().equals(Options.ALL.upTo(stream).protocols());
        return switch (isAny ? KINDS : random.nextInt(KINDS)) {
            case 0 -> Endings.of(programSeed, nodes, holdNanos);
            case 1 -> Impatience.of(programSeed, nodes, holdNanos);
            case 2, 3 -> streams(programSeed, nodes, holdNanos);
            case 4 ->
                    random.nextInt(POSTINGS_ONE_IN) == 0
                            ? Postings.of(programSeed, nodes, holdNanos)
                            : CallingThreads.of(programSeed, options.protocols(), nodes, holdNanos);
            case 5 -> programOfWaits(random, programSeed, nodes, holdNanos);
            case 6 ->
                    programSeed % 2 == 0
                            ? Exchanges.of(programSeed, nodes, holdNanos)
                            : program(random, programSeed, nodes, holdNanos);
            default -> program(random, programSeed, nodes, holdNanos);
        };
    }

    /** Any program, mostly on fewer processors than its nodes have threads. */
    private Program programOfProcessors(
            Random random, long programSeed, int nodes, long holdNanos, LazyWriters writers) {
        Program drawn =
                random.nextInt(3) == 0
                        ? programOfWaits(random, programSeed, nodes, holdNanos)
                        : sometimesPolling(random, programSeed, nodes, holdNanos);
        int processors = 1 + random.nextInt(drawn.threads());
        long mostNanos = holdNanos / COST_OF_HOLD;
        boolean isKept = writers == LazyWriters.MULTIPLE && isKeptForWokenThreads(drawn);
        long mostOfSwitchNanos = isKept ? SWITCHES_OF_HOLD * holdNanos : mostNanos;
        return drawn.withProcessors(
                new ProcessorRules(
                        processors, cost(random, mostOfSwitchNanos), cost(random, mostNanos), 0));
    }

    /** Whether only releases and acquires take pages. */
    private static boolean isKeptForWokenThreads(Program program) {
        return program.regions().stream()
                .allMatch(region ->
                        ProtocolKind.of(region.protocol()).traits().has(Trait.ACQUIRES_INVALIDATE));
    }

    private Program sometimesPolling(Random random, long programSeed, int nodes, long holdNanos) {
        Program drawn = program(random, programSeed, nodes, holdNanos);
        return Math.floorMod(programSeed, 2) == 0 ? drawn : Polling.of(programSeed, drawn);
    }

    /** Pages that travel, or any program; several threads of the root may initialize it. */
    private Program programOfJourneys(Random random, long programSeed, int nodes, long holdNanos) {
        List<Protocol> travelling =
                options.protocols().stream()
                        .filter(each -> stream(each) == stream)
                        .filter(each ->
                                ProtocolKind.of(each).traits().has(Trait.TRAVELS_WITH_LOCKS))
                        .toList();
        Program drawn =
                travelling.isEmpty() || nodes < 2 || random.nextInt(4) == 0
                        ? program(random, programSeed, nodes, holdNanos)
                        : Journeys.of(
                                programSeed,
                                travelling.get(random.nextInt(travelling.size())),
                                nodes,
                                holdNanos);
        return drawn.withInitializers(1 + random.nextInt(drawn.threads()));
    }

    /** Many pages at a time, or any program; its messages are soon full. */
    private Program programOfMessages(Random random, long programSeed, int nodes, long holdNanos) {
        boolean mayBeOfMany = mayBeAbout(about(Protocol.WRITE_SHARED), nodes);
        return mayBeOfMany && random.nextBoolean()
                ? streams(programSeed, nodes, holdNanos)
                : program(random, programSeed, nodes, holdNanos);
    }

    /** Nothing, or up to so much. */
    private static long cost(Random random, long mostNanos) {
        return random.nextInt(3) == 0
                ? 0
                : RandomDelays.logUniform(random, 1, Math.max(2, mostNanos));
    }

    /** The trial of a seed in the first stream; the same for the same options. */
    public static SeededRun of(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_ALL);
    }

    /**
     * A second trial of the seed there, drawn apart from the first: its program is about waits. The
     * same for the same options.
     */
    public static SeededRun ofWaits(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_WAITS);
    }

    /**
     * A third trial of the seed, drawn apart from the others: its program goes to some limit, and a
     * node dies more often. The same for the same options.
     */
    public static SeededRun ofLimits(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_LIMITS);
    }

    /**
     * A fourth trial of the seed, drawn apart from the others: in its program threads refresh and
     * prefetch. The same for the same options.
     */
    public static SeededRun ofPolling(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_POLLING);
    }

    /**
     * A fifth trial of the seed, drawn apart from the others: threads of a node share processors.
     * The same for the same options.
     */
    public static SeededRun ofProcessors(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_PROCESSORS);
    }

    /**
     * A sixth trial of the seed, drawn apart from the others: its threads reduce at barriers. The
     * same for the same options.
     */
    public static SeededRun ofReductions(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_REDUCTIONS);
    }

    /**
     * A seventh trial of the seed, drawn apart from the others: pages travel with locks, and links
     * stand still for long. The same for the same options.
     */
    public static SeededRun ofJourneys(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_JOURNEYS);
    }

    /**
     * An eighth trial of the seed, drawn apart from the others: a message is full with little. The
     * same for the same options.
     */
    public static SeededRun ofMessages(long seed, Options options) {
        return new SeededRun(seed, options, Kind.OF_MESSAGES);
    }

    /** All trials that a seed stands for: those of every stream of the options' protocols. */
    public static List<SeededRun> all(long seed, Options options) {
        List<SeededRun> all = new ArrayList<>();
        for (int stream : options.streams()) {
            int variants = hasVariant(stream) ? options.lazyWriters().size() : 1;
            for (LazyWriters writers : options.lazyWriters().subList(0, variants)) {
                for (Kind kind : Kind.values()) {
                    all.add(new SeededRun(seed, options, stream, writers, kind));
                }
            }
        }
        return all;
    }

    private static int stream(Protocol protocol) {
        return Math.max(0, protocol.code() - FIRST_STREAM_CODE_MAX);
    }

    /** Seeds that differ little give generators that differ much: Stafford's mix of 64 bits. */
    static long spread(long seed) {
        long mixed = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** Longer than any wake-up; in some runs shorter than the rare long ones. */
    private static long holdNanos(Random random, RandomDelays delays) {
        long wakeNanos =
                random.nextInt(4) == 0 ? delays.usualWakeNanosMax() : delays.wakeNanosMax();
        return wakeNanos + 1 + random.nextInt(100_000);
    }

    private RandomDelays delays(int nodes, int schedule) {
        return new RandomDelays(
                new Random(charactersSeed), new Random(sequencesSeed + schedule), nodes);
    }

    public long seed() {
        return seed;
    }

    public Program program() {
        return program;
    }

    /**
     * Runs the program.
     *
     * @param observers see this run and no other
     * @throws Violation if a promise did not hold, or something broke
     * @throws RunEndedException if an observer ends the run
     */
    public ProgramRun.Result run(List<Observer> observers) {
        return run(program, observers, 0);
    }

    private ProgramRun.Result run(Program smaller, List<Observer> observers, int schedule) {
        RandomDelays delays = delays(smaller.nodes(), schedule);
        long healNanos = 0;
        Consumer<Simulation> trouble = _ -> {};
        if (options.disruptions()) {
            int deaths = kind == Kind.OF_LIMITS ? DEATHS_OF_LIMITS : 1;
            Disruptions disruptions =
                    new Disruptions(
                            new Random(disruptionsSeed),
                            delays,
                            options.deaths() ? deaths : 0,
                            kind == Kind.OF_JOURNEYS);
            healNanos = disruptions.healNanos();
            trouble = disruptions;
        }
        try {
            return ProgramRun.run(
                    smaller,
                    delays,
                    trouble,
                    observers,
                    TimeBounds.limitNanos(smaller, delays, healNanos),
                    options.checksRaces());
        } catch (Violation | RunEndedException known) {
            throw known;
        } catch (RuntimeException broken) {
            throw new Violation("exceptions", broken.toString(), broken);
        }
    }

    /**
     * Runs the program, and makes it smaller if it fails.
     *
     * @param observers made anew for each run
     */
    public Optional<Failure> failure(Supplier<List<Observer>> observers) {
        try {
            run(observers.get());
            return Optional.empty();
        } catch (Violation violation) {
            Program shrunk = shrink(violation, observers);
            return Optional.of(new Failure(violation, seed, shrunk, text(violation, shrunk)));
        }
    }

    private String text(Violation violation, Program shrunk) {
        return String.format(
                Locale.ROOT,
                "seed %#x: %s%n%s%nshrunk program: %s",
                seed,
                violation.getMessage(),
                options,
                shrunk.toText());
    }

    private Program shrink(Violation violation, Supplier<List<Observer>> observers) {
        boolean isLong = violation.checker().equals(LIVENESS);
        return Shrinker.shrink(
                program,
                smaller -> fails(smaller, violation.checker(), observers),
                isLong ? SHRINK_LONG_TRIES_MAX : SHRINK_TRIES_MAX);
    }

    private boolean fails(Program smaller, String checker, Supplier<List<Observer>> observers) {
        for (int schedule = 0; schedule < SHRINK_SCHEDULES; schedule++) {
            try {
                run(smaller, observers.get(), schedule);
            } catch (Violation violation) {
                if (violation.checker().equals(checker)) {
                    return true;
                }
            }
        }
        return false;
    }
}
