package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.NodeId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.Views;
import java.util.List;
import java.util.Random;

/** Chooses the program of a trial of a seed. */
final class SeededProgram {
    private static final int KINDS = 7;

    /** Programs with shipped objects and sweeps are chosen by the seed modulo this number. */
    private static final int APART_ONE_IN = 8;

    private static final int CALLING_REST = 5;
    private static final int SWEEPING_REST = 3;

    /** The largest cost of a processor is the hold time divided by this number. */
    private static final int COST_OF_HOLD = 4;

    /**
     * The largest cost of a switch, in hold times, if woken threads keep their pages until they
     * have a processor.
     */
    private static final int SWITCHES_OF_HOLD = 4;

    /** One in so many programs of the corpus runs under other protocols than it names. */
    private static final int CORPUS_OTHERS_ONE_IN = 4;

    /** One in so many programs of the corpus runs on nodes with few processors. */
    private static final int CORPUS_PROCESSORS_ONE_IN = 4;

    private final SeededRun.Options options;
    private final int stream;
    private final LazyWriters writers;
    private final Random random;
    private final long programSeed;
    private final int nodes;
    private final long holdNanos;

    /**
     * @param options with the protocols of the stream and of the streams before it
     * @param random draws everything that the program's own seed does not draw
     */
    SeededProgram(
            SeededRun.Options options,
            int stream,
            LazyWriters writers,
            Random random,
            long programSeed,
            int nodes,
            long holdNanos) {
        this.options = options;
        this.stream = stream;
        this.writers = writers;
        this.random = random;
        this.programSeed = programSeed;
        this.nodes = nodes;
        this.holdNanos = holdNanos;
    }

    Program of(TrialKind kind) {
        if (nodes > NodeId.LIVE_MAX) {
            return ofMany(kind);
        }
        return switch (kind) {
            case OF_ALL, OF_CUTS -> program();
            case OF_WAITS -> programOfWaits();
            case OF_LIMITS -> programOfLimits();
            case OF_POLLING -> Polling.of(random.nextLong(), program());
            case OF_PROCESSORS -> programOfProcessors();
            case OF_REDUCTIONS ->
                    Reducing.of(programSeed, reducing(), Math.max(2, nodes), holdNanos);
            case OF_JOURNEYS -> programOfJourneys();
            case OF_MESSAGES -> programOfMessages();
            case OF_SIBLINGS -> programOfSiblings();
            case OF_PERMISSIONS -> programOfPermissions();
            case OF_REMOTES -> programOfRemotes();
        };
    }

    /**
     * A program for many nodes. The others are of few: on many, what they do in each round takes as
     * many messages as there are pairs of nodes, or more words than a page has.
     */
    private Program ofMany(TrialKind kind) {
        return switch (kind) {
            case OF_WAITS ->
                    mayStore()
                            ? Correspondence.of(programSeed, options.protocols(), nodes, holdNanos)
                            : random();
            case OF_POLLING -> Polling.of(random.nextLong(), random());
            case OF_PROCESSORS -> withProcessors(random());
            case OF_SIBLINGS -> programOfSiblings();
            case OF_PERMISSIONS -> programOfPermissions();
            case OF_REMOTES -> programOfRemotes();
            case OF_LIMITS ->
                    mayStore()
                            ? CallingThreads.of(programSeed, options.protocols(), nodes, holdNanos)
                            : random();
            case OF_ALL, OF_CUTS, OF_REDUCTIONS, OF_JOURNEYS, OF_MESSAGES -> random();
        };
    }

    private Program random() {
        return RandomProgram.of(
                programSeed, new RandomProgram.Shape(options.protocols(), nodes, holdNanos));
    }

    /**
     * A program of any protocols for nodes of several processes. In some programs threads also
     * refresh and prefetch. Most have few nodes, so that processes of one node use the same pages
     * and locks.
     */
    private Program programOfSiblings() {
        boolean isFree = options.nodes() == 0 && random.nextInt(4) > 0;
        int few = isFree ? 2 + random.nextInt(2) : Math.max(2, nodes);
        Program drawn = programOfSiblings(few);
        Program several = random.nextInt(3) == 0 ? Polling.of(programSeed, drawn) : drawn;
        Views views = random.nextInt(3) == 0 ? Views.TAKING : Views.MERGING;
        return several.withUpdates(several.updates().withViews(views));
    }

