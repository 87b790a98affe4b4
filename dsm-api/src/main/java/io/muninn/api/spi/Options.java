package io.muninn.api.spi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a program, as in {@code --rows 512 --seed=7 --trace}. Every error is an {@link
 * IllegalArgumentException} whose text is for the user.
 */
public final class Options {
    private static final String PREFIX = "--";

    private final Map<String, String> given = new LinkedHashMap<>();

    private Options() {}

    /**
     * Reads options.
     *
     * @param words as given on the command line
     * @param known names without dashes; one that takes a value ends with {@code =}
     * @throws IllegalArgumentException if an option is unknown (the text lists the known ones), is
     *     given twice, lacks its value or has one that it does not take
     */
    public static Options parse(List<String> words, String... known) {
        Options options = new Options();
        int next = 0;
        while (next < words.size()) {
            String word = words.get(next++);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? null : word.substring(equals + 1);
            if (takesValue(name, known)) {
                if (value == null) {
                    if (next == words.size()) {
                        throw new IllegalArgumentException("option " + name + " lacks its value");
                    }
                    value = words.get(next++);
                }
            } else if (value != null) {
                throw new IllegalArgumentException("option " + name + " takes no value");
            }
            if (options.given.put(name, value == null ? "" : value) != null) {
                throw new IllegalArgumentException("option " + name + " is given twice");
            }
        }
        return options;
    }

    /** True if the flag is given. */
    public boolean flag(String name) {
        return given.containsKey(PREFIX + name);
    }

    /** The option's value as written, if given. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(given.get(PREFIX + name));
    }

    /** The option's value, or {@code fallback}; an integer from {@code min} to {@code max}. */
    public int integer(String name, int fallback, int min, int max) {
        return (int) number(name, fallback, min, max);
    }

    /** The option's value, or {@code fallback}; an integer from {@code min} to {@code max}. */
    public long number(String name, long fallback, long min, long max) {
        String text = given.get(PREFIX + name);
        if (text == null) {
            return fallback;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException cause) {
            throw new IllegalArgumentException(range(name, min, max, text), cause);
        }
        throw new IllegalArgumentException(range(name, min, max, text));
    }

    /** The option's value, or the first of {@code choices}. */
    public String choice(String name, List<String> choices) {
        String text = given.getOrDefault(PREFIX + name, choices.getFirst());
        if (!choices.contains(text)) {
            throw new IllegalArgumentException(
                    "option --"
                            + name
                            + " is one of "
                            + String.join(", ", choices)
                            + ", not '"
                            + text
                            + "'");
        }
        return text;
    }

    private static String range(String name, long min, long max, String text) {
        return "option --"
                + name
                + " is an integer from "
                + min
                + " to "
                + max
                + ", not '"
                + text
                + "'";
    }

    private static boolean takesValue(String word, String... known) {
        for (String option : known) {
            if (word.equals(PREFIX + option)) {
                return false;
            }
            if ((word + "=").equals(PREFIX + option)) {
                return true;
            }
        }
        StringBuilder text = new StringBuilder("unknown option ").append(word);
        text.append(known.length == 0 ? "; there are none" : "; known:");
        for (String option : known) {
            text.append(' ').append(PREFIX).append(option.replace("=", ""));
        }
        throw new IllegalArgumentException(text.toString());
    }
}
