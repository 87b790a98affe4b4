package io.muninn.verify.program;

import io.muninn.model.PageId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The forms of a line of a program, and their meanings. */
final class TextForms {
    private static final Pattern PAGE = Pattern.compile("(\\d+)/(\\d+)");
    private static final Pattern VARIABLE = Pattern.compile("(\\d+/\\d+)\\+(\\d+):([1248])");

    private TextForms() {}

    /** One form of a line. */
    static final class Form<T> {
        private final Pattern pattern;
        private final Function<Words, T> meaning;

        Form(String pattern, Function<Words, T> meaning) {
            this.pattern = Pattern.compile(pattern);
            this.meaning = meaning;
        }

        /** The meaning of a line; empty if the line has another form. */
        Optional<T> read(String line) {
            Matcher matcher = pattern.matcher(line);
            return matcher.matches()
                    ? Optional.of(meaning.apply(new Words(matcher)))
                    : Optional.empty();
        }
    }

    /** The variable parts of a line, by their number in the form, from 1. */
    static final class Words {
        private final Matcher matcher;

        private Words(Matcher matcher) {
            this.matcher = matcher;
        }

        boolean has(int place) {
            return matcher.group(place) != null;
        }

        String text(int place) {
            return matcher.group(place);
        }

        String upper(int place) {
            return text(place).toUpperCase(Locale.ROOT);
        }

        boolean isOn(int place) {
            return text(place).equals("on");
        }

        long number(int place) {
            return Long.parseLong(text(place));
        }

        long number(int place, long absent) {
            return has(place) ? number(place) : absent;
        }

        int count(int place) {
            return Integer.parseInt(text(place));
        }

        int count(int place, int absent) {
            return has(place) ? count(place) : absent;
        }

        PageId page(int place) {
            return page(text(place));
        }

        Variable variable(int place) {
            Matcher parts = VARIABLE.matcher(text(place));
            if (!parts.matches()) {
                throw new IllegalArgumentException(text(place) + " is no element");
            }
            return new Variable(
                    page(parts.group(1)),
                    Integer.parseInt(parts.group(2)),
                    Integer.parseInt(parts.group(3)));
        }

        private static PageId page(String text) {
            Matcher parts = PAGE.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(text + " is no page");
            }
            return new PageId(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        }
    }

    /**
     * The meaning of a line, by the first form that matches it.
     *
     * @throws IllegalArgumentException if no form matches
     */
    static <T> T read(List<Form<T>> forms, String line) {
        for (Form<T> form : forms) {
            Optional<T> meaning = form.read(line);
            if (meaning.isPresent()) {
                return meaning.get();
            }
        }
        throw new IllegalArgumentException("nothing that a program may have here");
    }
}
