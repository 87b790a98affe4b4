package io.muninn.bench.paper;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dsm paper}: reproduces the tables and figures of a paper. */
@Command(
        name = "paper",
        description = "Runs the programs of a paper again and compares with what it prints.",
        subcommands = {
            CvmCommand.class,
            HlrcCommand.class,
            MowryCommand.class,
            MuninCommand.class,
            NccCommand.class,
            ScalingCommand.class
        },
        mixinStandardHelpOptions = true)
final class PaperCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "which paper? There are 'cvm', 'hlrc', 'mowry', 'munin' and 'ncc';"
                        + " 'scaling' has more nodes than any");
    }
}
