package io.muninn.launch.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of a run in the words that give {@code dsm node} on another host the same ones. */
public final class ForwardedOptions {
    private static final String CLASS_PATH = "--class-path";
    private static final String JVM_OPTION = "--jvm-option";
    private static final String PROPERTY = "-D";

    private ForwardedOptions() {}

    /**
     * Collects the options that were given. Paths become absolute, because another host has another
     * current folder.
     *
     * @param result of the command
     * @param own options of the command alone, by their longest names
     */
    public static List<String> words(ParseResult result, Set<String> own) {
        List<String> words = new ArrayList<>();
        for (OptionSpec option : result.matchedOptionsSet()) {
            String name = option.longestName();
            if (own.contains(name)) {
                continue;
            }
            switch (name) {
                case CLASS_PATH -> {
                    List<Path> entries = option.getValue();
                    words.add(CLASS_PATH);
                    words.add(
                            entries.stream()
                                    .map(entry -> entry.toAbsolutePath().toString())
                                    .collect(Collectors.joining(":")));
                }
                case PROPERTY ->
                        option.originalStringValues().forEach(each -> words.add(PROPERTY + each));
                default -> {
                    if (option.arity().max() == 0) {
                        words.add(name);
                    } else {
                        words.add(name + "=" + option.originalStringValues().getLast());
                    }
                }
            }
        }
        // the library does not count an option with a consumer of its own among those that it
        // matched
        List<String> ofJvm = result.commandSpec().findOption(JVM_OPTION).getValue();
        ofJvm.forEach(each -> words.addAll(List.of(JVM_OPTION, each)));
        return words;
    }
}
