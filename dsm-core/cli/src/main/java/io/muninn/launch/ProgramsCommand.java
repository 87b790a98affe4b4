package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.ProgramOptions;
import io.muninn.launch.option.Programs;
import java.io.PrintWriter;
import java.util.List;
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
    private static final String HELP = "--help";

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
    private static void printUsage(BuiltInProgram program, PrintWriter out) {
        out.printf(Locale.ROOT, "%s: %s%n", program.name(), program.summary());
        out.printf(Locale.ROOT, "  --version %s%n", String.join("|", program.versions()));
        program.usage().lines().forEach(line -> out.printf(Locale.ROOT, "  %s%n", line.strip()));
        out.flush();
    }

    /**
     * Prints the options of a program, if the words of a command line ask for nothing else.
     *
     * @param words the program and what follows it
     * @return true if they do
     * @throws IllegalArgumentException if there is no such program; the text is for the user
     */
    static boolean printsHelp(ProgramOptions ofProgram, List<String> words, PrintWriter out) {
        boolean isHelp = words.size() == 2 && words.getLast().equals(HELP);
        if (isHelp && ofProgram.isOfBuiltIn()) {
            printUsage(Programs.installed().named(words.getFirst()), out);
        } else if (isHelp) {
            ofProgram.printOwnHelp(words.getFirst(), out);
        }
        return isHelp;
    }
}
