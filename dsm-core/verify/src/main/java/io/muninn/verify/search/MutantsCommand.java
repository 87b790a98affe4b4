package io.muninn.verify.search;

import io.muninn.launch.option.Converters;
import io.muninn.launch.option.Ranges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm sim mutants}: whether random programs and litmus tests detect errors. */
@Command(
        name = "mutants",
        description = {
            "Checks whether small changes of the kernel are detected.",
            "Changes its byte code in some places, one at a time, and runs random programs and",
            "litmus tests against each change until a check fails. Equal seeds, equal changes."
        },
        footer = {"", "Exit status: 0 mutants were run, 2 wrong usage."},
        mixinStandardHelpOptions = true)
final class MutantsCommand implements Callable<Integer> {
    private static final int MUTANTS_MAX = 100_000;

    @Spec private CommandSpec spec;

    @Option(names = "--count", paramLabel = "N", description = "number of mutants (default: 100)")
    private int count = 100;

    @Option(
            names = "--seed",
            paramLabel = "S",
            converter = Converters.Seed.class,
            description = "draws the mutants (default: 1)")
    private long seed = 1;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            converter = Converters.Minutes.class,
            description = "total time (default: 10)")
    private Duration minutes = Duration.ofMinutes(10);

    @Option(
            names = "--classes",
            paramLabel = "NAME",
            split = ",",
            description = "changes only these classes of the kernel (default: all)")
    private List<String> classes = new ArrayList<>();

    @Mixin private JobsOption jobs = new JobsOption();

    @Override
    public Integer call() throws InterruptedException {
        try {
            Ranges.require("--count", count, 1, MUTANTS_MAX);
            return new MutantTrials(classes, spec.commandLine().getOut())
                    .run(seed, count, minutes.toNanos(), jobs.number());
        } catch (IllegalArgumentException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage(), unusable);
        }
    }
}
