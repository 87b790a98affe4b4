package io.muninn.apps;

import io.muninn.api.Schedule;
import io.muninn.api.spi.Options;
import java.util.List;
import java.util.Locale;

/** The options for the schedule of parallel loops. */
public final class ScheduleOptions {
    /** For {@link Options#parse}. */
    public static final String SCHEDULE = "schedule=";

    /** For {@link Options#parse}. */
    public static final String CHUNK = "chunk=";

    private static final int CHUNK_MAX = 1_000_000;
    private static final List<String> KINDS =
            List.of("block", "cyclic", "chunked", "dynamic", "guided");

    private ScheduleOptions() {}

    /**
     * Lines for a program's usage.
     *
     * @param version the version with parallel loops
     */
    public static String usage(String version) {
        return String.format(
                Locale.ROOT,
                """
                --schedule S     %s only: block, cyclic, chunked, dynamic or guided (block)
                --chunk N        of the last three: indices at a time, 1 to %d (16)
                """,
                version,
                CHUNK_MAX);
    }

    /**
     * Reads the options.
     *
     * @param chosen the chosen version
     * @param version the version with parallel loops
     * @throws IllegalArgumentException if a value is out of range, or if an option is given for
     *     another version; the message is for the user
     */
    public static Schedule of(Options options, String chosen, String version) {
        for (String name : List.of(SCHEDULE, CHUNK)) {
            String bare = name.replace("=", "");
            if (options.text(bare).isPresent() && !chosen.equals(version)) {
                throw new IllegalArgumentException(
                        "option --" + bare + " needs --version " + version);
            }
        }
        int chunk = options.integer("chunk", 16, 1, CHUNK_MAX);
        return switch (options.choice("schedule", KINDS)) {
            case "cyclic" -> Schedule.CYCLIC;
            case "chunked" -> Schedule.chunked(chunk);
            case "dynamic" -> Schedule.dynamic(chunk);
            case "guided" -> Schedule.guided(chunk);
            default -> Schedule.BLOCK;
        };
    }
}