    /** A program with reader-writer locks; on one in three nodes each thread is a process. */
    private Program programOfPermissions() {
        if (!mayStore()) {
            return program();
        }
        int few = options.nodes() == 0 && random.nextBoolean() ? 2 : Math.max(2, nodes);
        Program drawn = ReadersAndWriters.of(programSeed, options.protocols(), few, holdNanos);
        if (drawn.threads() == 1 || random.nextInt(3) > 0) {
            return drawn;
        }
        Program several = drawn.withProcesses(drawn.threads());
        Views views = random.nextInt(3) == 0 ? Views.TAKING : Views.MERGING;
        return several.withUpdates(several.updates().withViews(views));
    }

    /** A program with remote words. */
    private Program programOfRemotes() {
        return mayStore()
                ? RemoteReferences.of(
                        programSeed, options.protocols(), Math.max(2, nodes), holdNanos)
                : program();
    }

    /** In most programs processes send letters; in some they wait for conditions, or reduce. */
    private Program programOfSiblings(int few) {
        long rest = Math.floorMod(programSeed, APART_ONE_IN);
        if (mayStore() && rest < 2 && few <= NodeId.LIVE_MAX) {
            Program drawn =
                    rest == 0
                            ? WaitingThreads.of(programSeed, options.protocols(), few, holdNanos)
                            : Reducing.of(programSeed, reducing(), few, holdNanos);
            if (drawn.threads() > 1) {
                return drawn.withProcesses(drawn.threads());
            }
        }
        return RandomProgram.of(
                programSeed, new RandomProgram.Shape(options.protocols(), few, holdNanos, true));
    }

    /**
     * A program of the corpus, as written or under other protocols. Its times are scaled to this
     * run, and it may have pauses and few processors.
     *
     * @param usualNanos the usual duration of an operation that needs another node
     */
    Program of(Corpus.Entry entry, long usualNanos) {
        List<Protocol> own = options.ofStream(stream);
        boolean isAsWritten =
                entry.isAbout(own)
                        && entry.fits(options.protocols())
                        && random.nextInt(CORPUS_OTHERS_ONE_IN) > 0;
        Program written = isAsWritten ? entry.program() : entry.program(random, own);
        long scaleNanos = random.nextBoolean() ? usualNanos : holdNanos;
        Program drawn =
                written.withHold(holdNanos)
                        .withScripts(Pauses.of(random, written.scripts(), scaleNanos));
        return entry.sharesProcessors() || random.nextInt(CORPUS_PROCESSORS_ONE_IN) == 0
                ? withProcessors(drawn)
                : drawn.withInitializers(1 + random.nextInt(drawn.threads()));
    }

    /**
     * Most programs mix protocols. Some have one protocol. Others are written for situations that
     * random programs rarely reach, if the protocols that they need may be used.
     */
    private Program program() {
        List<Protocol> protocols = options.protocols();
        boolean mayStore = mayStore() && nodes > 1;
        long rest = Math.floorMod(programSeed, APART_ONE_IN);
        if (mayStore && rest == CALLING_REST) {
            return CallingThreads.of(programSeed, protocols, nodes, holdNanos);
        }
        Protocol written = about(Protocol.WRITE_SHARED);
        if (mayBeAbout(written) && rest == SWEEPING_REST) {
            return Sweeps.of(programSeed, written, nodes, holdNanos);
        }
        int kind = random.nextInt(KINDS);
        if (kind == 0 && mayBeAbout(written)) {
            return Chatter.of(programSeed, written, nodes, holdNanos, false);
        } else if (kind == 1 && mayStore) {
            return WaitingThreads.of(programSeed, protocols, nodes, holdNanos);
        } else if (kind == 2) {
            protocols =
                    protocols.stream().filter(each -> SeededRun.stream(each) == stream).toList();
            protocols = List.of(protocols.get(random.nextInt(protocols.size())));
        } else if (kind == 3 && mayBeAbout(about(Protocol.PIPELINED))) {
            return Relay.of(programSeed, about(Protocol.PIPELINED), nodes, holdNanos);
        } else if (kind == 4 && mayBeAbout(written)) {
            return Chatter.of(programSeed, written, nodes, holdNanos, true);
        } else if (kind == 5 && mayBeAbout(BreakingBarriers.PROTOCOL) && random.nextBoolean()) {
            return BreakingBarriers.of(programSeed, nodes, holdNanos);
        } else if (kind == 6 && mayBeAbout(Exchanges.PROTOCOL)) {
            return Exchanges.of(programSeed, nodes, holdNanos);
        } else if (kind == 6 && stream > 0 && mayBeAbout(written)) {
            return streams();
        }
        return RandomProgram.of(programSeed, new RandomProgram.Shape(protocols, nodes, holdNanos));
    }

