package io.muninn.launch;

import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Programs;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code dsm completion}: prints a script with which a shell completes commands, options, their
 * values and programs. It has the commands that are on this class path, and those of the script.
 */
@Command(
        name = "completion",
        description = "Prints a script with which bash or zsh completes commands and options.",
        footer = {"", "For this shell: source <(dsm completion bash)"},
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    /** The shells that can read the script. */
    static final class Shell implements ITypeConverter<String>, Iterable<String> {
        private static final List<String> KNOWN = List.of("bash", "zsh");

        @Override
        public String convert(String word) {
            if (!KNOWN.contains(word)) {
                throw new TypeConversionException("'" + word + "' is neither bash nor zsh");
            }
            return word;
        }

        @Override
        public Iterator<String> iterator() {
            return KNOWN.iterator();
        }
    }

    /** Commands that take the name of a program. */
    private static final List<String> RUNNING = List.of("run", "node", "k8s", "compare", "sim");

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "bash|zsh",
            converter = Shell.class,
            completionCandidates = Shell.class,
            description = "the shell; one script serves both")
    private void shell(String unusedAfterTheCheck) {}

    @Option(
            names = "--also",
            hidden = true,
            split = ",",
            description = "commands of the script, each with its options: test:--all")
    private List<String> scripted = List.of();

    @Override
    public Integer call() {
        CommandLine all = Main.commandLine();
        scripted.forEach(words -> add(words, all));
        Map<String, CommandLine> commands = all.getSubcommands();
        List<String> programs =
                Programs.installed().all().stream()
                        .map(BuiltInProgram::name)
                        .filter(name -> !commands.containsKey(name)) // which runs that program
                        .toList();
        RUNNING.forEach(name -> namePrograms(spec(commands, name), programs));
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash(Main.NAME, all));
        out.flush();
        return ExitStatus.OK;
    }

    private static CommandSpec spec(Map<String, CommandLine> commands, String name) {
        return Objects.requireNonNull(commands.get(name), name).getCommandSpec();
    }

    private static void add(String words, CommandLine all) {
        List<String> parts = List.of(words.split(":"));
        CommandSpec command = CommandSpec.create().name(parts.getFirst());
        parts.stream().skip(1).forEach(option -> command.addOption(flag(option)));
        all.addSubcommand(parts.getFirst(), command);
    }

    private static OptionSpec flag(String name) {
        return OptionSpec.builder(name).type(boolean.class).arity("0").build();
    }

    /** Replaces the hidden words of a command by a program. */
    private static void namePrograms(CommandSpec command, List<String> programs) {
        for (ArgSpec words : List.copyOf(command.positionalParameters())) {
            command.remove(words);
        }
        command.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("PROGRAM")
                        .type(String.class)
                        .index("0")
                        .completionCandidates(programs)
                        .build());
    }
}
