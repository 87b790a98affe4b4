package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of {@code ./dsm}: what it does not build or test, it does here. */
@Command(
        name = "dsm",
        description = "Several machines, one memory.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            NodeCommand.class,
            SimCommand.class,
            PaperCommand.class,
            CompareCommand.class,
            DoctorCommand.class,
            BenchCommand.class,
            ProgramsCommand.class
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(execute(List.of(arguments)));
    }

    /** One of {@link ExitStatus}. */
    static int execute(List<String> arguments) {
        CommandLine command =
                arguments.stream()
                        .findFirst()
                        .flatMap(Main::alone)
                        .orElseGet(() -> new CommandLine(new Main()));
        return configured(command).execute(arguments.toArray(String[]::new));
    }

    static CommandLine commandLine() {
        return configured(new CommandLine(new Main()));
    }

    /** What is there when the first word names a command: that command. */
    @Command(name = "dsm")
    private static final class One {}

    /** Reading the options of all commands takes a run longer than all that its launcher does. */
    private static Optional<CommandLine> alone(String name) {
        for (Class<?> command : Main.class.getAnnotation(Command.class).subcommands()) {
            if (command.getAnnotation(Command.class).name().equals(name)) {
                return Optional.of(new CommandLine(new One()).addSubcommand(command));
            }
        }
        return Optional.empty();
    }

    private static CommandLine configured(CommandLine command) {
        command.setExpandAtFiles(false);
        command.setStopAtPositional(true);
        command.setUsageHelpWidth(100);
        command.setParameterExceptionHandler((error, _) -> reportUsage(error));
        command.setExecutionExceptionHandler((error, failed, _) -> {
            if (error instanceof StartException) {
                failed.getErr().println(prefix(failed) + error.getMessage());
                return ExitStatus.FAILED;
            }
            throw error;
        });
        return command;
    }

    /** What is wrong and, where it helps, what would be right; of the library one line. */
    private static int reportUsage(ParameterException error) {
        CommandLine failed = error.getCommandLine();
        PrintWriter err = failed.getErr();
        if (error instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            err.println(prefix(failed) + unmatchedText(failed, word));
        } else {
            boolean isOurs = error.getCause() instanceof IllegalArgumentException;
            String text = isOurs ? error.getMessage() : firstLine(error.getMessage());
            err.println(prefix(failed) + decapitalized(text));
        }
        return ExitStatus.USAGE;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** The library begins a sentence, we go on with one. */
    private static String decapitalized(String text) {
        return text.isEmpty() ? "" : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    private static String unmatchedText(CommandLine failed, String word) {
        boolean isOption = word.startsWith("-");
        List<String> known =
                isOption
                        ? List.copyOf(failed.getCommandSpec().optionsMap().keySet())
                        : List.copyOf(failed.getSubcommands().keySet());
        String kind = isOption ? "unknown option '" : "unknown command '";
        return kind
                + word
                + "'"
                + DidYouMean.of(word, known).map(near -> "; did you mean " + near + "?").orElse("");
    }

    private static String prefix(CommandLine failed) {
        return failed.getCommandSpec().qualifiedName() + ": ";
    }
}
