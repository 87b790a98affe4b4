package io.muninn.launch;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.option.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options of a command that stand behind its program: {@code run diff -n 4 --rows 60} means
 * {@code run -n 4 diff --rows 60}. An option that a built-in program has, too, is the program's,
 * and so are help and version, and all words behind {@code --}.
 */
final class OptionsBehind {
    private static final Set<String> WITH_PROGRAMS = Set.of("run", "node", "compare", "sim");
    private static final Set<String> OF_EVERY_COMMAND = Set.of("-h", "--help", "-V", "--version");
    private static final Set<String> CLASS_PATH = Set.of("--class-path");
    private static final String END_OF_OPTIONS = "--";
    private static final int SHORT_LENGTH = 2;

    private final CommandLine command;
    private final Supplier<Programs> programs;
    private final List<String> front = new ArrayList<>();
    private final List<String> ofProgram = new ArrayList<>();

    private OptionsBehind(CommandLine command, Supplier<Programs> programs) {
        this.command = command;
        this.programs = programs;
    }

    /**
     * Returns the arguments with the command's options in front of the program, and without the
     * word that ends them.
     *
     * @param main has the command that the first argument names
     * @param programs searched only if an option stands behind a program
     * @throws ParameterException if such an option lacks its value
     */
    static List<String> moved(
            CommandLine main, List<String> arguments, Supplier<Programs> programs) {
        String name = arguments.isEmpty() ? "" : arguments.getFirst();
        CommandLine command = main.getSubcommands().get(name);
        if (command == null || !WITH_PROGRAMS.contains(name)) {
            return arguments;
        }
        return new OptionsBehind(command, programs).moved(arguments);
    }

    private List<String> moved(List<String> arguments) {
        int at = 1;
        while (at < arguments.size() && arguments.get(at).startsWith("-")) {
            if (arguments.get(at).equals(END_OF_OPTIONS)) {
                return arguments; // no word behind it is an option
            }
            at += takesNext(arguments.get(at)) ? 2 : 1;
        }
        if (at >= arguments.size() || command.getSubcommands().containsKey(arguments.get(at))) {
            return arguments;
        }
        List<String> behind = arguments.subList(at + 1, arguments.size());
        boolean isOwn = arguments.stream().anyMatch(word -> CLASS_PATH.contains(nameOf(word)));
        boolean hasOptions =
                behind.stream()
                        .anyMatch(word -> word.equals(END_OF_OPTIONS) || option(word).isPresent());
        if (!hasOptions) {
            return arguments;
        }
        divide(behind, isOwn ? Set.of() : known(arguments.get(at)));
        List<String> moved = new ArrayList<>(arguments.subList(0, at));
        moved.addAll(front);
        moved.add(arguments.get(at));
        moved.addAll(ofProgram);
        return moved;
    }

    private void divide(List<String> words, Set<String> known) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals(END_OF_OPTIONS)) {
                ofProgram.addAll(words.subList(i + 1, words.size()));
                return;
            }
            if (option(word).isEmpty() || known.contains(nameOf(word))) {
                ofProgram.add(word);
                continue;
            }
            front.add(word);
            if (takesNext(word)) {
                i++;
                if (i == words.size()) {
                    throw new ParameterException(
                            command, "Missing required parameter for option '" + word + "'");
                }
                front.add(words.get(i));
            }
        }
    }

    /** The options that a built-in program names in its usage; none if there is no such program. */
    private Set<String> known(String program) {
        return programs.get().all().stream()
                .filter(each -> each.name().equals(program))
                .map(BuiltInProgram::usage)
                .flatMap(String::lines)
                .map(line -> line.strip().split("[ =]", SHORT_LENGTH)[0])
                .filter(word -> word.startsWith("-"))
                .collect(Collectors.toSet());
    }

    /** The option of the command that a word gives, other than help and version. */
    private Optional<OptionSpec> option(String word) {
        String name = nameOf(word);
        return OF_EVERY_COMMAND.contains(name)
                ? Optional.empty()
                : Optional.ofNullable(command.getCommandSpec().findOption(name));
    }

    /** The name of an option without a value in the same word, as in -n4, -Dx=y, --nodes=4. */
    private String nameOf(String word) {
        boolean isShort = word.startsWith("-") && !word.startsWith(END_OF_OPTIONS);
        if (isShort && word.length() > SHORT_LENGTH) {
            char next = word.charAt(SHORT_LENGTH);
            String name = word.substring(0, SHORT_LENGTH);
            return name.equals("-D") || Character.isDigit(next) || next == '=' ? name : word;
        }
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    /** True if the value of an option is the next word. */
    private boolean takesNext(String word) {
        OptionSpec option = command.getCommandSpec().findOption(nameOf(word));
        return option != null && nameOf(word).equals(word) && option.arity().max() > 0;
    }
}
