package io.muninn.verify.search;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.launch.option.Converters;
import io.muninn.launch.option.Ranges;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.UpdateRules;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm sim litmus}: litmus tests with every protocol in every style. */
@Command(
        name = "litmus",
        description = {
            "Runs litmus tests with every protocol.",
            "Every outcome must be allowed, and every expected one must be seen."
        },
        footer = {"", "Exit status: 0 both hold, 1 otherwise, 2 wrong usage."},
        mixinStandardHelpOptions = true)
final class LitmusCommand implements Callable<Integer> {
    private static final int RUNS_MAX = 1_000_000;

    @Spec private CommandSpec spec;

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
            names = "--seeds",
            paramLabel = "N",
            description = "least runs of each test (default: 100)")
    private int runsMin = 100;

    @Override
    public Integer call() {
        try {
            if (protocol != null && protocol.isSealed()) {
                throw new IllegalArgumentException(
                        "no litmus test is for " + protocol.word() + ": no thread may store");
            }
            Ranges.require("--seeds", runsMin, 1, RUNS_MAX);
            return new LitmusTrials(this::isTested, spec.commandLine().getOut()).run(runsMin);
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }

    private boolean isTested(ProtocolKind kind) {
        boolean isOfWriters =
                lazyWriters == null
                        || ProtocolKind.of(
                                        kind.protocol(),
                                        UpdateRules.DEFAULT.withLazyWriters(lazyWriters))
                                == kind;
        return isOfWriters && (protocol == null || protocol == kind.protocol());
    }
}
