package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.launch.option.DidYouMean;
import io.muninn.launch.option.Programs;
import io.muninn.launch.process.StartException;
import io.muninn.launch.process.Streams;
import io.muninn.launch.process.TemporaryFolder;
import io.muninn.report.StandardOutput;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of {@code ./dsm}: all commands except those that build or test. */
@Command(
        name = Main.NAME,
        description = "Several machines, one memory.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            NodeCommand.class,
            KubernetesCommand.class,
            SimCommand.class,
            CompareCommand.class,
            DoctorCommand.class,
            ProgramsCommand.class,
            CompletionCommand.class
        })
public final class Main {
    /** The name of the program, before the names of its commands. */
    static final String NAME = "dsm";

    /** The name of {@link RunCommand}. */
    private static final String RUN = "run";

    /** The command that {@link MoreCommands} may extend. */
    private static final String EXTENDED = "sim";

    /** Stands for bytes that the JVM could not decode. */
    private static final char REPLACEMENT = '\uFFFD';

    private Main() {}

    public static void main(String[] arguments) {
        StandardOutput.install();
        int status = checked(List.of(arguments));
        Optional<String> lost = StandardOutput.lost();
        lost.ifPresent(text -> System.err.println("dsm " + arguments[0] + ": " + text));
        System.exit(lost.isPresent() && status == ExitStatus.OK ? ExitStatus.FAILED : status);
    }

    /** Executes a command if all its words can be expressed, which otherwise name other files. */
    private static int checked(List<String> arguments) {
        Optional<String> broken =
                Stream.concat(arguments.stream(), Stream.of(TemporaryFolder.path().toString()))
                        .filter(word -> word.indexOf(REPLACEMENT) >= 0)
                        .findFirst();
        broken.ifPresent(word ->
                System.err.println(
                        "dsm "
                                + arguments.getFirst()
                                + ": '"
                                + word
                                + "' has bytes that are no characters of the locale's"
                                + " encoding, "
                                + System.getProperty("sun.jnu.encoding")
                                + "; rename the file, or set LC_ALL to a locale of its"
                                + " encoding"));
        return broken.isPresent() ? ExitStatus.USAGE : execute(arguments);
    }

    private static int execute(List<String> arguments) {
        return execute(commandLine(arguments), arguments);
    }

    /**
     * Executes a command.
     *
     * @param out receives its results
     * @param err receives errors and progress
     * @return one of {@link ExitStatus}
     */
    public static int execute(List<String> arguments, PrintWriter out, PrintWriter err) {
        return execute(commandLine(arguments).setOut(out).setErr(err), arguments);
    }

    /**
     * Executes {@code dsm run} in this process.
     *
     * @param arguments options, the program and its options
     * @param streams those of the processes
     * @param err receives what is wrong with the arguments, or why nothing can be started
     * @return one of {@link ExitStatus}
     */
    public static int run(List<String> arguments, Streams streams, PrintWriter err) {
        List<String> words = new ArrayList<>(List.of(RUN));
        words.addAll(arguments);
        CommandLine command = commandLine(words).setErr(err);
        RunCommand run = subcommand(command, RUN).getCommand();
        run.streams(streams);
        return execute(command, words);
    }

    private static int execute(CommandLine command, List<String> arguments) {
        try {
            List<String> moved =
                    OptionsBehind.moved(
                            command, withUsual(command, arguments), Programs::installed);
            return command.execute(moved.toArray(String[]::new));
        } catch (ParameterException incomplete) {
            return reportUsage(incomplete);
        }
    }

    /** The command line that executes these arguments. */
    static CommandLine commandLine(List<String> arguments) {
        return configured(
                arguments.stream().findFirst().flatMap(Main::alone).orElseGet(Main::withAll));
    }

    static CommandLine commandLine() {
        return configured(withAll());
    }

    private static CommandLine withAll() {
        CommandLine main = new CommandLine(new Main());
        add(NAME, main);
        add(EXTENDED, subcommand(main, EXTENDED));
        return main;
    }

    /**
     * @throws IllegalStateException if there is no such command
     */
    static CommandLine subcommand(CommandLine command, String name) {
        CommandLine found = command.getSubcommands().get(name);
        if (found == null) {
            throw new IllegalStateException(
                    command.getCommandName() + " has no command '" + name + "'");
        }
        return found;
    }

    private static List<MoreCommands> more(String parent) {
        return ServiceLoader.load(MoreCommands.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.parent().equals(parent))
                .toList();
    }

    /** Adds the commands of other modules. */
    private static void add(String parent, CommandLine command) {
        more(parent).forEach(each -> each.classes().forEach(command::addSubcommand));
    }

    /** Inserts the usual subcommand of an extended command after which only options follow. */
    static List<String> withUsual(CommandLine main, List<String> arguments) {
        if (arguments.isEmpty() || !arguments.getFirst().equals(EXTENDED)) {
            return arguments;
        }
        List<String> completed = new ArrayList<>(arguments);
        List<String> options = arguments.subList(1, arguments.size());
        CommandLine command = subcommand(main, EXTENDED);
        for (MoreCommands each : more(EXTENDED)) {
            each.usual()
                    .filter(name ->
                            areOptions(
                                    List.of(command.getSubcommands().get(name), command), options))
                    .ifPresent(name -> completed.add(1, name));
        }
        return completed;
    }

    /** Whether words are options and their values, none of them a request for help. */
    private static boolean areOptions(List<CommandLine> commands, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-") || word.equals("-h") || word.equals("--help")) {
                return false;
            }
            boolean hasValue =
                    commands.stream()
                            .map(each -> each.getCommandSpec().findOption(word))
                            .anyMatch(option -> option != null && option.arity().max() > 0);
            i += hasValue ? 1 : 0;
        }
        return true;
    }

    /** The command line with a single command, used when the first word names it. */
    @Command(name = NAME)
    private static final class One {}

    /**
     * Creates a single command: reading the options of all commands would take longer than
     * everything else that a launcher does, and so would a search for {@link MoreCommands}, which
     * is made only for a word that is no command of {@link Main}.
     */
    private static Optional<CommandLine> alone(String name) {
        Optional<Class<?>> ours =
                named(name, List.of(Main.class.getAnnotation(Command.class).subcommands()));
        Optional<CommandLine> one =
                ours.or(() -> named(name, classes(more(NAME))))
                        .map(command -> new CommandLine(new One()).addSubcommand(command));
        if (name.equals(EXTENDED)) {
            one.ifPresent(main -> add(EXTENDED, subcommand(main, EXTENDED)));
        }
        return one;
    }

    private static List<Class<?>> classes(List<MoreCommands> more) {
        return more.stream().<Class<?>>flatMap(each -> each.classes().stream()).toList();
    }

    private static Optional<Class<?>> named(String name, List<Class<?>> commands) {
        for (Class<?> command : commands) {
            if (command.getAnnotation(Command.class).name().equals(name)) {
                return Optional.of(command);
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
            String text = String.valueOf(error.getMessage());
            err.println(prefix(failed) + decapitalized(isOurs ? text : firstLine(text)));
        }
        return ExitStatus.USAGE;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /**
     * Converts the library's message, which starts a sentence, to one that continues ours. A first
     * word in capitals is a name.
     */
    private static String decapitalized(String text) {
        boolean isName = text.length() > 1 && Character.isUpperCase(text.charAt(1));
        if (isName || text.isEmpty()) {
            return text;
        }
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
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
