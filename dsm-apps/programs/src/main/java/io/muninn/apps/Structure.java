package io.muninn.apps;

import io.muninn.api.spi.Options;
import java.util.List;

/**
 * How far a program is restructured for coherence by software. Levels are cumulative: a program has
 * the chosen one and all before it.
 *
 * <p>Source: Kontothanassis and Scott, "Software Cache Coherence for Large Scale Multiprocessors",
 * section 4.3.
 *
 * @param levels names in order; the first is the program as it was
 * @param chosen index of the chosen level
 */
public record Structure(List<String> levels, int chosen) {
    /** The program as it was. */
    public static final String PLAIN = "plain";

    /** Synchronization variables are on pages without data. */
    public static final String SEPARATED = "separated";

    /** Records fill pages without a rest. */
    public static final String PADDED = "padded";

    /** Readers of a lock do not release anything. */
    public static final String READERS = "readers";

    /** Neighbours in the problem are neighbours in memory. */
    public static final String SORTED = "sorted";

    /** Data that are shared at a fine grain are remote variables. */
    public static final String REMOTE = "remote";

    /** The option, for {@link Options#parse}. */
    public static final String OPTION = "structure=";

    /** Copies the names. */
    public Structure {
        levels = List.copyOf(levels);
    }

    /**
     * The level that the options choose, by default the first.
     *
     * @throws IllegalArgumentException if there is no such level; the message is for the user
     */
    public static Structure of(Options options, List<String> levels) {
        return new Structure(levels, levels.indexOf(options.choice("structure", levels)));
    }

    /** Whether the program has a level. */
    public boolean has(String level) {
        return levels.indexOf(level) <= chosen && levels.contains(level);
    }

    /** The line of usage of a program with these levels. */
    public static String usage(List<String> levels) {
        return "--structure S    "
                + String.join(", ", levels)
                + ": each with the ones before it ("
                + levels.getFirst()
                + ")\n";
    }
}
