package io.muninn.verify.bugs;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.kernel.LoadedTranscripts;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.verify.check.Checker;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import io.muninn.verify.mutate.MutantTrial;
import io.muninn.verify.pool.PoolModel;
import io.muninn.verify.pool.PoolProgram;
import io.muninn.verify.pool.PoolViolation;
import io.muninn.verify.program.SeededRun;
import io.muninn.verify.program.WeakFrames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The runs that {@link SeededBugsTest} calls in every copy of the classes. */
public final class BuggyRun {
    private static final int CONTENTION_ONE_IN = 5;

    /**
     * Checkers that detect an error in messages or in the state of a node, often before it has any
     * effect. Bugs that other checkers must find need to have an effect.
     */
    private static final Set<String> CLOSE =
            Set.of(
                    "letters",
                    "broken barriers",
                    "wait timers",
                    "lock bounds",
                    "told when done",
                    "copies learnt",
                    "timers",
                    "posted calls",
                    "batches",
                    "hot pages",
                    "ahead requests",
                    "effect results",
                    "hold times",
                    "fetched copies",
                    "woken threads");

    private BuggyRun() {}

    private static List<Observer> checkers(String look) {
        List<Observer> all = Checkers.all(new Coverage());
        return switch (SeededBug.Look.valueOf(look)) {
            case USUAL, HOMES, CORPUS -> all.stream().filter(each -> !isClose(each)).toList();
            default -> all;
        };
    }

    /** Alternately with and without threads that refresh and prefetch. */
    private static SeededRun ofHomes(long seed, SeededRun.Options options) {
        SeededRun.Options ofHomes = options.only(Protocol.HOME_BASED);
        return seed % 2 == 0 ? SeededRun.ofPolling(seed, ofHomes) : SeededRun.of(seed, ofHomes);
    }

    private static boolean isClose(Observer observer) {
        return observer instanceof Checker checker && CLOSE.contains(checker.name());
    }

    /** Alternately with and without threads that refresh and prefetch. */
    private static SeededRun ofKeptDiffs(long seed, SeededRun.Options options) {
        SeededRun.Options only = options.only(keepsDiffs());
        return seed % 2 == 0 ? SeededRun.ofPolling(seed, only) : SeededRun.of(seed, only);
    }

    /** In turn any program of lazy pages, one about waits, and one with threads that refresh. */
    private static SeededRun ofLazyPages(long seed, SeededRun.Options options) {
        SeededRun.Options only = options.only(keepsDiffs());
        return switch (Math.floorMod(seed, 3)) {
            case 0 -> SeededRun.of(seed, only);
            case 1 -> SeededRun.ofWaits(seed, only);
            default -> SeededRun.ofPolling(seed, only);
        };
    }

    /** Alternately with and without threads that refresh and prefetch. */
    private static SeededRun ofSingleWriters(long seed, SeededRun.Options options) {
        SeededRun.Options only = options.only(Protocol.LAZY).only(LazyWriters.SINGLE);
        return seed % 2 == 0 ? SeededRun.ofPolling(seed, only) : SeededRun.of(seed, only);
    }

    /** Alternately with and without threads that refresh and prefetch. */
    private static SeededRun ofPushes(long seed, SeededRun.Options options) {
        SeededRun.Options only = options.only(protocolWith(Trait.PUSHES));
        return seed % 2 == 0 ? SeededRun.ofPolling(seed, only) : SeededRun.of(seed, only);
    }

    /** In turn any program of weak pages, with threads that refresh, small messages, and deaths. */
    private static SeededRun ofWeakPages(long seed, SeededRun.Options options) {
        SeededRun.Options only = options.only(protocolWith(Trait.POSTS_NOTICES));
        return switch (Math.floorMod(seed, 4)) {
            case 0 -> SeededRun.ofLimits(seed, only);
            case 1 -> SeededRun.of(seed, only);
            case 2 -> SeededRun.ofMessages(seed, only);
            default -> SeededRun.ofPolling(seed, only);
        };
    }

    /**
     * In turn any program of weak pages over pools, with few processors, that refresh, and on
     * several hosts with small messages.
     */
    private static SeededRun ofPooledPages(
            long seed, SeededRun.Options options, WeakFrames frames) {
        SeededRun.Options only = options.only(protocolWith(Trait.POOLED)).only(frames);
        return switch (Math.floorMod(seed, frames == WeakFrames.POOL ? 3 : 4)) {
            case 0 -> SeededRun.ofProcessors(seed, only);
            case 1 -> SeededRun.of(seed, only);
            case 2 -> SeededRun.ofPolling(seed, only);
            default -> SeededRun.ofMessages(seed, only);
        };
    }

    /** Programs of one protocol's pages, in turn of each protocol that sends diffs. */
    private static SeededRun ofMessages(long seed, SeededRun.Options options) {
        List<Protocol> protocols =
                Stream.of(
                                protocolWith(Trait.HOMES),
                                protocolWith(Trait.PUSHES),
                                keepsDiffs(),
                                Protocol.WRITE_SHARED)
                        .toList();
        int turn = Math.floorMod(seed, protocols.size());
        return SeededRun.ofMessages(seed, options.only(protocols.get(turn)));
    }

