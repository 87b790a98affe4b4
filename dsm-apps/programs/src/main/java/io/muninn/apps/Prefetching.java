package io.muninn.apps;

import io.muninn.api.spi.Options;
import java.util.List;
import java.util.Locale;

/**
 * Whether a program prefetches pages, and at which distance.
 *
 * @param isOn whether the program prefetches
 * @param distance distance from prefetch to use, in the unit of the program's usage, at least 1
 */
public record Prefetching(boolean isOn, int distance) {
    /** For programs without prefetches. */
    static final Prefetching OFF = new Prefetching(false, 1);

    /** For {@link Options#parse}. */
    static final List<String> OPTIONS = List.of("prefetch=", "distance=");

    private static final int DISTANCE_MAX = 1000;

    /**
     * Lines for a program's usage.
     *
     * @param unit unit of distances, in the plural
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
     * @param version the version that the options select
     * @param usual default distance
     * @throws IllegalArgumentException if a value is out of range, or is given where it has no
     *     meaning; the message is for the user
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
