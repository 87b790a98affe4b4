package io.muninn.doctor;

import java.util.Locale;

/**
 * A small program that was run, or that cannot run here.
 *
 * @param command the command that repeats it
 * @param why why it failed or was skipped, in one line; otherwise empty
 * @param nanos duration of the whole command; 0 if it was skipped
 */
public record SmokeRun(String command, Result result, String why, long nanos) {
    /** How it ended. */
    public enum Result {
        OK,
        FAILED,
        SKIPPED;

        /** The word that users read. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
