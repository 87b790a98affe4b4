package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.report.StandardOutput;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of {@code ./dsm}: all commands except those that build or test. */
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
        StandardOutput.install();
        int status = execute(List.of(arguments));
        Optional<String> lost = StandardOutput.lost();
        lost.ifPresent(text -> System.err.println("dsm " + arguments[0] + ": " + text));
        System.exit(lost.isPresent() && status == ExitStatus.OK ? ExitStatus.FAILED : status);
    }

    /** Executes a command. Returns one of {@link ExitStatus}. */
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

    /** The command line with a single command, used when the first word names it. */
    @Command(name = "dsm")
    private static final class One {}

    /**
     * Creates a single command: reading the options of all commands would take longer than
     * everything else that a launcher does.
     */
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

    /**
     * Reports the error and, if helpful, the correct usage; the library's message is cut to one
     * line.
     */
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

    /** The library's message starts a sentence; ours continues one. */
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
