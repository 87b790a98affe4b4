package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.Disruptions;
import io.muninn.sim.Observer;
import io.muninn.sim.RunEndedException;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
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
 * A trial of a seed, which determines a random program, its delays and its disruptions. No other
 * class turns a seed into a run.
 *
 * <p><b>Two phases.</b> Disruptions end at a drawn time. From then on the program must end within a
 * bound, {@link TimeBounds}. During the longest time that a fault can take while all other nodes
 * delay it, some thread completes at least one operation. So all operations are complete after as
 * many such times as the program has operations.
 *
 * <p><b>Streams.</b> A new protocol does not change the programs of existing seeds, because it has
 * a stream of trials of its own. The programs of a stream mix its protocol with those of all
 * earlier streams. The first stream has the oldest protocols. A variant of a protocol replaces the
 * protocol in a second stream with the same number. In a third one, nodes that use pools are on
 * several hosts.
 */
public final class SeededRun {
    /** The largest code of a protocol of the first stream; each larger code has its own stream. */
    static final int FIRST_STREAM_CODE_MAX = 5;

    /** One in so many programs of the corpus has small messages. */
    private static final int LIMITS_ONE_IN = 4;

    /** In one of so many programs of the corpus a few links stand still for long. */
    private static final int LINKS_STAND_ONE_IN = 3;

    /** The number of runs in which a node dies, of eight runs about limits. */
    private static final int DEATHS_OF_LIMITS = 3;

    private static final int SHRINK_TRIES_MAX = 1_000;

    /** The limit for a liveness failure, where each failing try lasts as long as a run may. */
    private static final int SHRINK_LONG_TRIES_MAX = 100;

    /** Number of schedules with which a shrunk program is tried, that of the failure included. */
    private static final int SHRINK_SCHEDULES = 4;

    private static final String LIVENESS = "liveness";

