package io.muninn.verify.search;

import io.muninn.api.Protocol;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.Ranges;
import io.muninn.model.NodeId;
import io.muninn.spi.LazyWriters;
import io.muninn.verify.program.WeakFrames;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code dsm sim random}: random programs under every checker. */
@Command(
        name = RandomCommand.NAME,
        description = {
            "Runs random programs; checks the guarantees of protocols after every step.",
            "A seed draws programs, delays and disruptions; equal seeds give equal runs."
        },
        footer = {"", "Exit status: 0 no check failed, 1 otherwise, 2 wrong usage."},
        mixinStandardHelpOptions = true)
final class RandomCommand implements Callable<Integer> {
    static final String NAME = "random";

    private static final Duration USUAL_TIME = Duration.ofMinutes(1);

    /** The places of frames, by their words. */
    static final class FramesWord implements ITypeConverter<WeakFrames> {
        @Override
        public WeakFrames convert(String word) {
            return switch (word) {
                case "homes" -> WeakFrames.HOMES;
                case "pool" -> WeakFrames.POOL;
                case "pools" -> WeakFrames.POOLS;
                default ->
                        throw new TypeConversionException(
                                "'" + word + "' is not homes, pool or pools");
            };
        }
    }

    @Spec private CommandSpec spec;

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "NODES",
            description = "simulated nodes (default: 3 to 6)")
    private @Nullable Integer nodes; // null if the seed draws it

    @Option(
            names = "--protocol",
            paramLabel = "P",
            converter = Converters.ProtocolName.class,
            description = "tests only this protocol")
    private @Nullable Protocol protocol; // null for all

    @Option(
            names = "--lazy-writers",
            paramLabel = "multiple|single",
            converter = Converters.Writers.class,
            description = "nodes that may store to a lazy page at a time (default: both)")
    private @Nullable LazyWriters lazyWriters; // null for both

    @Option(
            names = "--weak-frames",
            paramLabel = "homes|pool|pools",
            converter = FramesWord.class,
            description = "where the frames of weak pages are (default: each)")
    private @Nullable WeakFrames weakFrames; // null for each

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "number of seeds, from 1 or from --seed on")
    private @Nullable Long seeds; // null if not given

    @Option(
            names = "--seed",
            paramLabel = "S",
            converter = Converters.Seed.class,
            description =
                    "runs this seed only and prints its results; with --seeds, the first seed")
    private @Nullable Long seed; // null if not given

    @Option(
            names = "--minutes",
            paramLabel = "M",
            converter = Converters.Minutes.class,
            description = "how long (default: 1, without --seeds or --seed)")
    private @Nullable Duration minutes; // null if not given

    @Option(names = "--calm", description = "without clogged links, pauses, late timers and deaths")
    private boolean calm;

    @Option(
            names = "--check-races",
            description =
                    "kernels look for elements of write-shared variables that several nodes store"
                            + " to at the same time; their reports are checked")
    private boolean checksRaces;

    @Mixin private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run();
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private int run() throws InterruptedException {
        if (nodes != null) {
            Ranges.require("-n", nodes, 1, NodeId.NODES_MAX);
        }
        RandomTrials trials =
                new RandomTrials(
                        Optional.ofNullable(protocol),
                        Optional.ofNullable(lazyWriters),
                        Optional.ofNullable(weakFrames),
                        nodes == null ? 0 : nodes,
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
            return trials.runForTime(limit.toNanos(), jobs.number());
        }
        return trials.runMany(
                Optional.ofNullable(seed).orElse(1L),
                Optional.ofNullable(seeds).orElse(RandomTrials.SEEDS_MAX),
                seeds != null && minutes == null ? Long.MAX_VALUE : limit.toNanos(),
                jobs.number());
    }
}