    private static Protocol keepsDiffs() {
        return protocolWith(Trait.KEEPS_DIFFS);
    }

    private static Protocol oneCopy() {
        return protocolWith(Trait.ONE_COPY);
    }

    /** One writer or many readers. */
    private static Protocol exclusiveCopies() {
        return protocol(traits -> traits.has(Trait.ONE_WRITER) && !traits.has(Trait.ONE_COPY));
    }

    private static Protocol protocolWith(Trait trait) {
        return protocol(traits -> traits.has(trait));
    }

    private static Protocol protocol(Predicate<ProtocolTraits> that) {
        return Arrays.stream(ProtocolKind.values())
                .filter(kind -> that.test(kind.traits()))
                .map(ProtocolKind::protocol)
                .findFirst()
                .orElseThrow();
    }

    /**
     * The name of the checker that fails with a seed; empty if none does.
     *
     * @param checksRaces whether kernels look for races
     * @param look the name of a {@link SeededBug.Look}
     * @param program of the corpus, or empty
     */
    public static String checkerThatFires(
            long seed, boolean checksRaces, String look, String program) {
        SeededRun.Options all = SeededRun.Options.ALL;
        SeededRun.Options options =
                new SeededRun.Options(
                        all.protocols(), all.nodes(), all.disruptions(), all.deaths(), checksRaces);
        if (look.equals(SeededBug.Look.TRANSCRIPTS.name())) {
            return Stream.of(keepsDiffs(), exclusiveCopies())
                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                    .map(LoadedTranscripts::failing)
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse("");
        }
        SeededBug.Look where = SeededBug.Look.valueOf(look);
        if (where == SeededBug.Look.POOL) {
            return ofPool(Math.toIntExact(seed - 1));
        }
        try {
            trials(seed, options, where, program).forEach(trial -> trial.run(checkers(look)));
            boolean isFirst = where == SeededBug.Look.USUAL || where == SeededBug.Look.CLOSE;
            if (isFirst && seed % CONTENTION_ONE_IN == 0) {
                MutantTrial.contend(() -> checkers(look));
            }
            return "";
        } catch (Violation violation) {
            return violation.checker();
        }
    }

    private static String ofPool(int program) {
        try {
            if (program < PoolProgram.ALL.size()) {
                new PoolModel(PoolProgram.ALL.get(program)).search();
            }
            return "";
        } catch (PoolViolation violation) {
            return "the model of a pool";
        }
    }

    private static List<SeededRun> trials(
            long seed, SeededRun.Options options, SeededBug.Look where, String program) {
        return switch (where) {
            case CORPUS, CLOSE_CORPUS -> SeededRun.ofCorpus(seed, options, program);
            case COLLECTIONS ->
                    List.of(
                            ofLazyPages(seed, options),
                            SeededRun.of(seed, options.only(Protocol.HOME_BASED)));
            case WAITS -> List.of(SeededRun.ofWaits(seed, options));
            case LIMITS -> List.of(SeededRun.ofLimits(seed, options));
            case POLLING -> List.of(SeededRun.ofPolling(seed, options));
            case KEPT_DIFFS -> List.of(ofKeptDiffs(seed, options));
            case SINGLE_WRITERS -> List.of(ofSingleWriters(seed, options));
            case PUSHES -> List.of(ofPushes(seed, options));
            case MESSAGES -> List.of(ofMessages(seed, options));
            case ONE_COPY -> List.of(SeededRun.of(seed, options.only(oneCopy())));
            case EXCLUSIVE_COPIES -> List.of(SeededRun.of(seed, options.only(exclusiveCopies())));
            case CARGO -> List.of(ofLazyPages(seed, options));
            case HOMES -> List.of(ofHomes(seed, options));
            case VIEWS ->
                    List.of(SeededRun.ofSiblings(seed, options.only(protocolWith(Trait.VIEWS))));
            case SIBLINGS -> List.of(SeededRun.ofSiblings(seed, options));
            case PERMISSIONS -> List.of(SeededRun.ofPermissions(seed, options));
            case LAZY_PERMISSIONS ->
                    List.of(SeededRun.ofPermissions(seed, options.only(keepsDiffs())));
            case VIEWED_PERMISSIONS ->
                    List.of(SeededRun.ofPermissions(seed, options.only(protocolWith(Trait.VIEWS))));
            case REMOTES -> List.of(SeededRun.ofRemotes(seed, options));
            case CUTS -> List.of(SeededRun.ofCuts(seed, options));
            case WEAK -> List.of(ofWeakPages(seed, options));
            case POOLED -> List.of(ofPooledPages(seed, options, WeakFrames.POOL));
            case POOLED_HOSTS -> List.of(ofPooledPages(seed, options, WeakFrames.POOLS));
            case REDUCTIONS -> List.of(SeededRun.ofReductions(seed, options));
            case PROCESSORS -> List.of(SeededRun.ofProcessors(seed, options));
            case KEPT_DIFFS_PROCESSORS ->
                    List.of(SeededRun.ofProcessors(seed, options.only(keepsDiffs())));
            case USUAL, CLOSE, TRANSCRIPTS, POOL -> List.of(SeededRun.of(seed, options));
        };
    }
}
