package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Programs;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dsm programs}: lists the built-in programs, one per line. */
@Command(
        name = "programs",
        description = "Lists the built-in programs.",
        mixinStandardHelpOptions = true)
final class ProgramsCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        print(Programs.installed(), spec.commandLine().getOut());
        return ExitStatus.OK;
    }

    static void print(Programs programs, PrintWriter out) {
        for (BuiltInProgram program : programs.all()) {
            out.printf(Locale.ROOT, "%-12s %s%n", program.name(), program.summary());
        }
        out.flush();
    }

    /** Prints the options and versions of a program. */
    static void printUsage(BuiltInProgram program, PrintWriter out) {
        out.printf(Locale.ROOT, "%s: %s%n", program.name(), program.summary());
        out.printf(Locale.ROOT, "  --version %s%n", String.join("|", program.versions()));
        program.usage().lines().forEach(line -> out.printf(Locale.ROOT, "  %s%n", line.strip()));
        out.flush();
    }
}
