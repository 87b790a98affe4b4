package io.muninn.apps;

import io.muninn.api.spi.Options;
import java.util.List;
import java.util.Locale;

/**
 * Whether a program asks for pages before it uses them, and how long before.
 *
 * @param isOn whether it does
 * @param distance how far ahead of their use, in what the program's usage says, at least 1
 */
public record Prefetching(boolean isOn, int distance) {
    /** Of programs without prefetches. */
    static final Prefetching OFF = new Prefetching(false, 1);

    /** For {@link Options#parse}. */
    static final List<String> OPTIONS = List.of("prefetch=", "distance=");

    private static final int DISTANCE_MAX = 1000;

    /**
     * Lines for a program's usage.
     *
     * @param unit of distances, in the plural
     */
    static String usage(String unit, int usual) {
        return String.format(
                Locale.ROOT,
                """
                --prefetch WHAT  dsm only: off, or on to ask for pages before they are used (off)
                --distance N     with --prefetch on: %s ahead of their use, 1 to %d (%d)
                """,
                unit,
                DISTANCE_MAX,
                usual);
    }

    /**
     * Reads the options.
     *
     * @param version that the options choose
     * @param usual distance
     * @throws IllegalArgumentException if a value is out of range, or given where it means nothing;
     *     the text is for the user
     */
    static Prefetching of(Options options, String version, int usual) {
        boolean isOn = options.choice("prefetch", List.of("off", "on")).equals("on");
        if (options.text("prefetch").isPresent() && !version.equals("dsm")) {
            throw new IllegalArgumentException("option --prefetch needs --version dsm");
        }
        if (options.text("distance").isPresent() && !isOn) {
            throw new IllegalArgumentException("option --distance needs --prefetch on");
        }
        return new Prefetching(isOn, options.integer("distance", usual, 1, DISTANCE_MAX));
    }
}