    /** The protocol of the stream or, if it may not be used, another one with stores. */
    private Protocol reducing() {
        Protocol written = about(Protocol.WRITE_SHARED);
        return options.protocols().contains(written) || !mayStore()
                ? written
                : options.protocols().stream()
                        .filter(each -> !each.isSealed())
                        .findFirst()
                        .orElse(written);
    }

    private Program streams() {
        Protocol written = about(Protocol.WRITE_SHARED);
        boolean hasConstants = stream == 0 || options.protocols().contains(Protocol.READ_ONLY);
        Protocol constants = hasConstants ? Protocol.READ_ONLY : written;
        return Streams.of(programSeed, constants, written, nodes, holdNanos);
    }

    private boolean mayStore() {
        return !options.protocols().stream().allMatch(Protocol::isSealed);
    }

    /** The given protocol in the first stream, and the stream's own protocol in a later one. */
    private Protocol about(Protocol first) {
        return stream == 0 ? first : Protocol.fromCode(stream + SeededRun.FIRST_STREAM_CODE_MAX);
    }

    /** True if programs about a protocol may be drawn. That is so in its own stream only. */
    private boolean mayBeAbout(Protocol protocol) {
        return options.protocols().contains(protocol)
                && SeededRun.stream(protocol) == stream
                && nodes > 1;
    }

    /** A program of waits: for letters and credit, at barriers that break, or for a lock. */
    private Program programOfWaits() {
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
     * A program of rare situations: limits of 0, shipped calls, long streams or ends of programs.
     * In more runs than elsewhere a node dies.
     */
    private Program programOfLimits() {
        boolean isAny = !options.protocols().equals(SeededRun.Options.ALL.upTo(stream).protocols());
        return switch (isAny ? KINDS : random.nextInt(KINDS)) {
            case 0 -> Endings.of(programSeed, nodes, holdNanos);
            case 1 -> Impatience.of(programSeed, nodes, holdNanos);
            case 2, 3 -> streams();
            case 4 -> CallingThreads.of(programSeed, options.protocols(), nodes, holdNanos);
            case 5 -> programOfWaits();
            case 6 ->
                    programSeed % 2 == 0 ? Exchanges.of(programSeed, nodes, holdNanos) : program();
            default -> program();
        };
    }

    /** Any program; in most runs nodes have fewer processors than threads. */
    private Program programOfProcessors() {
        Program drawn = random.nextInt(3) == 0 ? programOfWaits() : sometimesPolling();
        return withProcessors(drawn);
    }

    private Program withProcessors(Program drawn) {
        int processors = 1 + random.nextInt(drawn.threads());
        long mostNanos = holdNanos / COST_OF_HOLD;
        boolean isKept = writers == LazyWriters.MULTIPLE && isKeptForWokenThreads(drawn);
        long mostOfSwitchNanos = isKept ? SWITCHES_OF_HOLD * holdNanos : mostNanos;
        return drawn.withProcessors(
                new ProcessorRules(processors, cost(mostOfSwitchNanos), cost(mostNanos), 0));
    }

    /** True if only releases and acquires take pages from threads. */
    private static boolean isKeptForWokenThreads(Program program) {
        return program.regions().stream()
                .allMatch(region ->
                        ProtocolKind.of(region.protocol()).traits().has(Trait.ACQUIRES_INVALIDATE));
    }

    private Program sometimesPolling() {
        Program drawn = program();
        return Math.floorMod(programSeed, 2) == 0 ? drawn : Polling.of(programSeed, drawn);
    }

    /** A program whose pages travel with locks, or any program. Several threads may initialize. */
    private Program programOfJourneys() {
        List<Protocol> travelling =
                options.protocols().stream()
                        .filter(each -> SeededRun.stream(each) == stream)
                        .filter(each ->
                                ProtocolKind.of(each).traits().has(Trait.TRAVELS_WITH_LOCKS))
                        .toList();
        Program drawn =
                travelling.isEmpty() || nodes < 2 || random.nextInt(4) == 0
                        ? program()
                        : Journeys.of(
                                programSeed,
                                travelling.get(random.nextInt(travelling.size())),
                                nodes,
                                holdNanos);
        return drawn.withInitializers(1 + random.nextInt(drawn.threads()));
    }

    /** A program that sends many pages at a time, or any program; its messages are soon full. */
    private Program programOfMessages() {
        boolean mayBeOfMany = mayBeAbout(about(Protocol.WRITE_SHARED));
        return mayBeOfMany && random.nextBoolean() ? streams() : program();
    }

    /** No cost, or one up to a limit. */
    private long cost(long mostNanos) {
        return random.nextInt(3) == 0
                ? 0
                : RandomDelays.logUniform(random, 1, Math.max(2, mostNanos));
    }
}