    /**
     * The parameters that a seed does not determine.
     *
     * @param protocols the protocols that regions may have
     * @param nodes the number of nodes; 0 for any number from 3 to 6
     * @param disruptions whether runs have disruptions
     * @param deaths whether a node may die
     * @param checksRaces whether kernels report overlapping stores of several nodes
     * @param lazyWriters the numbers of writers that lazy pages may have, in this order
     * @param weakFrames the places that the frames of weak pages may have, in this order; pools are
     *     left out on more nodes than they have
     */
    public record Options(
            List<Protocol> protocols,
            int nodes,
            boolean disruptions,
            boolean deaths,
            boolean checksRaces,
            List<LazyWriters> lazyWriters,
            List<WeakFrames> weakFrames) {
        /** Every protocol and all disruptions. */
        public static final Options ALL =
                new Options(List.of(Protocol.values()), 0, true, true, false);

        public Options {
            protocols = List.copyOf(protocols);
            lazyWriters = List.copyOf(lazyWriters);
            weakFrames = weakFrames.stream().filter(each -> nodes <= each.nodesMax()).toList();
        }

        /** With lazy and weak pages of all kinds. */
        public Options(
                List<Protocol> protocols,
                int nodes,
                boolean disruptions,
                boolean deaths,
                boolean checksRaces) {
            this(
                    protocols,
                    nodes,
                    disruptions,
                    deaths,
                    checksRaces,
                    List.of(LazyWriters.values()),
                    List.of(WeakFrames.values()));
        }

        /** The same with lazy pages of one kind only. */
        public Options only(LazyWriters writers) {
            return new Options(
                    protocols,
                    nodes,
                    disruptions,
                    deaths,
                    checksRaces,
                    List.of(writers),
                    weakFrames);
        }

        /**
         * The same with weak pages of one kind only.
         *
         * @throws IllegalArgumentException if so many nodes have no such pages; the text is for the
         *     user
         */
        public Options only(WeakFrames frames) {
            if (!weakFrames.contains(frames)) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "frames in %s on %d nodes: a pool has at most %d",
                                frames.word(),
                                nodes,
                                frames.nodesMax()));
            }
            return new Options(
                    protocols,
                    nodes,
                    disruptions,
                    deaths,
                    checksRaces,
                    lazyWriters,
                    List.of(frames));
        }

        /** The same with regions of one protocol only. */
        public Options only(Protocol protocol) {
            return with(List.of(protocol));
        }

        /** The same with the protocols of the first stream only. */
        public Options ofFirstStream() {
            return upTo(streams().first());
        }

        Options upTo(int stream) {
            return with(protocols.stream().filter(each -> stream(each) <= stream).toList());
        }

        /** Whether a variant replaces the protocol of a stream: once, or for each way. */
        private List<Branch> branches(int stream) {
            Optional<ProtocolKind> variant = variant(stream);
            if (variant.isEmpty()) {
                return List.of(new Branch(stream, false, PoolHosts.ONE));
            }
            return variant.get().traits().has(Trait.POOLED)
                    ? weakFrames.stream().map(frames -> Branch.of(stream, frames)).toList()
                    : lazyWriters.stream().map(writers -> Branch.of(stream, writers)).toList();
        }

        List<Protocol> ofStream(int stream) {
            return protocols.stream().filter(each -> stream(each) == stream).toList();
        }

        private Options with(List<Protocol> others) {
            return new Options(
                    others, nodes, disruptions, deaths, checksRaces, lazyWriters, weakFrames);
        }

        private TreeSet<Integer> streams() {
            return protocols.stream()
                    .map(SeededRun::stream)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** A stream, whether a variant replaces its protocol, and the hosts of pools. */
    private record Branch(int stream, boolean isOfVariant, PoolHosts hosts) {
        static Branch of(int stream, LazyWriters writers) {
            boolean isOfVariant = writers != UpdateRules.DEFAULT.lazyWriters();
            return new Branch(stream, isOfVariant, PoolHosts.ONE);
        }

        static Branch of(int stream, WeakFrames frames) {
            PoolHosts hosts = frames == WeakFrames.POOLS ? PoolHosts.SEVERAL : PoolHosts.ONE;
            return new Branch(stream, frames != WeakFrames.HOMES, hosts);
        }

        /** The seed of its own trials. */
        long own(long seed) {
            if (stream == 0) {
                return seed;
            }
            long own = spread(spread(seed) + (isOfVariant ? -stream : stream));
            return hosts == PoolHosts.ONE ? own : spread(~own);
        }
    }

    /**
     * A seed that found a violation.
     *
     * @param text the violation, the seed and the shrunk program, to be printed
     */
    public record Failure(Violation violation, long seed, Program shrunk, String text) {}

    private final long seed;
    private final Options options;
    private final int stream;
    private final TrialKind kind;
    private final long charactersSeed;
    private final long sequencesSeed;
    private final long disruptionsSeed;
    private final boolean linksStand;
    private final Program program;

    /** In the first stream of its options. */
    private SeededRun(long seed, Options options, TrialKind kind) {
        this(
                seed,
                options,
                options.branches(options.streams().first()).getFirst(),
                kind,
                Optional.empty());
    }

    /**
     * @param branch the stream, and whether the variant of its protocol replaces it
     * @param entry the program of the corpus to run; empty for a random program of the kind
     */
    private SeededRun(
            long seed,
            Options options,
            Branch branch,
            TrialKind kind,
            Optional<Corpus.Entry> entry) {
        this.seed = seed;
        this.stream = branch.stream();
        this.options = options.upTo(stream);
        this.kind = kind;
        boolean isOfVariant = branch.isOfVariant();
        long own = branch.own(seed);
        long rules = entry.map(each -> spread(own ^ each.name().hashCode())).orElse(own);
        Random random = new Random(kind.start(rules));
        charactersSeed = random.nextLong();
        sequencesSeed = random.nextLong();
        disruptionsSeed = random.nextLong();
        long programSeed = random.nextLong();
        int nodes = entry.map(Corpus.Entry::nodes).orElseGet(() -> nodes(random));
        long holdNanos = holdNanos(random, delays(nodes, 0));
        SeededProgram choice =
                new SeededProgram(
                        this.options,
                        stream,
                        ofLazyPages(stream, isOfVariant),
                        random,
                        programSeed,
                        nodes,
                        holdNanos);
        Program drawn =
                entry.map(each -> choice.of(each, delays(nodes, 0).usualNanos()))
                        .orElseGet(() -> choice.of(kind));
        UpdateRules updates =
                RandomRules.updates(random)
                        .withReadAhead(RandomRules.readAhead(rules, stream == 0))
                        .withSteadyAccess(RandomRules.steadyAccess(rules))
                        .withLazyBytes(RandomRules.lazyBytes(rules, stream == 0))
                        .withLazyWriters(ofLazyPages(stream, isOfVariant))
                        .withViews(drawn.updates().views())
                        .withWeak(weak(drawn, rules));
        boolean isLimited =
                kind == TrialKind.OF_MESSAGES
                        || kind == TrialKind.OF_REMOTES
                        || entry.isPresent() && random.nextInt(LIMITS_ONE_IN) == 0;
        Program ruled =
                drawn.withTwins(RandomRules.twins(random))
                        .withUpdates(
                                isLimited
                                        ? updates.withLimits(RandomRules.limits(random))
                                        : updates);
        Program timed = ruled.withHold(Math.max(ruled.holdNanos(), holdNanosMin(ruled)));
        Program drawnRules = entry.isPresent() ? entry.get().ruled(timed) : timed;
        Program varied =
                drawnRules.withUpdates(ofVariant(stream, isOfVariant, drawnRules.updates()));
        program =
                branch.hosts() == PoolHosts.ONE
                        ? varied
                        : varied.withHosts(RandomRules.hosts(rules, varied.nodes()));
        linksStand =
                entry.map(each -> each.linksStand() || random.nextInt(LINKS_STAND_ONE_IN) == 0)
                        .orElse(kind == TrialKind.OF_JOURNEYS);
    }

    private static WeakRules weak(Program drawn, long rules) {
        boolean hasWeakPages =
                drawn.regions().stream()
                        .map(region -> ProtocolKind.of(region.protocol()).traits())
                        .anyMatch(traits -> traits.has(Trait.POSTS_NOTICES));
        return hasWeakPages ? RandomRules.weak(rules) : WeakRules.DEFAULT;
    }

    private int nodes(Random random) {
        return options.nodes() > 0
                ? options.nodes()
                : RandomProgram.NODES_MIN
                        + random.nextInt(RandomProgram.NODES_MAX - RandomProgram.NODES_MIN + 1);
    }

    /** The variant of a stream's protocol that the rules of a run can select. */
    private static Optional<ProtocolKind> variant(int stream) {
        return Arrays.stream(ProtocolKind.values())
                .filter(kind -> kind.isVariant() && !kind.needsProcesses())
                .filter(kind -> stream(kind.protocol()) == stream)
                .findFirst();
    }

    /** The rules of the second stream of a number, in which a variant replaces the protocol. */
    private static UpdateRules ofVariant(int stream, boolean isOfVariant, UpdateRules rules) {
        return variant(stream)
                .filter(_ -> isOfVariant)
                .map(kind -> kind.rules(rules))
                .orElse(rules);
    }

    /** The writers of lazy pages; the second stream of another protocol has the usual ones. */
    private static LazyWriters ofLazyPages(int stream, boolean isOfVariant) {
        return ofVariant(stream, isOfVariant, UpdateRules.DEFAULT).lazyWriters();
    }

    /** The first trial of a seed in the first stream. Equal options give equal trials. */
    public static SeededRun of(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_ALL);
    }

    /**
     * The second trial of a seed in the first stream: its program is about waits. Equal options
     * give equal trials.
     */
    public static SeededRun ofWaits(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_WAITS);
    }

    /**
     * The third trial of a seed in the first stream: its program reaches some limit, and a node
     * dies more often. Equal options give equal trials.
     */
    public static SeededRun ofLimits(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_LIMITS);
    }

    /**
     * The fourth trial of a seed in the first stream: threads refresh and prefetch. Equal options
     * give equal trials.
     */
    public static SeededRun ofPolling(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_POLLING);
    }

    /**
     * The fifth trial of a seed in the first stream: threads of a node share processors. Equal
     * options give equal trials.
     */
    public static SeededRun ofProcessors(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_PROCESSORS);
    }

    /**
     * The sixth trial of a seed in the first stream: threads reduce at barriers. Equal options give
     * equal trials.
     */
    public static SeededRun ofReductions(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_REDUCTIONS);
    }

    /**
     * The seventh trial of a seed in the first stream: pages travel with locks, and links stand
     * still for long. Equal options give equal trials.
     */
    public static SeededRun ofJourneys(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_JOURNEYS);
    }

    /**
     * The eighth trial of a seed in the first stream: messages are small. Equal options give equal
     * trials.
     */
    public static SeededRun ofMessages(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_MESSAGES);
    }

    /**
     * The ninth trial of a seed in the first stream: nodes have several processes. Equal options
     * give equal trials.
     */
    public static SeededRun ofSiblings(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_SIBLINGS);
    }

    /**
     * The tenth trial of a seed in the first stream: threads use reader-writer locks. Equal options
     * give equal trials.
     */
    public static SeededRun ofPermissions(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_PERMISSIONS);
    }

    /**
     * The eleventh trial of a seed in the first stream: threads use remote words. Equal options
     * give equal trials.
     */
    public static SeededRun ofRemotes(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_REMOTES);
    }

    /** The twelfth trial of a seed in the first stream: connections are cut, and made again. */
    public static SeededRun ofCuts(long seed, Options options) {
        return new SeededRun(seed, options, TrialKind.OF_CUTS);
    }

    /** The trials of a seed that run programs of the corpus, in every stream. */
    public static List<SeededRun> ofCorpus(long seed, Options options) {
        return Corpus.ENTRIES.stream()
                .filter(entry -> options.nodes() == 0 || options.nodes() == entry.nodes())
                .flatMap(entry -> ofCorpus(seed, options, entry).stream())
                .toList();
    }

    /**
     * The trials of a seed that run one program of the corpus, in the streams of its protocols.
     *
     * @param name the name of the program
     */
    public static List<SeededRun> ofCorpus(long seed, Options options, String name) {
        Corpus.Entry entry = Corpus.entry(name);
        return ofCorpus(seed, options, entry).stream()
                .filter(trial -> entry.isAbout(options.ofStream(trial.stream)))
                .toList();
    }

    static List<SeededRun> ofCorpus(long seed, Options options, Corpus.Entry entry) {
        List<SeededRun> all = new ArrayList<>();
        boolean hasPages = !entry.program().regions().isEmpty();
        for (int stream : hasPages ? options.streams() : options.streams().headSet(1)) {
            if (!options.ofStream(stream).stream().allMatch(Protocol::isSealed)) {
                for (Branch branch : options.branches(stream)) {
                    all.add(
                            new SeededRun(
                                    seed, options, branch, TrialKind.OF_ALL, Optional.of(entry)));
                }
            }
        }
        return all;
    }

    /** The trials of a seed that run random programs: each kind in every stream. */
    public static List<SeededRun> ofKinds(long seed, Options options) {
        List<SeededRun> all = new ArrayList<>();
        for (int stream : options.streams()) {
            for (Branch branch : options.branches(stream)) {
                for (TrialKind kind : TrialKind.values()) {
                    all.add(new SeededRun(seed, options, branch, kind, Optional.empty()));
                }
            }
        }
        return all;
    }

    /**
     * All trials of a seed, in every stream of the options' protocols. The programs of the corpus
     * are first, because they are short.
     */
    public static List<SeededRun> all(long seed, Options options) {
        List<SeededRun> all = new ArrayList<>(ofCorpus(seed, options));
        all.addAll(ofKinds(seed, options));
        return all;
    }

    static int stream(Protocol protocol) {
        return Math.max(0, protocol.code() - FIRST_STREAM_CODE_MAX);
    }

    /** Stafford's 64-bit mix: neighbouring seeds give unrelated generators and hashes. */
    public static long spread(long seed) {
        long mixed = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * Draws a hold time longer than every wake-up; in some runs shorter than the rare long ones.
     */
    private static long holdNanos(Random random, RandomDelays delays) {
        long wakeNanos =
                random.nextInt(4) == 0 ? delays.usualWakeNanosMax() : delays.wakeNanosMax();
        return wakeNanos + 1 + random.nextInt(100_000);
    }

    /**
     * The shortest hold time of a program, whose number of nodes, and so delays, may differ from
     * the drawn ones. With a shorter one, threads could lose a page again and again before they use
     * it.
     */
    private long holdNanosMin(Program drawn) {
        return delays(drawn.nodes(), 0).usualWakeNanosMax() + 1;
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
     * @param observers observers of this run only
     * @throws Violation if a promise does not hold, or an exception is thrown
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
            int deaths = kind == TrialKind.OF_LIMITS ? DEATHS_OF_LIMITS : 1;
            Disruptions disruptions =
                    new Disruptions(
                            new Random(disruptionsSeed),
                            delays,
                            options.deaths() ? deaths : 0,
                            linksStand);
            if (kind == TrialKind.OF_CUTS) {
                disruptions.cutLinks(new Random(spread(~disruptionsSeed)));
            }
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
     * Runs the program, and shrinks it if it fails.
     *
     * @param observers creates the observers of each run
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
